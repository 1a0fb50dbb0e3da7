"""The commands of the command line: their options and their code."""
