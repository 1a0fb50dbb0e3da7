"""Commands that tell bugs apart."""
