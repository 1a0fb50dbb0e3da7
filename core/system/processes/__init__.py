"""Processes: families that end together, their use of resources and their remains, children of our own. Read `families`
first."""
