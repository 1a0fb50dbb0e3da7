"""Java source for a result: decompiled, repaired after javac's complaints, compiled in several ways, and judged.

Read ``compiler``, ``repairs``, ``drafts``, ``source_maker``.
"""
