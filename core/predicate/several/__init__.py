"""Several runs on one candidate: the sources by decompilers, the disagreements of two tools, and rare failures."""
