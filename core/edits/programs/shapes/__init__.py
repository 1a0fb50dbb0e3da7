"""Methods that lose parameters or results: the edits, and what they do to descriptors and calls."""
