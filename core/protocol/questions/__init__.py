"""The questions of a window, each with its answer in one module a subject."""
