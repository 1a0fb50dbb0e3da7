"""The versions of a tool: which there are, in which order, and a preset that runs one of them."""
