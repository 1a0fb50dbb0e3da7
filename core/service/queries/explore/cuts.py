"""The edges that open a cycle: a feedback arc set of little weight.

Up to :data:`EXACT_MOST` nodes the lightest set is found, by Held and Karp's dynamic programming over the sets of nodes
at the front of an order. Larger cycles get the order of :mod:`core.layout.matrix` (Eades, Lin and Smyth). Then single
nodes are moved as long as the set becomes lighter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from core.layout.matrix import few_upward

EXACT_MOST = 14
"""Number of nodes up to which the lightest set is found: the work doubles with each node."""
MOVED_MOST = 400
"""Number of nodes up to which single nodes are moved."""

Edge = tuple[int, int, int]
"""From, to, weight."""


@dataclass(frozen=True, slots=True)
class Cycle:
    """A strongly connected component of two nodes or more, and edges without which it has no cycle."""

    nodes: tuple[int, ...]
    edges: tuple[Edge, ...]
    """All edges within it, the heaviest first."""
    cuts: tuple[Edge, ...]
    """The lightest first."""
    exact: bool
    """True if no lighter cuts exist."""


def cycles(count: int, edges: Sequence[Edge]) -> list[Cycle]:
    """Return the cycles of a graph of ``count`` nodes, the largest first, then by their first nodes."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from((a, b, weight) for a, b, weight in edges if a != b)
    parts = [sorted(part) for part in nx.strongly_connected_components(graph) if len(part) > 1]
    found = [_cycle(part, graph) for part in parts]
    return sorted(found, key=lambda one: (-len(one.nodes), one.nodes))


def _cycle(part: list[int], graph: nx.DiGraph[int]) -> Cycle:
    inside = [(a, b, int(data["weight"])) for a, b, data in graph.subgraph(part).edges(data=True)]
    exact = len(part) <= EXACT_MOST
    order = _lightest(part, inside) if exact else _better(few_upward(part, graph), inside)
    place = {node: at for at, node in enumerate(order)}
    cuts = [edge for edge in inside if place[edge[1]] > place[edge[0]]]
    by_weight = sorted(inside, key=lambda edge: (-edge[2], edge[:2]))
    return Cycle(tuple(part), tuple(by_weight), tuple(sorted(cuts, key=lambda e: (e[2], e[:2]))), exact)


def _weights(part: Sequence[int], edges: Sequence[Edge]) -> np.ndarray:
    """Return the weight of each edge in a square table, with one for the edge itself: of two sets of equal weight that
    with fewer edges is lighter."""
    place = {node: at for at, node in enumerate(part)}
    table = np.zeros((len(part), len(part)), np.int64)
    for a, b, weight in edges:
        table[place[a], place[b]] = weight * (len(edges) + 1) + 1
    return table


def _lightest(part: list[int], edges: Sequence[Edge]) -> list[int]:
    """Return the order with the least weight of the edges to later nodes: needed nodes stand first."""
    size = len(part)
    table = _weights(part, edges)
    to_set = np.zeros((size, 1 << size), np.int64)
    """Weight of the edges of a node to a set of nodes."""
    for node in range(size):
        for other in range(size):
            half = 1 << other
            to_set[node, half : 2 * half] = to_set[node, :half] + table[node, other]
    everything = (1 << size) - 1
    best = np.full(1 << size, np.iinfo(np.int64).max)
    best[0] = 0
    last = np.zeros(1 << size, np.int8)
    for subset in range(1, 1 << size):
        for node in range(size):
            bit = 1 << node
            if subset & bit:
                cost = best[subset ^ bit] + to_set[node, everything ^ subset]
                if cost < best[subset]:
                    best[subset], last[subset] = cost, node
    order: list[int] = []
    subset = everything
    while subset:
        order.append(part[last[subset]])
        subset ^= 1 << int(last[subset])
    return order[::-1]


def _better(order: list[int], edges: Sequence[Edge]) -> list[int]:
    """Return the order after moves of single nodes to where fewest weight points to later nodes."""
    if len(order) > MOVED_MOST:
        return order
    table = _weights(order, edges)
    row = np.arange(len(order))
    for _ in range(len(order)):
        moved = False
        for node in range(len(order)):
            at = int(np.flatnonzero(row == node)[0])
            rest = np.delete(row, at)
            # At place k, the edges from the node to later ones count, and the edges from earlier ones to the node.
            ahead = np.concatenate([[0], np.cumsum(table[rest, node])])
            behind = np.concatenate([np.cumsum(table[node, rest][::-1])[::-1], [0]])
            cost = ahead + behind
            best = int(np.argmin(cost))
            if cost[best] < cost[at]:
                row, moved = np.insert(rest, best, node), True
        if not moved:
            break
    return [order[node] for node in row.tolist()]
