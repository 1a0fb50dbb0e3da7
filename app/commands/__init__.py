"""The commands of the command line: what they take, and what they do."""
