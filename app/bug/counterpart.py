"""The line of another source that corresponds to a failing line. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

_NEAR = 15
"""Rows above and below the failing one in which its counterpart is looked for."""
_LIKE = 0.6
"""Least similarity of a counterpart, from 0 to 1."""


def counterpart(line: str, others: Sequence[str], row: int) -> int:
    """Return the row of the line in ``others`` that is most like ``line``, of those near ``row``; -1 if none is like
    it. Among equally similar lines the nearest one is taken.
    """
    wanted = line.strip()
    if row < 0 or not wanted:
        return -1
    near = range(max(0, row - _NEAR), min(len(others), row + _NEAR + 1))
    found = [(_likeness(wanted, others[at].strip()), -abs(at - row), at) for at in near]
    best = max(found, default=(0.0, 0, -1))
    return best[2] if best[0] >= _LIKE else -1


def _likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _LIKE and matcher.quick_ratio() >= _LIKE else 0.0
