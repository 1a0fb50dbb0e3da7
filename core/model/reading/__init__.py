"""Class files read into facts, in several processes where there are many."""
