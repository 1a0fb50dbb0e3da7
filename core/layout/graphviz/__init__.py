"""Graphviz in a process of its own: asked with a time limit, never loaded here."""
