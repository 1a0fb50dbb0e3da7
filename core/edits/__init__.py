"""Edits that are no removals: of method bodies, of whole programs, of names. Every kind finds its edits, and makes any
of them together.
"""
