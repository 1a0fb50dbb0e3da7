"""Reducers that use the structure of the input: dependency closures, rules, trees, method bodies."""
