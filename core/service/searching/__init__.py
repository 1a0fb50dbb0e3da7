"""The search of a reduction that a check has allowed: its first candidates, what it keeps, and its confirmation."""
