"""What tools print and leave behind, read."""
