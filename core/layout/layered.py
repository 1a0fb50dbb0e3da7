"""The quick layout of the class graph: its condensation in layers, each component a box of its classes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from core.layout.components import place_components
from core.layout.packing import CELL_GAP_X, CELL_GAP_Y, PADDING, grid_columns, grid_size
from core.layout.placement import (
    NODE_HEIGHT,
    NODE_WIDTH,
    Edges,
    Floats,
    Ints,
    Placement,
    as_edges,
    condense,
)


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
    return fill_components(members, x, y, "layered")


def component_sizes(component_of: Ints) -> tuple[Floats, Floats]:
    """Return the width and height of each component's box."""
    sizes, kind = np.unique(np.bincount(component_of[component_of >= 0]), return_inverse=True)
    table = np.asarray([grid_size(max(int(size), 1)) for size in sizes]).reshape(-1, 2)[kind]
    return table[:, 0], table[:, 1]


def fill_components(component_of: Ints, x: Floats, y: Floats, engine: str) -> Placement:
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
    return Placement(node_x, node_y, there * NODE_WIDTH, there * NODE_HEIGHT, boxes, engine)
