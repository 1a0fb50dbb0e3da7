"""The weights of a scene's lines: those that are drawn strongly, their width, the place of both directions. No Qt."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from app.engine.opened_jar import Floats, Ints

_LINES_PER_NODE, _LEAST_LINES = 1.5, 40
"""Lines for each node, and in all, that a picture shows strongly."""
_APART = 5.0
"""Scene units between the two directions of one pair of boxes."""
_WIDEST = 4.5
"""Pixels."""


def strong(source: Ints, target: Ints, weight: Ints, nodes: int) -> NDArray[np.bool_]:
    """Return True for each strongly drawn line: the heaviest one into each box and the heaviest one out of it, then the
    heaviest of all, as many as the eye can tell apart."""
    count = len(weight)
    room = int(max(_LEAST_LINES, _LINES_PER_NODE * nodes))
    if count <= room:
        return np.ones(count, np.bool_)
    order = np.argsort(-weight, kind="stable")
    chosen = np.zeros(count, np.bool_)
    for ends in (source, target):
        place = np.full(int(ends.max()) + 1, -1, np.int64)
        place[ends[order[::-1]]] = order[::-1]  # the heaviest comes last and stays
        chosen[place[place >= 0]] = True
    rest = order[~chosen[order]]
    chosen[rest[: max(0, room - int(chosen.sum()))]] = True
    return chosen


def widths(weight: Ints) -> Floats:
    """Return the width of each line in pixels: one more for each fourfold weight, in halves of a pixel."""
    wide = 1.0 + np.log2(np.maximum(weight, 1)) / 2
    found: Floats = np.rint(np.minimum(wide, _WIDEST) * 2) / 2
    return found


def apart(lines: Floats, source: Ints, target: Ints) -> Floats:
    """Return the lines with both directions of a pair side by side: each on the right of its way."""
    if not len(lines):
        return lines
    size = int(max(source.max(), target.max())) + 1
    there, back = source.astype(np.int64) * size + target, target.astype(np.int64) * size + source
    both = np.isin(there, back)
    way = lines[both, 2:] - lines[both, :2]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None]
    aside = np.column_stack([-way[:, 1], way[:, 0]]) / length * (_APART / 2)
    moved = lines.copy()
    moved[both] += np.column_stack([aside, aside])
    return moved
