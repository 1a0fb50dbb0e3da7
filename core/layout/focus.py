"""The neighbourhood of a class: its users above, the classes that it needs below, one layer for each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.layout.layers import order_layers, place_rows
from core.layout.placement import Edges, Floats, Ints, as_edges, edges_among, steps_from

MOST = 240
"""Classes that one picture shows at most."""
WIDTH, HEIGHT = 140.0, 21.0
ASPECT = 1.7


@dataclass(frozen=True, slots=True, eq=False)
class Focus:
    """Part of a graph, placed."""

    items: Ints
    rects: Floats
    """Shape (n, 4): x, y, width, height of each of ``items``."""
    levels: Ints
    """Steps from the centre: positive for classes that it needs, negative for its users."""
    left_out: int
    """Classes in reach for which there was no room."""


def focus(count: int, edges: Edges, centre: int, depth: int, needs: bool = True, needed_by: bool = True) -> Focus:
    """Place ``centre`` among ``count`` nodes with all nodes that are at most ``depth`` steps away.

    A class on both sides stands on the nearer one, or below if both are equally near. If there is not room for all, the
    farthest layers keep the classes with most edges to the shown ones.
    """
    pairs = as_edges(edges)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    far = depth + 1
    down, up = (
        steps_from(count, ways, centre, depth) if wanted else np.full(count, -1)
        for ways, wanted in ((pairs, needs), (pairs[:, ::-1], needed_by))
    )
    down, up = np.where(down < 0, far, down), np.where(up < 0, far, up)
    level = np.where(down <= up, down, -up)
    level[centre] = 0
    distance = np.minimum(down, up)
    distance[centre] = 0
    kept = distance == 0
    left_out = 0
    for step in range(1, depth + 1):
        ring = np.flatnonzero(distance == step)
        room = MOST - int(kept.sum())
        if len(ring) > room:
            inner = np.bincount(pairs[kept[pairs[:, 1]], 0], minlength=count)
            inner += np.bincount(pairs[kept[pairs[:, 0]], 1], minlength=count)
            ring_kept = ring[np.lexsort((ring, -inner[ring]))][:room]
            left_out += len(ring) - len(ring_kept)
            ring = ring_kept
        kept[ring] = True
    items = np.flatnonzero(kept)
    return _placed(items, level[items], edges_among(pairs, items, count), left_out)


def chain(count: int, edges: Edges, items: Sequence[int]) -> Focus:
    """Place a path: each of ``items`` a layer below the one before it."""
    nodes = np.asarray(list(dict.fromkeys(items)), dtype=np.int64)
    inner = edges_among(as_edges(edges), nodes, count)
    return _placed(nodes, np.arange(len(nodes)), inner[inner[:, 0] != inner[:, 1]], 0)


def _placed(items: Ints, level: Ints, inner: Ints, left_out: int) -> Focus:
    rank = np.unique(level, return_inverse=True)[1].astype(np.int64)
    width, height = np.full(len(items), WIDTH), np.full(len(items), HEIGHT)
    layers = order_layers(rank, inner, width, np.zeros(len(items), dtype=np.int64))
    rows = place_rows(layers, inner, width, height, ASPECT)
    return Focus(items, np.stack([rows.x, rows.y, width, height], axis=1), level, left_out)
