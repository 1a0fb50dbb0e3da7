"""The class graph in layers: its condensation, each component a box of its classes.

The first part places boxes of given sizes: all layouts share it. Ours, because Graphviz' ``dot`` breaks no long layer
into rows: its pictures are half as large on a screen (``tests/bench/results/libraries.md``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.layout.layers import COLUMN_GAP, order_layers, place_rows, ranks, weak_parts
from core.layout.placement import (
    NODE_HEIGHT,
    NODE_WIDTH,
    Edges,
    Floats,
    Ints,
    Placement,
    as_edges,
    condense,
    edges_among,
)

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


def layered(count: int, edges: Edges, component_of: Sequence[int] | npt.NDArray[np.integer]) -> Placement:
    """Place ``count`` nodes; deterministic, without overlaps, edges between components point down.

    ``component_of`` numbers the strongly connected components from 0; nodes of
    component -1 (resources) get no place: width and height 0.
    Raises ValueError when the components are not the graph's strong components.
    """
    members = np.asarray(component_of, dtype=np.int64)
    if len(members) != count:
        raise ValueError(f"component_of has {len(members)} entries for {count} nodes")
    width, height = component_sizes(members)
    x, y = place_components(condense(as_edges(edges), members), width, height)
    return fill_components(members, x, y)


def component_sizes(component_of: Ints) -> tuple[Floats, Floats]:
    """Return the width and height of each component's box."""
    sizes, kind = np.unique(np.bincount(component_of[component_of >= 0]), return_inverse=True)
    table = np.asarray([grid_size(max(int(size), 1)) for size in sizes]).reshape(-1, 2)[kind]
    return table[:, 0], table[:, 1]


def fill_components(component_of: Ints, x: Floats, y: Floats) -> Placement:
    """Put the nodes into their components' boxes, whose corners are ``x``, ``y``."""
    count = len(component_of)
    placed = np.flatnonzero(component_of >= 0)
    component = component_of[placed]
    sizes = np.bincount(component, minlength=len(x))
    by_component = np.argsort(component, kind="stable")
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
    position = np.empty(len(placed), dtype=np.int64)
    position[by_component] = np.arange(len(placed)) - starts[component[by_component]]

    kinds, kind = np.unique(sizes, return_inverse=True)
    columns = np.asarray([grid_columns(max(int(size), 1)) for size in kinds], dtype=np.int64)[kind]
    column, row = position % columns[component], position // columns[component]
    inset = np.where(sizes[component] > 1, PADDING, 0.0)
    node_x, node_y = np.zeros(count), np.zeros(count)
    node_x[placed] = x[component] + inset + column * (NODE_WIDTH + CELL_GAP_X)
    node_y[placed] = y[component] + inset + row * (NODE_HEIGHT + CELL_GAP_Y)
    there = (component_of >= 0).astype(np.float64)

    boxed = np.flatnonzero(sizes > 1)
    box_width, box_height = component_sizes(component_of)
    boxes = np.stack([x[boxed], y[boxed], box_width[boxed], box_height[boxed], boxed.astype(float)], axis=1)
    return Placement(node_x, node_y, there * NODE_WIDTH, there * NODE_HEIGHT, boxes)
