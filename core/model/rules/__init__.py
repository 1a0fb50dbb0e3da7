"""The rules of the dependency model, one function each, in the order of its sections."""
