"""Names that lose whole words where there is no room for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable

_PARTS = re.compile(r"(?<=[./ ])")
"""Limits of the parts of a package, of a path, of a sentence."""
_WORDS = re.compile(r"(?<=[./$_ (-])|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
"""Limits of the words of a name as well: the humps of a class, the parameters of a method."""


def without_beginning(name: str, fits: Callable[[str], bool]) -> str:
    """Return a name without as many of its first parts as needed, ``…language.bm``; empty = not even its last word
    fits.
    """
    if fits(name):
        return name
    for limits in (_PARTS, _WORDS):
        parts = limits.split(name.removeprefix("…"))
        for first in range(1, len(parts)):
            shown = "…" + "".join(parts[first:])
            if fits(shown):
                return shown
    return ""


def without_middle(name: str, fits: Callable[[str], bool]) -> str:
    """Return a name without as many words after its first as needed, ``Abstract…MapFixture``; without the first, too,
    where there is no room for it; empty = not even the last word fits.
    """
    first, *rest = _WORDS.split(name)
    shown = (f"{first}…{''.join(rest[number:])}" for number in range(1, len(rest)))
    return name if fits(name) else next(filter(fits, shown), "") or without_beginning(name, fits)
