"""A class file written again without some of its parts.

Read ``parts`` (what can be left out), ``rewriter``, ``pieces`` and ``decoding`` (attributes),
``stubs``, ``compaction``.
"""
