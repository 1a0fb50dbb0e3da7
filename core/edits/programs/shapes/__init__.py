"""Methods that lose parameters or results: the edits, and the effect on descriptors and calls."""
