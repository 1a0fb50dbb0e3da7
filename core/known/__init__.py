"""Bugs that are told apart by the canonical form of their reduced jars: equal, near, known already."""
