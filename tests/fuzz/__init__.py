"""Random inputs through every command: ``python -m tests.fuzz`` (``make fuzz``).

Read in this order: ``case`` (what a case is, and what its end must be), ``child`` (runs one in a process of its own),
``jars`` with ``mutations`` and ``monsters``, ``sessions``, ``options``, ``commands`` (of the engine), ``__main__``.
"""
