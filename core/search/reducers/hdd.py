"""Hierarchical delta debugging: a tree is minimised level by level (Misherghi and Su, ICSE 2006)."""

from __future__ import annotations

from core.search.questions import Algorithm, Candidate, Minimiser
from core.search.spaces.trees import Present, Tree, prune


def hdd(
    tree: Tree,
    minimise: Minimiser,
    *,
    start: Candidate | None = None,
    present: Present = tuple,
    fixpoint: bool = True,
) -> Algorithm:
    """Minimises the list of nodes on each level, from the root down; those above and below go with them.

    With ``fixpoint`` (HDD*) the whole is repeated until it changes nothing: if ``minimise`` ends 1-minimal, no single
    subtree of the result can go. ``start`` are the nodes to begin with, all if None; ``present`` is asked after
    each level that changed, so that later levels leave out what has gone already.
    """
    kept = tuple(range(len(tree))) if start is None else tuple(sorted(start))
    while True:
        before = kept
        for level in tree.levels[1:]:
            pruned = yield from prune(tree, kept, tree.left_of(level, kept), minimise)
            if pruned != kept:
                kept = present(pruned)
        if kept == before or not fixpoint:
            return kept
