"""What ``jarlet bench`` measures."""
