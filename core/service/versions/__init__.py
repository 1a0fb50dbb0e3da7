"""The versions of a tool that fail on an input: ``trial`` runs one, ``version_trials`` chooses those to run and runs as
many as needed, and words the result."""
