"""The form of a run: predicate, condition, search and limits."""
