"""Places for the components of a graph, given their sizes: the part that all own layouts share."""

from __future__ import annotations

import math

import numpy as np

from core.layout.layers import COLUMN_GAP, order_layers, place_rows, ranks, weak_parts
from core.layout.placement import NODE_HEIGHT, NODE_WIDTH, Floats, Ints, edges_among

ASPECT = 1.6
"""Width / height that the picture should have (16:10)."""
SIDE_GAP = 48.0


def place_components(edges: Ints, width: Floats, height: Floats) -> tuple[Floats, Floats]:
    """Return the upper left corners of components of these sizes; ``edges`` are acyclic.

    The largest connected part stands left in layers, all smaller parts beside it in layers of their own, nodes without
    edges on shelves at the right.
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
        inner = edges_among(edges, nodes, count)
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


CELL_GAP_X = 8.0
CELL_GAP_Y = 5.0
PADDING = 8.0


def grid_columns(count: int) -> int:
    """Return the columns of a box of ``count`` classes: 7 for 40, so that the box is about 3 to 4 times as wide as
    high.
    """
    return count if count <= 3 else math.ceil(math.sqrt(1.15 * count))


def grid_size(count: int) -> tuple[float, float]:
    """Return the width and height of a component of ``count`` classes; a single class has no box around it."""
    if count == 1:
        return NODE_WIDTH, NODE_HEIGHT
    columns = grid_columns(count)
    rows = math.ceil(count / columns)
    return (
        columns * (NODE_WIDTH + CELL_GAP_X) - CELL_GAP_X + 2 * PADDING,
        rows * (NODE_HEIGHT + CELL_GAP_Y) - CELL_GAP_Y + 2 * PADDING,
    )


def shelves(width: Floats, height: Floats, limit: float, gap: float) -> tuple[Floats, Floats]:
    """Return the upper left corners of rectangles on shelves at most ``limit`` wide, the tallest first."""
    x, y = np.zeros(len(width)), np.zeros(len(width))
    right = top = shelf = 0.0
    for node in np.lexsort((np.arange(len(width)), -height)).tolist():
        if right and right + width[node] > limit:
            top += shelf + gap
            right = shelf = 0.0
        x[node], y[node] = right, top
        right += width[node] + gap
        shelf = max(shelf, float(height[node]))
    return x, y


def shelf_limit(width: Floats, height: Floats, aspect: float, gap: float) -> float:
    """Return the shelf width for which the shelves come out near ``aspect`` (width / height)."""
    area = float(((width + gap) * (height + gap)).sum())
    return max(math.sqrt(area * aspect), float(width.max(initial=0.0)))
