"""Classes that become one: the edits, the rules of what can become one, and the methods that get new names there."""
