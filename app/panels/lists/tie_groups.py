"""The kinds of items that need another one: code, hierarchy, signatures, and bookkeeping that stands last. No Qt."""

from __future__ import annotations

import re

GROUPS = ("Code", "Hierarchy", "Signatures", "Bookkeeping")
"""Titles, in their order."""
FOLDED = "Bookkeeping"

_BOOKKEEPING = re.compile(r"\[(?:inner|bootstrap|enclosed|nest|lines|variables|sealed|component|final)\b")


def group_of(name: str) -> str:
    """Return the group of an item that needs another one, by its name."""
    if _BOOKKEEPING.search(name):
        return FOLDED
    if "!" in name:
        return "Code"
    if "<" in name.partition(".")[0]:
        return "Hierarchy"
    return "Signatures"
