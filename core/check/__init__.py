"""The check of an input: is it interesting, stable, and the same as given? Read `check`, then `preparation` (what comes
before a search), `beside` (what goes on beside it), `ahead` (a candidate in its place), `diagnosis` (its words)."""
