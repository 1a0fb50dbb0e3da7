"""From ordered layers to places: long layers wrapped into rows, nodes pulled below their neighbours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.layout.placement import Floats, Ints

COLUMN_GAP = 10.0
ROW_GAP = 8.0
LAYER_GAP = 46.0
TALL = 2.5
"""A node this many times taller than the lowest of its layer gets a row among its like."""
PULLS = 4
LIMITS = 40
"""Row widths that are tried."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Places of rectangles: upper left corners, and the size of the whole."""

    x: Floats
    y: Floats
    width: float
    height: float


def place_rows(layers: list[Ints], edges: Ints, width: Floats, height: Floats, aspect: float) -> Rows:
    """Place the nodes of ``layers`` (top to bottom, left to right), the whole near ``aspect`` (width / height).

    Rectangles do not overlap, and a layer lies whole above the next.
    """
    parts = [(number, part) for number, nodes in enumerate(layers) for part in _alike(nodes, height)]
    limit = _best_limit(parts, width, height, len(layers), aspect)
    wrapped = [(number, row) for number, part in parts for row in _split(part, width, limit)]
    y = np.zeros(len(width))
    top = 0.0
    previous = 0
    for number, row in wrapped:
        top += (LAYER_GAP - ROW_GAP) * (number - previous)
        previous = number
        tallest = float(height[row].max())
        y[row] = top + (tallest - height[row]) / 2
        top += tallest + ROW_GAP
    rows = [row for _, row in wrapped]
    full = max((_length(width[row]) for row in rows), default=0.0)
    x = _pull(rows, edges, width, full)
    return Rows(x, y, full, max(top - ROW_GAP, 0.0))


def _best_limit(parts: list[tuple[int, Ints]], width: Floats, height: Floats, layers: int, aspect: float) -> float:
    """Return the row width for which the picture comes nearest to ``aspect``, by the sums of the parts."""
    if not parts:
        return 1.0
    length = np.asarray([_length(width[part]) for _, part in parts])
    tall = np.asarray([height[part].max() for _, part in parts]) + ROW_GAP
    narrowest = max(float(width.max()), 1.0)
    limits = np.geomspace(narrowest, max(float(length.max()), narrowest) + 1.0, LIMITS)
    rows = np.ceil(length / limits[:, None])
    extent = (length / rows).max(axis=1) / (rows @ tall + (LAYER_GAP - ROW_GAP) * (layers - 1))
    return float(limits[np.argmin(np.abs(np.log(extent / aspect)))])


def _length(width: Floats) -> float:
    return float(width.sum() + COLUMN_GAP * (len(width) - 1))


def _alike(nodes: Ints, height: Floats) -> list[Ints]:
    """Return the low nodes and the tall ones apart, so that a big box does not blow up every row."""
    tall = height[nodes] > TALL * height[nodes].min()
    return [part for part in (nodes[~tall], nodes[tall]) if len(part)]


def _split(nodes: Ints, width: Floats, limit: float) -> list[Ints]:
    """Return ``nodes`` dealt out column by column: neighbours in the order stay near each other in x."""
    count = min(max(int(np.ceil(_length(width[nodes]) / max(limit, 1.0))), 1), len(nodes))
    return [nodes[start::count] for start in range(count)]


def _pull(rows: list[Ints], edges: Ints, width: Floats, full: float) -> Floats:
    """Return left edges with every node as near to the mean of its neighbours as its row allows."""
    count = len(width)
    centre = np.zeros(count)
    starts = []
    for row in rows:
        left = np.concatenate([[0.0], np.cumsum(width[row][:-1] + COLUMN_GAP)])
        slack = full - _length(width[row])
        centre[row] = left + width[row] / 2 + slack / 2
        starts.append((row, left + width[row] / 2, slack))
    source, target = edges[:, 0], edges[:, 1]
    degree = np.bincount(source, minlength=count) + np.bincount(target, minlength=count)
    for _ in range(PULLS if len(edges) else 0):
        total = np.bincount(source, centre[target], count) + np.bincount(target, centre[source], count)
        wish = np.where(degree > 0, total / np.maximum(degree, 1), centre)
        for row, offset, slack in starts:
            # Half way only: all rows move at once and would otherwise swing.
            shift = _monotone((wish[row] + centre[row]) / 2 - offset) if slack > 1e-6 else np.zeros(len(row))
            centre[row] = offset + np.clip(shift, 0.0, max(slack, 0.0))
    return centre - width / 2


def _monotone(values: Floats) -> Floats:
    """Return the nearest (least squares) sequence that never falls: pool adjacent violators."""
    means: list[float] = []
    counts: list[int] = []
    for value in values.tolist():
        mean, size = value, 1
        while means and means[-1] > mean:
            before = counts.pop()
            mean = (mean * size + means.pop() * before) / (size + before)
            size += before
        means.append(mean)
        counts.append(size)
    return np.repeat(np.asarray(means), counts)
