"""Jarlet's engine: everything that works without a window."""
