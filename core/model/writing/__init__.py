"""Sub-inputs written as entries of a jar."""
