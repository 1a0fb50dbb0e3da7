"""Flow through the blocks of a method: local variables, objects under construction, dominators."""
