"""Classes outside the input: the JDK's and those of a class path."""
