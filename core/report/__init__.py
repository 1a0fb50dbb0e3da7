"""The report of a reduction, and the bug report made of it."""
