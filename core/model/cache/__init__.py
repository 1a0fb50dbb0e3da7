"""What was built once, remembered: in memory within bounds, on disk between runs."""
