"""Jars as entries: read, chosen, packed, written.

Read ``jar``, ``named_inputs``, ``reading``, ``entry_names``, ``selection``, ``packer``.
"""
