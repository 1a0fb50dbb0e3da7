"""Layers of an acyclic graph: the layer of each node, the order within each layer, the places of wrapped layers;
and the neighbourhood of a class: its users above, the classes that it needs below, one layer for each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from core.layout.placement import Edges, Floats, Ints, as_edges, edges_among, steps_from

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


def ranks(count: int, edges: Ints) -> Ints:
    """Return the layer of each of ``count`` nodes, 0 at the top; every edge goes to a greater layer.

    Longest paths from the top. Then a node with more edges down than up sinks to just above the first node that it
    mentions. That shortens edges. O(nodes + edges). Raises ValueError when the edges have a cycle.
    """
    graph: nx.DiGraph[int] = nx.empty_graph(count, create_using=nx.DiGraph)
    graph.add_edges_from(edges.tolist())
    try:
        generations = list(nx.topological_generations(graph))
    except nx.NetworkXUnfeasible as error:
        raise ValueError("the components' graph has a cycle: these are not its strong components") from error
    rank = np.empty(count, dtype=np.int64)
    for level, nodes in enumerate(generations):
        rank[nodes] = level
    for node in (node for nodes in reversed(generations) for node in nodes):
        if graph.out_degree[node] > graph.in_degree[node]:
            rank[node] = min(rank[target] for target in graph[node]) - 1
    # Sinking can leave layers empty: number the used ones.
    return np.unique(rank, return_inverse=True)[1].astype(np.int64)


def weak_parts(count: int, edges: Ints) -> Ints:
    """Return the number of the weakly connected part of each node; parts are numbered by their first node."""
    graph: nx.Graph[int] = nx.empty_graph(count)
    graph.add_edges_from(edges.tolist())
    part = np.empty(count, dtype=np.int64)
    for number, nodes in enumerate(nx.connected_components(graph)):
        part[list(nodes)] = number
    return part


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
    """Places of rectangles: upper left corners, of shape (n, 2), and the size of the whole."""

    corners: Floats
    width: float
    height: float


def place_rows(layers: list[Ints], edges: Ints, sizes: Floats, aspect: float) -> Rows:
    """Place the nodes of ``layers`` (top to bottom, left to right), the whole near ``aspect`` (width / height).

    Rectangles do not overlap, and a layer lies whole above the next.
    """
    width, height = sizes.T
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
    return Rows(np.stack([x, y], axis=1), full, max(top - ROW_GAP, 0.0))


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
            shift = monotone((wish[row] + centre[row]) / 2 - offset) if slack > 1e-6 else np.zeros(len(row))
            centre[row] = offset + np.clip(shift, 0.0, max(slack, 0.0))
    return centre - width / 2


def monotone(values: Floats) -> Floats:
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
    sizes = np.full((len(items), 2), (WIDTH, HEIGHT))
    layers = order_layers(rank, inner, sizes[:, 0], np.zeros(len(items), dtype=np.int64))
    corners = place_rows(layers, inner, sizes, ASPECT).corners
    return Focus(items, np.concatenate([corners, sizes], axis=1), level, left_out)
