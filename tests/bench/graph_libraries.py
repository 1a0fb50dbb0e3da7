"""Our dominators and condensation beside those of networkx.

``python -m tests.bench.graph_libraries`` prints CPU time per graph, the best of five rounds, on random graphs from a
fixed seed: flow graphs of 5 to 1,000 blocks, and class graphs with components of three.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import networkx as nx
import numpy as np

from core.layout.placement import condense
from core.rewrite.bodies.dominators import Dominators


class _Tree(Dominators):
    """The tree of a bare graph."""

    def __init__(self, following: list[list[int]]) -> None:
        self._next = following
        order = self._postorder()
        self._rank = {number: rank for rank, number in enumerate(order)}
        self._before = {number: [] for number in order}
        for number in order:
            for target in following[number]:
                self._before[target].append(number)
        self.above = self._immediate(order[::-1])


def _by_networkx(following: list[list[int]]) -> dict[int, int]:
    graph = nx.DiGraph()
    graph.add_node(0)
    graph.add_edges_from((source, target) for source, row in enumerate(following) for target in row)
    return dict(nx.immediate_dominators(graph, 0))


def _flow(rng: random.Random, blocks: int) -> list[list[int]]:
    """Each block goes on to the next one, and two in five jump somewhere else too."""
    return [
        list(
            dict.fromkeys(
                [*range(block + 1, min(block + 2, blocks)), *([rng.randrange(blocks)] * (rng.random() < 0.4))]
            )
        )
        for block in range(blocks)
    ]


def _best(work: Callable[[], object]) -> float:
    def once() -> float:
        start = time.process_time()
        work()
        return time.process_time() - start

    return min(once() for _ in range(5))


def main() -> None:
    """Prints the table."""
    rng = random.Random(1)
    print("| graph | ours, ms | networkx, ms |\n|---|---:|---:|")
    for blocks in (5, 20, 100, 1000):
        graphs = [_flow(rng, blocks) for _ in range(2000 // blocks)]
        for graph in graphs:
            ours, theirs = _Tree(graph).above, _by_networkx(graph)
            assert all(ours[number] == theirs[number] for number in ours if number), "the trees differ"
        ours_ms = _best(lambda some=graphs: [_Tree(graph) for graph in some]) * 1000 / len(graphs)
        theirs_ms = _best(lambda some=graphs: [_by_networkx(graph) for graph in some]) * 1000 / len(graphs)
        print(f"| dominators, {blocks} blocks | {ours_ms:.3f} | {theirs_ms:.3f} |")
    for nodes in (1000, 10000):
        edges = np.array([(rng.randrange(nodes), rng.randrange(nodes)) for _ in range(6 * nodes)])
        component = np.arange(nodes) // 3
        parts = [set(range(start, min(start + 3, nodes))) for start in range(0, nodes, 3)]

        def condensed(count: int = nodes, rows: np.ndarray = edges, parts: list[set[int]] = parts) -> object:
            graph = nx.DiGraph()
            graph.add_nodes_from(range(count))
            graph.add_edges_from(rows.tolist())
            return nx.condensation(graph, parts)

        ours_ms = _best(lambda rows=edges, of=component: condense(rows, of)) * 1000
        print(f"| condensation, {nodes} classes | {ours_ms:.1f} | {_best(condensed) * 1000:.1f} |")


if __name__ == "__main__":
    main()
