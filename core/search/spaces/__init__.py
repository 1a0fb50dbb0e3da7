"""Spaces: the meaning of a search's elements, and the items that a candidate keeps."""
