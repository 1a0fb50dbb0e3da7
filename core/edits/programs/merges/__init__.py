"""Classes that become one: the edits, the rules, and the renamed methods."""
