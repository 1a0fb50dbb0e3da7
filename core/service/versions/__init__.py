"""The versions of a tool that fail on an input: ``halving`` chooses the versions to run, ``trial`` runs one,
``version_search`` runs as many as needed, ``sentence`` words the result."""
