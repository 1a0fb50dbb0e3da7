"""Sources of candidates: an input by whole classes, by the parts of its classes, or by edits of method bodies."""
