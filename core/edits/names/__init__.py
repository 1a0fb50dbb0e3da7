"""Neutral names in the place of an input's own: packages, classes, members, variables, and strings.

Order of reading: :mod:`name_map` (every name of a class goes through it), :mod:`names_in_use` (the names of a program),
:mod:`neutral_names` (the new ones), :mod:`naming` (the kind of rewriting), :mod:`leftovers` (the remaining old names).
"""
