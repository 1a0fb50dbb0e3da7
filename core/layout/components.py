"""Places for the components of a graph, given their sizes: the part that all own layouts share."""

from __future__ import annotations

import numpy as np

from core.layout.ordering import order_layers
from core.layout.packing import shelf_limit, shelves
from core.layout.placement import Floats, Ints
from core.layout.ranks import ranks, weak_parts
from core.layout.rows import COLUMN_GAP, place_rows

ASPECT = 1.6
"""Width / height that the picture should have (16:10)."""
SIDE_GAP = 48.0


def place_components(edges: Ints, width: Floats, height: Floats) -> tuple[Floats, Floats]:
    """Return the upper left corners of components of these sizes; ``edges`` are acyclic.

    The largest connected part stands left in layers, all smaller parts beside it in
    layers of their own, what has no edge at all on shelves at the right.
    """
    count = len(width)
    x, y = np.zeros(count), np.zeros(count)
    if not count:
        return x, y
    part = weak_parts(count, edges)
    sizes = np.bincount(part)
    alone = sizes[part] == 1
    main = ~alone & (part == int(np.argmax(sizes)))
    others = ~alone & ~main

    area = (width + COLUMN_GAP) * (height + COLUMN_GAP)
    tallest = 0.0
    left = 0.0
    for chosen in (main, others):
        nodes = np.flatnonzero(chosen)
        if not len(nodes):
            continue
        share = float(area[nodes].sum() / area.sum())
        inner = _renumber(edges, nodes, count)
        layers = order_layers(ranks(len(nodes), inner), inner, width[nodes], part[nodes])
        placed = place_rows(layers, inner, width[nodes], height[nodes], max(ASPECT * share, 0.3))
        x[nodes] = left + placed.x
        y[nodes] = placed.y
        left += placed.width + SIDE_GAP
        tallest = max(tallest, placed.height)
    nodes = np.flatnonzero(alone)
    x[nodes], y[nodes] = beside(width[nodes], height[nodes], left - SIDE_GAP, tallest)
    return x, y


def beside(width: Floats, height: Floats, right: float, bottom: float) -> tuple[Floats, Floats]:
    """Return corners of rectangles on shelves to the right of a picture that ends at ``right``, ``bottom``."""
    if not len(width):
        return np.zeros(0), np.zeros(0)
    limit = shelf_limit(width, height, ASPECT, COLUMN_GAP)
    left = 0.0
    if bottom > 0:
        # As high as the picture, and not wider than needed for that.
        needed = float(((width + COLUMN_GAP) * (height + COLUMN_GAP)).sum()) / bottom
        limit = max(min(limit, needed), float(width.max()))
        left = right + SIDE_GAP
    x, y = shelves(width, height, limit, COLUMN_GAP)
    return left + x, y


def _renumber(edges: Ints, nodes: Ints, count: int) -> Ints:
    """Return the edges among ``nodes``, in their numbers within ``nodes``."""
    number = np.full(count, -1, dtype=np.int64)
    number[nodes] = np.arange(len(nodes))
    inner = number[edges]
    return inner[inner[:, 0] >= 0]
