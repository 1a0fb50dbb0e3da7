"""The force-directed view: classes that mention each other draw near, all others keep apart.

Pivot distances for a start (Brandes and Pich, "Eigensolver methods for progressive
multidimensional scaling of large data", GD 2006), then springs with sampled repulsion; at last
the boxes of the nodes are pushed apart. Ours, because Graphviz' ``sfdp`` keeps fewer neighbours
side by side and takes minutes (``tests/bench/results/libraries.md``).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.layout.layered import beside
from core.layout.layers import monotone, weak_parts
from core.layout.placement import (
    NODE_HEIGHT,
    NODE_WIDTH,
    Edges,
    Floats,
    Ints,
    Placement,
    as_edges,
    condense,
    steps_from,
)

PIVOTS = 24
SPRING_STEPS = 120
VISITS = 300_000
"""Nodes times steps of a loop, at most: many nodes get fewer steps, so that they are drawn within seconds."""
SAMPLES = 8
"""Nodes by which each node is pushed away in a step."""
PUSH, HOME = 0.6, 0.02
"""Strength of repulsion, and of the pull towards the middle that keeps the picture together."""
SMALL = 6
"""Parts of fewer nodes are drawn as a ring."""
GAP = 10.0
APART_STEPS = 150
_TAIL, _REACH = 0.01, 0.05
"""Share of the nodes at each side that are drawn in, and how far from the others they reach, as a share of the others'
room: a chain of seven classes would take nine tenths of the picture."""
WIDE = 1.6
"""Boxes are flat: the picture is stretched so, and each box keeps its neighbours as far away sideways as upright."""


def spring(count: int, edges: Edges, placed: Ints) -> Placement:
    """Return the layout of ``count`` nodes. ``placed`` are the numbers of the nodes that have a place, ascending.
    Deterministic."""
    parts = _parts(edges, placed, count)
    return _finish(count, placed, [(nodes, _springs(len(nodes), pairs)) for nodes, pairs in parts])


def stretched(placed: Placement, aspect: float) -> Placement:
    """Return the layout pulled apart sideways or upright until width / height is ``aspect``; boxes keep their sizes."""
    wide, high = np.maximum(placed.size, 1.0)
    by = aspect * high / wide
    return replace(placed, rects=placed.rects * (max(by, 1.0), max(1 / by, 1.0), 1.0, 1.0))


def _springs(count: int, pairs: Ints) -> Floats:
    """Return points of a connected graph, about one unit apart; those of a small graph lie on a ring."""
    if count < SMALL:
        angle = 2 * np.pi * np.arange(count) / count
        ring: Floats = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return ring
    where = _pivots(count, pairs)
    random = np.random.default_rng(1)
    source, target = pairs[:, 0], pairs[:, 1]
    degree = np.bincount(pairs.ravel(), minlength=count).astype(np.float64)
    nodes = np.repeat(np.arange(count), SAMPLES)
    steps = _steps(SPRING_STEPS, count)
    for step in range(steps):
        heat = 1 - step / steps
        way = where[target] - where[source]
        far = np.sqrt((way**2).sum(axis=1, keepdims=True))
        drawn = way * (np.log1p(far) / np.maximum(far, 1e-6))
        others = random.integers(0, count, len(nodes))
        away = where[nodes] - where[others]
        push = away * (degree[others] + 1)[:, None] * (PUSH / ((away**2).sum(axis=1) + 0.01))[:, None]
        move = np.empty_like(where)
        for axis in (0, 1):
            pulled = np.bincount(source, drawn[:, axis], count) - np.bincount(target, drawn[:, axis], count)
            pushed = np.bincount(nodes, push[:, axis], count) * (count / SAMPLES)
            # Hubs are pulled by many and push many: both are measured by their edges.
            move[:, axis] = pulled / (degree + 1) + pushed / count - HOME * where[:, axis]
        length = np.sqrt((move**2).sum(axis=1, keepdims=True))
        where += move * np.minimum(1.0, 0.12 * np.sqrt(count) * heat / np.maximum(length, 1e-9))
    return where


def _steps(most: int, nodes: int) -> int:
    """Return the steps of a loop over so many nodes."""
    return max(min(most, VISITS // max(nodes, 1)), 1)


def _parts(edges: Edges, placed: Ints, count: int) -> list[tuple[Ints, Ints]]:
    """Return the connected parts of two nodes or more, the largest first: nodes, and edges in their numbers within
    them."""
    pairs, joined = _joined(edges, placed, count)
    part = weak_parts(len(joined), pairs)
    by_part = np.argsort(part, kind="stable")
    bounds = np.concatenate([[0], np.cumsum(np.bincount(part))]) if len(part) else np.zeros(1, np.int64)
    edge_part = part[pairs[:, 0]] if len(pairs) else np.zeros(0, np.int64)
    edges_by_part = np.argsort(edge_part, kind="stable")
    edge_bounds = np.searchsorted(edge_part[edges_by_part], np.arange(len(bounds)))
    found = []
    for number in range(len(bounds) - 1):
        nodes = by_part[bounds[number] : bounds[number + 1]]
        inner = pairs[edges_by_part[edge_bounds[number] : edge_bounds[number + 1]]]
        found.append((joined[nodes], np.searchsorted(nodes, inner)))
    return sorted(found, key=lambda p: -len(p[0]))


def _joined(edges: Edges, placed: Ints, count: int) -> tuple[Ints, Ints]:
    """Return the edges without direction, each once, among the nodes that have any; and those nodes."""
    there = np.zeros(count, np.bool_)
    there[placed] = True
    pairs = np.sort(as_edges(edges), axis=1)
    pairs = pairs[there[pairs].all(axis=1)]
    pairs = condense(pairs, np.arange(count))
    joined = np.unique(pairs)
    return np.searchsorted(joined, pairs), joined


def _pivots(count: int, pairs: Ints) -> Floats:
    """Return a start by distances from some nodes: the two main axes of the doubly centred distances."""
    both = np.concatenate([pairs, pairs[:, ::-1]])
    nearest = np.full(count, np.inf)
    pivot = int(np.argmax(np.bincount(pairs.ravel(), minlength=count)))
    columns = []
    for _ in range(min(PIVOTS, count)):
        steps = steps_from(count, both, pivot).astype(np.float64)
        columns.append(steps)
        nearest = np.minimum(nearest, steps)
        pivot = int(np.argmax(nearest))
    square = np.asarray(columns).T ** 2
    centred = -0.5 * (square - square.mean(axis=0) - square.mean(axis=1, keepdims=True) + square.mean())
    _, axes = np.linalg.eigh(centred.T @ centred)
    where = centred @ axes[:, [-1, -2 if axes.shape[1] > 1 else -1]]
    spread = where.std(axis=0)
    where = where / np.where(spread > 1e-9, spread, 1.0) * (1.2 * np.sqrt(count))
    # Twins would lie on one spot, where nothing could part them.
    return np.asarray(where + np.random.default_rng(2).normal(0, 0.5, where.shape))


def _finish(count: int, placed: Ints, parts: list[tuple[Ints, Floats]]) -> Placement:
    """Return sizes and corners: each part is scaled to the boxes and pushed apart; small parts and lonely nodes lie
    beside.
    """
    node = (NODE_WIDTH, NODE_HEIGHT)
    rects = np.zeros((count, 4))
    rects[placed, 2:] = node
    alone = np.setdiff1d(placed, np.concatenate([nodes for nodes, _ in parts])) if parts else placed
    blocks = []
    for nodes, where in parts:
        points = _apart(_scaled(where), NODE_WIDTH + GAP, NODE_HEIGHT + GAP)
        points -= points.min(axis=0)
        rects[nodes, :2] = points
        blocks.append(points.max(axis=0) + node)
    right, bottom = blocks[0].tolist() if blocks else (0.0, 0.0)
    corners = beside(np.asarray([*blocks[1:], *[node] * len(alone)], np.float64).reshape(-1, 2), right, bottom)
    for (nodes, _), corner in zip(parts[1:], corners, strict=False):
        rects[nodes, :2] += corner
    rects[alone, :2] = corners[len(corners) - len(alone) :]
    return Placement(rects, np.zeros((0, 5)))


def _scaled(where: Floats) -> Floats:
    """Return the points scaled so that the boxes cover a third (few) to a sixth (many) of the picture."""
    thin = float(np.clip(2.5 + len(where) / 250, 2.5, 6.0))
    where = where - where.mean(axis=0)
    low, high = np.quantile(where, (_TAIL, 1 - _TAIL), axis=0)
    where = np.clip(where, low - _REACH * (high - low), high + _REACH * (high - low))
    spread = np.sqrt((where**2).sum(axis=1).mean()) or 1.0
    area = len(where) * (NODE_WIDTH + GAP) * (NODE_HEIGHT + GAP)
    scaled: Floats = where / spread * np.sqrt(thin * area / 2 / np.pi / WIDE)
    scaled[:, 0] *= WIDE
    return scaled


def _apart(points: Floats, wide: float, high: float) -> Floats:
    """Move overlapping boxes of ``wide`` x ``high`` apart, each pair along its shorter way. With too many boxes for so
    many steps, the remaining ones overlap by their gaps at most, or all go to rows."""
    size = np.asarray([wide, high])
    for _ in range(_steps(APART_STEPS, len(points))):
        first, second = _near(np.floor(points / size).astype(np.int64))
        way = points[second] - points[first]
        overlap = size - np.abs(way)
        clash = (overlap > 1e-3).all(axis=1)
        if not clash.any():
            break
        first, second, way, overlap = first[clash], second[clash], way[clash], overlap[clash]
        axis = (overlap[:, 1] / high < overlap[:, 0] / wide).astype(np.int64)
        rows = np.arange(len(axis))
        side = np.where(way[rows, axis] >= 0, 1.0, -1.0)
        step = side * (overlap[rows, axis] / 2 + 0.01)
        for which in (0, 1):
            mine = axis == which
            points[:, which] -= np.bincount(first[mine], step[mine], len(points)) * 0.7
            points[:, which] += np.bincount(second[mine], step[mine], len(points)) * 0.7
    return _in_rows(points, wide, high) if _overlapping(points, size - GAP) else points


def _overlapping(points: Floats, size: Floats) -> bool:
    first, second = _near(np.floor(points / size).astype(np.int64))
    return bool((np.abs(points[second] - points[first]) < size - 1e-3).all(axis=1).any())


def _in_rows(points: Floats, wide: float, high: float) -> Floats:
    """Move boxes of ``wide`` x ``high`` to the nearest row, and within the row as little as parts them."""
    rows = np.rint(points[:, 1] / high)
    points[:, 1] = rows * high
    order = np.lexsort((points[:, 0], rows))
    for row in np.split(order, np.flatnonzero(np.diff(rows[order])) + 1):
        places = wide * np.arange(len(row))
        points[row, 0] = monotone(points[row, 0] - places) + places
    return points


def _near(cells: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of points in the same cell or in neighbouring cells, each pair once."""
    cells = cells - cells.min(axis=0) + 1
    stride = int(cells[:, 1].max()) + 2
    keys = cells[:, 0] * stride + cells[:, 1]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    firsts, seconds = [], []
    for offset in (0, 1, stride - 1, stride, stride + 1):
        low = np.searchsorted(ordered, keys + offset, "left")
        high = np.searchsorted(ordered, keys + offset, "right")
        number = high - low
        first = np.repeat(np.arange(len(keys)), number)
        within = np.arange(len(first)) - np.repeat(np.cumsum(number) - number, number)
        second = order[np.repeat(low, number) + within]
        keep = first < second if offset == 0 else np.ones(len(first), np.bool_)
        firsts.append(first[keep])
        seconds.append(second[keep])
    return np.concatenate(firsts), np.concatenate(seconds)
