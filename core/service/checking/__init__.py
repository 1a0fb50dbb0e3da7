"""The check of an input: is it interesting, stable, and the same as given? Read `check`, then `beside` (what goes on
beside the search), `ahead` (a candidate in its place), `diagnosis` (its words)."""
