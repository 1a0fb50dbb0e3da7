"""Searches that begin with what evidence suggests."""
