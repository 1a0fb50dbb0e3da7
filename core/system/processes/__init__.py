"""Processes: families that end together, what they use and leave behind, children of our own. Read `families` first."""
