"""The order of a dependency structure matrix.

Each class stands before its users, cycles side by side. So the marks of ordinary dependencies lie below the diagonal,
and only cycles have some above it."""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import networkx as nx
import numpy as np

from core.layout.placement import Edges, Ints, as_edges, edges_between


@dataclass(frozen=True, slots=True, eq=False)
class MatrixOrder:
    """Rows need columns."""

    order: Ints
    """Node of each row."""
    cells: Ints
    """Shape (k, 3): row, column, number of edges; none on the diagonal."""
    groups: Ints
    """Shape (g, 2): first row and number of rows of each cycle."""


def matrix(count: int, edges: Edges, node_of: Ints) -> MatrixOrder:
    """Return the matrix of ``count`` nodes; an edge of the finer graph ``edges`` counts for the nodes of its ends.

    ``node_of`` -1 = in none. Within a cycle the order leaves few edges above the diagonal
    (Eades, Lin and Smyth, "A fast and effective heuristic for the feedback arc set problem",
    1993, with weights).
    """
    cells = edges_between(as_edges(edges), np.asarray(node_of, dtype=np.int64))
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_weighted_edges_from(cells.tolist())
    parts = [sorted(part) for part in nx.strongly_connected_components(graph)]
    number = {node: index for index, part in enumerate(parts) for node in part}
    condensed: nx.DiGraph[int] = nx.DiGraph()
    condensed.add_nodes_from(range(len(parts)))
    condensed.add_edges_from((number[b], number[a]) for a, b, _ in cells.tolist() if number[a] != number[b])
    order: list[int] = []
    groups: list[tuple[int, int]] = []
    for index in nx.lexicographical_topological_sort(condensed, key=lambda part: parts[part][0]):
        part = parts[index]
        if len(part) > 1:
            groups.append((len(order), len(part)))
            part = few_upward(part, graph)
        order += part
    row = np.zeros(count, dtype=np.int64)
    row[order] = np.arange(count)
    cells[:, :2] = row[cells[:, :2]]
    return MatrixOrder(np.asarray(order, dtype=np.int64), cells, np.asarray(groups, dtype=np.int64).reshape(-1, 2))


def few_upward(part: list[int], graph: nx.DiGraph[int]) -> list[int]:
    """Return the nodes in an order with few upward edges. Sinks come first and sources last; among the others the node
    with the largest excess of dependents over needs comes first."""
    inside = set(part)
    out = {node: {b: int(d["weight"]) for b, d in graph[node].items() if b in inside} for node in part}
    into: dict[int, dict[int, int]] = {node: {} for node in part}
    for a, targets in out.items():
        for b, weight in targets.items():
            into[b][a] = weight
    needs = {node: sum(out[node].values()) for node in part}
    needed = {node: sum(into[node].values()) for node in part}
    heap = [(needs[node] - needed[node], node) for node in part]
    heapq.heapify(heap)
    ends = [node for node in part if not needs[node] or not needed[node]]
    front: list[int] = []
    back: list[int] = []
    left = set(part)

    def take(node: int) -> None:
        left.discard(node)
        for ways, sums in ((into, needs), (out, needed)):
            for other, weight in ways[node].items():
                if other in left:
                    sums[other] -= weight
                    heapq.heappush(heap, (needs[other] - needed[other], other))
                    if not sums[other]:
                        ends.append(other)

    while left:
        while ends:
            node = ends.pop()
            if node in left:
                (back if needs[node] else front).append(node)
                take(node)
        while heap and left:
            score, node = heapq.heappop(heap)
            if node in left and score == needs[node] - needed[node]:
                front.append(node)
                take(node)
                break
    return front + back[::-1]
