"""Layers of an acyclic graph: who mentions stands above whom it mentions."""

from __future__ import annotations

import numpy as np

from core.layout.placement import Ints


def ranks(count: int, edges: Ints) -> Ints:
    """Return the layer of each of ``count`` nodes, 0 at the top; every edge goes to a greater layer.

    Longest paths from the top. Then a node with more edges down than up sinks to just above the first node that it
    mentions. That shortens edges. O(nodes + edges). Raises ValueError when the edges have a cycle.
    """
    below: list[list[int]] = [[] for _ in range(count)]
    waiting = [0] * count
    for source, target in edges.tolist():
        below[source].append(target)
        waiting[target] += 1
    above_count = list(waiting)
    rank = [0] * count
    order = [node for node in range(count) if not waiting[node]]
    for node in order:  # grows while it is read
        for target in below[node]:
            rank[target] = max(rank[target], rank[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                order.append(target)
    if len(order) != count:
        raise ValueError("the components' graph has a cycle: these are not its strong components")
    for node in reversed(order):
        if len(below[node]) > above_count[node]:
            rank[node] = min(rank[target] for target in below[node]) - 1
    # Sinking can leave layers empty: number the used ones.
    return np.unique(np.asarray(rank, dtype=np.int64), return_inverse=True)[1].astype(np.int64)


def weak_parts(count: int, edges: Ints) -> Ints:
    """Return the number of the weakly connected part of each node; parts are numbered by their first node."""
    parent = list(range(count))

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for source, target in edges.tolist():
        a, b = find(source), find(target)
        parent[max(a, b)] = min(a, b)
    roots = np.fromiter((find(node) for node in range(count)), dtype=np.int64, count=count)
    return np.unique(roots, return_inverse=True)[1].astype(np.int64)
