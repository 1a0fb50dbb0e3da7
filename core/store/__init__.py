"""A session on disk: what a reduction needs to be resumed after whatever ended it."""
