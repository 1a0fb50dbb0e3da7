"""The window and the command line: the only folder that imports Qt."""
