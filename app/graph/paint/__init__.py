"""How the graph looks: painters over the arrays of a scene."""
