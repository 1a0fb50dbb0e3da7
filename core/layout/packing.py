"""Rectangles side by side: a component's classes in a grid, leftovers on shelves."""

from __future__ import annotations

import math

import numpy as np

from core.layout.placement import NODE_HEIGHT, NODE_WIDTH, Floats

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
