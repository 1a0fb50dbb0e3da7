"""The nodes of the tree of a jar (packages, classes, members, code) as chunks that go together."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.trees import Tree
from core.sets import ItemSet, mask_of

GROUP, CLASS, MEMBER, DETAIL = range(4)
"""Levels: packages; classes and resources; fields, methods and attributes of classes; what is in these."""
UNUSED = 4
"""Added to the level of what has lost all its users: that is far less likely to be needed.
See decisions/012-expected-shares.md."""


def tree_chunks(problem: SearchProblem, kept: ItemSet, unused: ItemSet = 0) -> Sequence[Chunk]:
    """The uppermost nodes of which some may go; ``unused``: items that have lost all their users."""
    return _Nodes(problem, kept, unused).below(0)


class _Nodes:
    def __init__(self, problem: SearchProblem, kept: ItemSet, unused: ItemSet) -> None:
        self._tree = Tree.grow(problem.parents, problem.sizes, problem.groups)
        self._count = problem.count
        self._kept = kept
        self._unused = unused
        self._required = problem.required
        self._names = problem.names
        tree = self._tree
        self._tops = frozenset(
            item for node, item in enumerate(tree.items) if item is not None and tree.items[tree.parents[node]] is None
        )

    def below(self, node: int) -> Sequence[Chunk]:
        """The nodes right below; instead of one that cannot go or is all there is, those below that: whether nothing at
        all is enough was asked when the first needed item was sought."""
        found: list[Chunk] = []
        for child in self._tree.children[node]:
            chunk = self._part(child)
            if chunk.roots & self._required or not self._kept & ~chunk.gone:
                found += self.below(child)
            elif chunk.gone & self._kept:
                found.append(chunk)
        return found

    def _part(self, node: int) -> Chunk:
        tree = self._tree
        items = [item for item in tree.items[node : tree.ends[node]] if item is not None]
        own = tree.items[node]
        roots = [own] if own is not None else [item for item in items if item in self._tops]
        needed = 0 if own is None else 1 << own
        name = self._names(items[0])
        return Chunk(
            self._mask(items),
            self._mask(roots),
            needed,
            self._level(node) + (UNUSED if needed & self._unused else 0),
            tree.parents[node],
            partial(self.below, node),
            key=name and (name if own is not None else f"around {name}: {len(items)}"),
            where=class_of(name) if own is not None else "",
        )

    def _level(self, node: int) -> int:
        tree, depth = self._tree, 0
        if tree.items[node] is None:
            return GROUP
        while node and tree.items[node] is not None:
            node, depth = tree.parents[node], depth + 1
        return min(depth, DETAIL)

    def _mask(self, items: Sequence[int]) -> ItemSet:
        return mask_of(items, self._count)
