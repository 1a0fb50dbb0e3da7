"""Class files read into facts, many of them in several processes."""
