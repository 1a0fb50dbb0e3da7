"""The versions of a tool in their order, and a preset that runs one of them."""
