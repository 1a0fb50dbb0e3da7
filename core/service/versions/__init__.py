"""Which versions of a tool fail on an input: ``halving`` chooses the versions to run, ``trial`` runs one,
``version_search`` runs as many as are needed, ``sentence`` says what came out."""
