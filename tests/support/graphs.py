"""Graphs of tests."""

from __future__ import annotations

import networkx as nx


def components(count: int, edges: list[tuple[int, int]]) -> list[int]:
    """The strongly connected component of each node, numbered by their first nodes."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges)
    result = [0] * count
    for number, part in enumerate(sorted(map(sorted, nx.strongly_connected_components(graph)))):
        for node in part:
            result[node] = number
    return result
