"""Hierarchical delta debugging: minimises a tree level by level (Misherghi and Su, ICSE 2006)."""

from __future__ import annotations

from core.search.questions import Algorithm, Minimiser
from core.search.reducers.tree_phases import tree_algorithms
from core.search.spaces.trees import Present, Tree, prune


def hdd(tree: Tree, minimise: Minimiser, *, present: Present = tuple) -> Algorithm:
    """Minimise the list of nodes on each level, from the root down. The subtrees of dropped nodes go too.

    The pass over all levels is repeated until it changes nothing (HDD*): if ``minimise`` ends 1-minimal, no single
    subtree of the result can go. ``present`` is called after each level that changed, so that later levels skip nodes
    that fell with others.
    """
    kept = tuple(range(len(tree)))
    while True:
        before = kept
        for level in tree.levels[1:]:
            pruned = yield from prune(tree, kept, tree.left_of(level, kept), minimise)
            if pruned != kept:
                kept = present(pruned)
        if kept == before:
            return kept


tree_algorithms("hdd", "Level by level", "Packages first, then classes, members and code.", hdd, place=100)
