"""Shortened names that still tell a node from the others of a scene. No Qt."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence

_LAST = "\U0010ffff"
_LOOKED_MOST = 300
"""Titles that are compared one by one; a shortened name that more of them may fit is taken for one of several."""


class TitleIndex:
    """The distinct titles of a scene, sorted from either end."""

    def __init__(self, titles: Iterable[str]) -> None:
        distinct = set(titles)
        self._forward = sorted(distinct)
        self._backward = sorted(title[::-1] for title in distinct)

    def only_one(self, begin: str, end: str) -> bool:
        """Return True if at most one title begins and ends so."""
        ahead = _span(self._forward, begin)
        behind = _span(self._backward, end[::-1])
        if not begin:
            return len(behind) <= 1
        if not end:
            return len(ahead) <= 1
        if min(len(ahead), len(behind)) > _LOOKED_MOST:
            return False
        if len(ahead) <= len(behind):
            return sum(self._forward[at].endswith(end) for at in ahead) <= 1
        return sum(self._backward[at][::-1].startswith(begin) for at in behind) <= 1


def _span(ordered: Sequence[str], begin: str) -> range:
    return range(bisect_left(ordered, begin), bisect_left(ordered, begin + _LAST))


def told_apart(titles: Sequence[str], packages: Sequence[str]) -> list[str]:
    """Return the titles; of equal ones in different packages with the last part of the package."""
    counts = Counter(titles)
    return [
        f"{package.rpartition('.')[2]}.{title}" if counts[title] > 1 and package else title
        for title, package in zip(titles, packages, strict=True)
    ]


def last_parts(packages: Sequence[str]) -> list[str]:
    """Return the last parts of the names of packages; of equal ones the last two."""
    parts = [package.rpartition(".") for package in packages]
    return told_apart([last for _, _, last in parts], [before for before, _, _ in parts])
