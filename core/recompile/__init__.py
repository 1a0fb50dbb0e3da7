"""Java source for a result: decompiled, repaired where javac complains, compiled in several ways, and judged.

Read ``compiler``, ``repairs``, ``drafts``, ``source_search``.
"""
