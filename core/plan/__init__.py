"""The plan of a search: the order of phases and suggestions, and the prices of probes."""
