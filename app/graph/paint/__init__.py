"""The painting of the graph: painters over the arrays of a scene."""
