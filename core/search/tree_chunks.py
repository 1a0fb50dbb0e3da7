"""The nodes of the tree of a jar (packages, classes, members, code) as chunks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.trees import Tree
from core.sets import ItemSet, mask_of

GROUP, CLASS, MEMBER, DETAIL = range(4)
"""Levels: packages; classes and resources; fields, methods and attributes of classes; parts of these."""
UNUSED = 4
"""Offset of the level of items that have lost all users: these have priors of their own.
See decisions/012-expected-shares.md.
"""


def tree_chunks(problem: SearchProblem, kept: ItemSet, unused: ItemSet = 0) -> Sequence[Chunk]:
    """Return the uppermost nodes that may go. ``unused``: items that have lost all users."""
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
        """Return the children of a node as chunks. A child that cannot go, or holds all kept items, is replaced by its
        own children. The candidate without any item was asked about already, when the first needed item was sought.
        """
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
