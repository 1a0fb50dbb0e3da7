"""Jars as entries: read, chosen, packed, written.

Read ``jar``, ``entry_names``, ``selection``, ``packer``.
"""
