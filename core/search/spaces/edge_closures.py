"""The space of closures under edges between items, as a lossy encoding defines them (GBR21, section 4.3)."""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from core.search.questions import Candidate
from core.sets import ItemSet

_ROWS = 1024
"""Number of closures that are weighed at once. See decisions/031-memory-of-a-search.md."""

Bits = NDArray[np.uint8]


class EdgeClosures:
    """The space with one element per distinct closure of an item, by rising bytes. A candidate keeps the union of
    its closures.

    ``edges`` has shape (m, 2), from the dependent to the dependency, over ``variables``, the first ``len(sizes)`` of
    which are items. ``required`` items are in every candidate. The closures are rows of bits: n items take up to n * n
    / 8 bytes.
    """

    def __init__(
        self, sizes: Sequence[int], variables: int, edges: NDArray[np.int32], required: Sequence[int] = ()
    ) -> None:
        self._tables = _byte_sums(np.asarray(sizes, dtype=np.int64))
        component, rows = _closures(len(sizes), variables, edges)
        self._required: Bits = np.zeros(rows.shape[1], dtype=np.uint8)
        for variable in required:
            self._required |= rows[component[variable]]
        distinct: dict[bytes, int] = {}
        for number in dict.fromkeys(component[: len(sizes)]):
            rows[number] |= self._required
            distinct.setdefault(rows[number].tobytes(), number)
        distinct.pop(self._required.tobytes(), None)
        self._rows = rows[list(distinct.values())]
        self._rows = self._rows[np.argsort(self._bytes(self._rows), kind="stable")]
        self.elements: Candidate = tuple(range(len(self._rows)))
        self._weighed: tuple[Candidate, NDArray[np.int64]] | None = None

    def items(self, candidate: Candidate) -> ItemSet:
        return int.from_bytes(self._union(candidate).tobytes(), "little")

    def admissible(self, candidate: Candidate) -> bool:
        return True

    def cost(self, candidate: Candidate) -> int:
        """Return the bytes that the candidate keeps. Candidates that differ in the last element only are weighed
        together.
        """
        if not candidate:
            return int(self._bytes(self._required[None, :])[0])
        if self._weighed is None or self._weighed[0] != candidate[:-1]:
            self._weighed = candidate[:-1], self._bytes(self._rows, self._union(candidate[:-1]))
        return int(self._weighed[1][candidate[-1]])

    def _union(self, candidate: Candidate) -> Bits:
        chosen: Bits = np.bitwise_or.reduce(self._rows[list(candidate)], axis=0, initial=0)
        return chosen | self._required

    def _bytes(self, rows: Bits, base: Bits | None = None) -> NDArray[np.int64]:
        """Return the summed sizes of the items of each row and of ``base``."""
        sums = np.zeros(len(rows), dtype=np.int64)
        places = np.arange(rows.shape[1])
        for start in range(0, len(rows), _ROWS):
            some = rows[start : start + _ROWS]
            sums[start : start + _ROWS] = self._tables[places, some if base is None else some | base].sum(axis=1)
        return sums


def _byte_sums(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a table of shape (bytes of a row, 256): the summed sizes of the items in each byte of a row, by its
    value.
    """
    width = (len(sizes) + 7) // 8
    padded = np.zeros(width * 8, dtype=np.int64)
    padded[: len(sizes)] = sizes
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.int64)
    return padded.reshape(width, 8) @ bits.T


def _closures(items: int, variables: int, edges: NDArray[np.int32]) -> tuple[list[int], Bits]:
    """Return the component of each variable, and the items that each component reaches, as rows of bits."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(variables))
    graph.add_edges_from(edges.tolist())
    component = [0] * variables
    # components come with those that they reach before them
    components = list(nx.strongly_connected_components(graph))
    for number, nodes in enumerate(components):
        for node in nodes:
            component[node] = number
    rows = np.zeros((len(components), (items + 7) // 8), dtype=np.uint8)
    for number, nodes in enumerate(components):
        row = rows[number]
        reached = {component[target] for node in nodes for target in graph.successors(node)} - {number}
        for target in reached:
            row |= rows[target]
        for node in nodes:
            if node < items:
                row[node >> 3] |= 1 << (node & 7)
    return component, rows
