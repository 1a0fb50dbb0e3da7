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


def place_components(edges: Ints, sizes: Floats) -> Floats:
    """Return the upper left corners of components of these sizes, both of shape (n, 2); ``edges`` are acyclic.

    The largest connected part stands left in layers, all smaller parts beside it in layers of their own, nodes without
    edges on shelves at the right.
    """
    corners = np.zeros_like(sizes)
    if not len(sizes):
        return corners
    part = weak_parts(len(sizes), edges)
    counts = np.bincount(part)
    alone = counts[part] == 1
    main = ~alone & (part == int(np.argmax(counts)))

    area = (sizes + COLUMN_GAP).prod(axis=1)
    tallest = left = 0.0
    for chosen in (main, ~alone & ~main):
        nodes = np.flatnonzero(chosen)
        if not len(nodes):
            continue
        share = float(area[nodes].sum() / area.sum())
        inner = edges_among(edges, nodes, len(sizes))
        layers = order_layers(ranks(len(nodes), inner), inner, sizes[nodes, 0], part[nodes])
        placed = place_rows(layers, inner, sizes[nodes], max(ASPECT * share, 0.3))
        corners[nodes] = placed.corners + np.asarray([left, 0.0])
        left += placed.width + SIDE_GAP
        tallest = max(tallest, placed.height)
    corners[alone] = beside(sizes[alone], left - SIDE_GAP, tallest)
    return corners


def beside(sizes: Floats, right: float, bottom: float) -> Floats:
    """Return corners of rectangles on shelves to the right of a picture that ends at ``right``, ``bottom``."""
    limit = shelf_limit(sizes, ASPECT, COLUMN_GAP)
    left = 0.0
    if bottom > 0:
        # As high as the picture, and not wider than needed for that.
        needed = float((sizes + COLUMN_GAP).prod(axis=1).sum()) / bottom
        limit = max(min(limit, needed), float(sizes[:, 0].max(initial=0.0)))
        left = right + SIDE_GAP
    corners = shelves(sizes, limit, COLUMN_GAP)
    corners[:, 0] += left
    return corners


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


def shelves(sizes: Floats, limit: float, gap: float) -> Floats:
    """Return the upper left corners of rectangles on shelves at most ``limit`` wide, the tallest first."""
    corners = np.zeros_like(sizes)
    right = top = shelf = 0.0
    for node in np.argsort(-sizes[:, 1], kind="stable").tolist():
        width, height = sizes[node].tolist()
        if right and right + width > limit:
            top += shelf + gap
            right = shelf = 0.0
        corners[node] = right, top
        right += width + gap
        shelf = max(shelf, height)
    return corners


def shelf_limit(sizes: Floats, aspect: float, gap: float) -> float:
    """Return the shelf width for which the shelves come out near ``aspect`` (width / height)."""
    area = float((sizes + gap).prod(axis=1).sum())
    return max(math.sqrt(area * aspect), float(sizes[:, 0].max(initial=0.0)))


def layered(count: int, edges: Edges, component_of: Sequence[int] | npt.NDArray[np.integer]) -> Placement:
    """Place ``count`` nodes; deterministic, without overlaps, edges between components point down.

    ``component_of`` numbers the strongly connected components from 0; nodes of
    component -1 (resources) get no place: width and height 0.
    Raises ValueError when the components are not the graph's strong components.
    """
    members = np.asarray(component_of, dtype=np.int64)
    if len(members) != count:
        raise ValueError(f"component_of has {len(members)} entries for {count} nodes")
    return fill_components(members, place_components(condense(as_edges(edges), members), component_sizes(members)))


def component_sizes(component_of: Ints) -> Floats:
    """Return the width and height of each component's box."""
    counts, kind = np.unique(np.bincount(component_of[component_of >= 0]), return_inverse=True)
    return np.asarray([grid_size(max(int(count), 1)) for count in counts], np.float64).reshape(-1, 2)[kind]


def fill_components(component_of: Ints, corners: Floats) -> Placement:
    """Put the nodes into their components' boxes, which have these upper left corners."""
    placed = np.flatnonzero(component_of >= 0)
    component = component_of[placed]
    counts = np.bincount(component, minlength=len(corners))
    by_component = np.argsort(component, kind="stable")
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    position = np.empty(len(placed), dtype=np.int64)
    position[by_component] = np.arange(len(placed)) - starts[component[by_component]]

    kinds, kind = np.unique(counts, return_inverse=True)
    columns = np.asarray([grid_columns(max(int(count), 1)) for count in kinds], dtype=np.int64)[kind][component]
    cells = np.stack([position % columns, position // columns], axis=1)
    inset = np.where(counts[component] > 1, PADDING, 0.0)[:, None]
    rects = np.zeros((len(component_of), 4))
    rects[placed, :2] = corners[component] + inset + cells * (NODE_WIDTH + CELL_GAP_X, NODE_HEIGHT + CELL_GAP_Y)
    rects[placed, 2:] = NODE_WIDTH, NODE_HEIGHT
    boxed = np.flatnonzero(counts > 1)
    return Placement(rects, np.column_stack([corners[boxed], component_sizes(component_of)[boxed], boxed]))
