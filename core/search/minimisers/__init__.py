"""Minimisers of lists: delta debugging and its relatives."""
