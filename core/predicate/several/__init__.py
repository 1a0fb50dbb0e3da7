"""Several tools on one candidate: the sources by decompilers, and the disagreements of two tools."""
