"""Jars as entries: read, chosen, packed, written."""
