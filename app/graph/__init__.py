"""The drawn dependency graph: one canvas over numpy arrays."""
