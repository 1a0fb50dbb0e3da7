"""The search of a reduction after its first interesting run: first candidates, files written, and confirmation."""
