"""The classes that became part of others in the best so far, in words. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from app.engine.opened_jar import OpenedJar


def merge_lines(merged: Sequence[Sequence[int]], jar: OpenedJar) -> Mapping[int, str]:
    """Return a line for each item that became part of another one, or took others in. ``merged`` has pairs of items:
    a class, and the class that it is part of.
    """
    lines, parts = dict[int, str](), dict[int, list[str]]()
    for old, new in merged:
        lines[old] = f"now part of {jar.full[new]}"
        parts.setdefault(new, []).append(jar.full[old])
    for new, names in parts.items():
        lines[new] = f"with what is left of {', '.join(names)}"
    return lines
