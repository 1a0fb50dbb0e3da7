"""What may be removed from an input and what depends on what."""
