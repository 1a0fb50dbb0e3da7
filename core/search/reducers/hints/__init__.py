"""Searches that begin with suggestions of the evidence."""
