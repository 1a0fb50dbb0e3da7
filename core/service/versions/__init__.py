"""Which versions of a tool fail on an input: ``trial`` runs one, ``version_search`` chooses those to run, ``sentence``
says what came out."""
