"""Dominators among the blocks of a method."""

from __future__ import annotations

import networkx as nx

from core.code.blocks import Flow


class Dominators:
    """The tree of immediate dominators of the blocks that the start of a method reaches."""

    def __init__(self, flow: Flow) -> None:
        self._flow = flow
        blocks = flow.blocks
        graph = nx.DiGraph()
        graph.add_node(0)
        for number in flow.live:
            graph.add_edges_from((number, target) for target in (*flow.targets(number), *flow.handlers(number)))
        self._before = graph.pred
        self._above: dict[int, int] = {0: 0, **nx.immediate_dominators(graph, 0)}
        self._bytes: dict[int, int] = {number: blocks[number].stop - blocks[number].start for number in graph}
        for number in nx.dfs_postorder_nodes(graph, 0):  # what is dominated comes before its dominator
            if number:
                self._bytes[self._above[number]] += self._bytes[number]

    def below(self, number: int) -> int:
        """Return the bytes of the blocks that only this one leads to, without its own."""
        block = self._flow.blocks[number]
        return self._bytes[number] - (block.stop - block.start)

    def saved_without_edge(self, source: int, target: int) -> int:
        """Return the bytes that cannot be reached any more once control never goes from ``source`` to ``target``."""
        return self._saved({source}, target)

    def saved_without_row(self, row: int) -> int:
        """Return the bytes that cannot be reached any more without a row of the exception table."""
        flow = self._flow
        target = flow.guards[row].handler
        sources = {
            number
            for number in self._before[target]
            if row in flow.blocks[number].rows
            and target not in flow.targets(number)
            and not any(other != row and flow.guards[other].handler == target for other in flow.blocks[number].rows)
        }
        return self._saved(sources, target)

    def _saved(self, sources: set[int], target: int) -> int:
        if target == 0:
            return 0
        others = [number for number in self._before[target] if number not in sources]
        return 0 if any(not self._dominates(target, other) for other in others) else self._bytes[target]

    def _dominates(self, upper: int, lower: int) -> bool:
        while lower not in (upper, 0):
            lower = self._above[lower]
        return lower == upper
