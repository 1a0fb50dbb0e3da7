"""The parts of a class that may go, and the class without some of them.

Read ``parts``, ``rewriter`` and ``code_part``.
"""
