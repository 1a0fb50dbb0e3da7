"""Rewriting of whole programs: edits after which every class of an input still fits every other class."""
