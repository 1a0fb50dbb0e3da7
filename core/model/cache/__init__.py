"""Values that are built once and remembered: in memory within bounds, on disk between runs."""
