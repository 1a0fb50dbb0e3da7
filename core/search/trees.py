"""The input as a tree, and the space in which nodes are elements.

jar > package > class > member > code. A node holds an item, or only groups others (the jar, a package). Candidates are
the numbers of the kept nodes, in ascending order.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, Minimiser, Test, translated
from core.search.spaces import Space
from core.sets import ItemSet, mask_of, total

Present = Callable[[Candidate], Candidate]
"""Function returning the existing nodes of an interesting candidate, without nodes that the logic dropped too.
"""


@dataclass(frozen=True)
class Tree:
    """A tree of nodes, numbered depth first from the root, node 0: each subtree is a range of numbers.

    ValueError if the parents are not in this order.
    """

    parents: tuple[int, ...]
    """Parent of each node; -1 for the root."""
    items: tuple[int | None, ...]
    """Item of each node; None for a node that only groups others."""
    weights: tuple[int, ...]
    """Bytes of each node without its descendants."""

    @classmethod
    def grow(cls, parents: Sequence[int], sizes: Sequence[int], groups: Sequence[Sequence[str]] = ()) -> Tree:
        """Return the tree of items and their parts.

        ``parents`` has the parent of each item, or -1; ``sizes`` the item's bytes without its parts. ``groups``, if
        given, has for each item without a parent the names of the groups around it, outermost first: ``("com/foo",)``
        for a flat list of packages, ``("com", "foo")`` for nested ones. Nodes keep the order of the items, groups that
        of their first item.
        """
        children: list[list[int]] = [[] for _ in range(len(parents) + 1)]  # of items, then of the root and the groups
        known: dict[tuple[str, ...], int] = {(): len(parents)}

        def group_of(names: tuple[str, ...]) -> int:
            for end in range(1, len(names) + 1):
                if names[:end] not in known:
                    known[names[:end]] = len(children)
                    children[known[names[: end - 1]]].append(len(children))
                    children.append([])
            return known[names]

        for item, parent in enumerate(parents):
            above_item = parent if parent >= 0 else group_of(tuple(groups[item]) if groups else ())
            children[above_item].append(item)
        above: list[int] = []
        order: list[int] = []
        stack = [(len(parents), -1)]
        while stack:
            one, parent = stack.pop()
            stack.extend((child, len(order)) for child in reversed(children[one]))
            order.append(one)
            above.append(parent)
        if len(order) != len(children):
            raise ValueError("some items are parts of themselves")
        items = tuple(one if one < len(parents) else None for one in order)
        return cls(tuple(above), items, tuple(0 if item is None else sizes[item] for item in items))

    def __len__(self) -> int:
        return len(self.parents)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The first number behind the subtree of each node."""
        ends = list(range(1, len(self) + 1))
        for node in range(len(self) - 1, 0, -1):
            ends[self.parents[node]] = max(ends[self.parents[node]], ends[node])
        return tuple(ends)

    @cached_property
    def children(self) -> tuple[Candidate, ...]:
        """The children of each node."""
        children: list[list[int]] = [[] for _ in self.parents]
        for node, parent in enumerate(self.parents[1:], 1):
            children[parent].append(node)
        return tuple(map(tuple, children))

    @cached_property
    def levels(self) -> tuple[Candidate, ...]:
        """The nodes of each level, by distance from the root."""
        depths = [0] * len(self)
        levels: list[list[int]] = [[0]]
        for node, parent in enumerate(self.parents[1:], 1):
            depths[node] = depths[parent] + 1
            if depths[node] == len(levels):
                levels.append([])
            levels[depths[node]].append(node)
        return tuple(map(tuple, levels))

    def below(self, node: int, kept: Candidate) -> slice:
        """Return the positions in ``kept`` of a node and its descendants."""
        start = bisect_left(kept, node)
        return slice(start, bisect_left(kept, self.ends[node], start))

    def left_of(self, nodes: Iterable[int], kept: Candidate) -> Candidate:
        """Return those of ``nodes`` that are kept themselves or have a kept descendant."""
        return tuple(node for node in nodes if (found := self.below(node, kept)).start < found.stop)

    def weight(self, node: int, kept: Candidate) -> int:
        """Return the summed weight of a subtree's kept nodes."""
        return sum(self.weights[one] for one in kept[self.below(node, kept)])


def prune(tree: Tree, kept: Candidate, nodes: Candidate, minimise: Minimiser) -> Algorithm:
    """Minimise a list of disjoint subtrees. Return the nodes kept.

    ``nodes`` are the roots of the subtrees, ascending, each with something kept. The removal of all at once is tried
    first, because minimisers never ask about the empty list.
    """
    if not nodes:
        return kept
    slices = {node: tree.below(node, kept) for node in nodes}
    rest = tuple(_between(kept, slices.values()))

    def into(left: Candidate) -> Candidate:
        # runs in ascending order: sorting is a merge
        return tuple(sorted(rest + tuple(one for node in left for one in kept[slices[node]])))

    if (yield Test(rest)):
        return rest
    if len(nodes) == 1:
        return kept
    weights = {node: tree.weight(node, kept) for node in nodes}
    left = yield from translated(minimise(nodes, weights.__getitem__), into)
    return kept if len(left) == len(nodes) else into(left)


def _between(kept: Candidate, slices: Iterable[slice]) -> Iterator[int]:
    start = 0
    for found in slices:
        yield from kept[start : found.start]
        start = found.stop
    yield from kept[start:]


class TreeSpace(Space):
    """The space with one element per node. A candidate keeps the largest valid subset of its nodes' items.

    The items ``required`` (a bit mask), and their dependencies, are in every candidate. A node may be kept without its
    parent: the logic decides whether a part can exist without its whole.
    """

    def __init__(self, tree: Tree, logic: Logic, required: ItemSet, sizes: Sequence[int]) -> None:
        self.tree = tree
        self.elements: Candidate = tuple(range(len(tree)))
        self._logic = logic
        self._required = logic.least(item for item in range(logic.count) if required >> item & 1)
        self._sizes = np.asarray(sizes, dtype=np.int64)
        self._last: tuple[Candidate | None, ItemSet | None] = (None, None)

    def items(self, candidate: Candidate) -> ItemSet:
        """Return the items that the candidate keeps; only the required items if the candidate is not admissible."""
        found = self._largest(candidate)
        return self._required if found is None else found

    def admissible(self, candidate: Candidate) -> bool:
        return self._largest(candidate) is not None

    def cost(self, candidate: Candidate) -> int:
        return total(self.items(candidate), self._sizes)

    def present(self, candidate: Candidate) -> Candidate:
        """Return the nodes of the candidate whose items are kept, and the groups around these nodes."""
        items = self.items(candidate)
        left: list[int] = []
        for node in reversed(candidate):
            item = self.tree.items[node]
            if items >> item & 1 if item is not None else left and left[-1] < self.tree.ends[node]:
                left.append(node)
        return tuple(reversed(left))

    def _largest(self, candidate: Candidate) -> ItemSet | None:
        asked, found = self._last
        if asked is not candidate:  # the driver asks three things of one candidate
            items = [item for node in candidate if (item := self.tree.items[node]) is not None]
            found = self._logic.largest(mask_of(items, self._logic.count) | self._required)
            if found is not None and self._required & ~found:
                found = None
            self._last = (candidate, found)
        return found
