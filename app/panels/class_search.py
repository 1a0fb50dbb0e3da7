"""Finds classes and files by name, the best first. No Qt."""

from __future__ import annotations

import re

import numpy as np

from app.engine.opened_jar import Ints, OpenedJar

_HUMP = re.compile(r"[A-Z]?[^A-Z]+|[A-Z]")


def ranked(jar: OpenedJar, wanted: str) -> Ints:
    """Return the items whose Java name contains ``wanted``, upper and lower case alike, or whose class name has its
    camel humps (``SessLoc`` finds ``SessionLocal``). The order: class name equal, beginning, humps, inside; then the
    package; among equals classes before files, short names before long ones, then as in the jar."""
    wanted = wanted.strip()
    if not wanted:
        return np.zeros(0, np.int32)
    lowered, humps = wanted.lower(), _humps(wanted)
    ways = [
        [small == lowered or full == lowered for small, full in zip(jar.small, jar.lowered, strict=True)],
        [small.startswith(lowered) for small in jar.small],
        [humps.search(simple) is not None for simple in jar.simple] if humps else [],
        [lowered in small for small in jar.small],
        [lowered in full for full in jar.lowered],
    ]
    rank = np.full(jar.items, len(ways))
    for place in range(len(ways) - 1, -1, -1):
        if ways[place]:
            rank[np.array(ways[place], np.bool_)] = place
    found = np.flatnonzero(rank < len(ways))
    lengths = np.array([len(jar.simple[item]) for item in found.tolist()], np.int32)
    order = np.lexsort((found, lengths, ~jar.is_class[found], rank[found]))
    return found[order].astype(np.int32)


def _humps(wanted: str) -> re.Pattern[str] | None:
    """Return a pattern of names with these camel humps, each maybe shortened; None if there are fewer than two."""
    parts = _HUMP.findall(wanted)
    if len(parts) < 2 or not wanted[0].isupper() or not wanted.isalnum():
        return None
    return re.compile("[a-z0-9_]*".join(map(re.escape, parts)))
