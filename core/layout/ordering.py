"""The order of the nodes within each layer, by barycentre sweeps."""

from __future__ import annotations

import numpy as np

from core.layout.placement import Floats, Ints

SWEEPS = 12
LAYER_VISITS = 3000
"""Sweeps times layers at most: a graph of very many layers gets fewer sweeps (at least two)."""


def order_layers(rank: Ints, edges: Ints, width: Floats, group: Ints) -> list[Ints]:
    """Return the nodes of each layer from left to right.

    A node moves to the mean of its neighbours above (sweep down), then below (sweep up).
    ``width`` are the nodes' widths. Nodes of a smaller ``group`` stand left of the others.
    """
    count = len(rank)
    layers = int(rank.max(initial=-1)) + 1
    by_rank = np.lexsort((np.arange(count), group, rank))
    bounds = np.searchsorted(rank[by_rank], np.arange(layers + 1))
    order = [by_rank[bounds[i] : bounds[i + 1]] for i in range(layers)]
    place = np.zeros(count)
    for nodes in order:
        place[nodes] = _centres(width[nodes])

    into = _Neighbours(order, rank, edges[:, 1], edges[:, 0])
    out = _Neighbours(order, rank, edges[:, 0], edges[:, 1])
    for _ in range(max(2, min(SWEEPS, LAYER_VISITS // max(layers, 1)))):
        for neighbours, sequence in ((into, range(1, layers)), (out, range(layers - 2, -1, -1))):
            for layer in sequence:
                if len(order[layer]) < 2:
                    continue
                wish = neighbours.mean(layer, place)
                base = neighbours.nodes[layer]
                kept = base[np.lexsort((place[base], wish, group[base]))]
                place[kept] = _centres(width[kept])
                order[layer] = kept
    return order


def _centres(width: Floats) -> Floats:
    """Return the centres of rectangles side by side, the whole row centred at 0."""
    right = width.cumsum()
    right -= width / 2 + right[-1] / 2
    return right


class _Neighbours:
    """For each layer, the edges that lead to neighbours on one side."""

    def __init__(self, layers: list[Ints], rank: Ints, own: Ints, other: Ints) -> None:
        local = np.zeros(len(rank), dtype=np.int64)
        for nodes in layers:
            local[nodes] = np.arange(len(nodes))
        by_layer = np.argsort(rank[own], kind="stable")
        bounds = np.searchsorted(rank[own][by_layer], np.arange(len(layers) + 1))
        self._own = [local[own[by_layer[bounds[i] : bounds[i + 1]]]] for i in range(len(layers))]
        self._other = [other[by_layer[bounds[i] : bounds[i + 1]]] for i in range(len(layers))]
        self._degree = [np.bincount(own, minlength=len(n)) for own, n in zip(self._own, layers, strict=True)]
        self.nodes = list(layers)

    def mean(self, layer: int, place: Floats) -> Floats:
        """Return the mean place of each node's neighbours; a node without any wishes to stay where it is."""
        degree = self._degree[layer]
        total = np.bincount(self._own[layer], weights=place[self._other[layer]], minlength=len(degree))
        return np.where(degree > 0, total / np.maximum(degree, 1), place[self.nodes[layer]])
