"""Readers of the output and files of tools."""
