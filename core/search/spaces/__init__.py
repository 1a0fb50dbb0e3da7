"""Spaces: what an element of a search is, and which items a candidate keeps."""
