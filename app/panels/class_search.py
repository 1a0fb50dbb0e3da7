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
    lowered = wanted.lower()
    humps = _humps(wanted)
    found = []
    for item, full in enumerate(jar.lowered):
        simple = jar.simple[item]
        inside = lowered in full
        if not inside and (humps is None or not humps.search(simple)):
            continue
        small = simple.lower()
        if small == lowered or full == lowered:
            rank = 0
        elif small.startswith(lowered):
            rank = 1
        elif humps is not None and humps.search(simple):
            rank = 2
        else:
            rank = 3 if lowered in small else 4
        found.append((rank, not jar.is_class[item], len(simple), item))
    return np.array([item for *_, item in sorted(found)], np.int32)


def _humps(wanted: str) -> re.Pattern[str] | None:
    """Return a pattern of names with these camel humps, each maybe shortened; None if there are fewer than two."""
    parts = _HUMP.findall(wanted)
    if len(parts) < 2 or not wanted[0].isupper() or not wanted.isalnum():
        return None
    return re.compile("[a-z0-9_]*".join(map(re.escape, parts)))
