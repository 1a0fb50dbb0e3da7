"""The run form: what the failure is, how to search, within which limits."""
