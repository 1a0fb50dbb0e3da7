"""What a window asks beside the run: members, relations, listings, layouts."""
