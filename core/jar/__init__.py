"""Jars and class files as bytes: reading, choosing entries, writing, and what a class file mentions."""
