"""Perses-style reduction of a tree: heaviest node first, a list of children at a time (WDD, section II).

In a parse tree, Perses minimises the children of list-like nodes and replaces other nodes by compatible descendants. In
the tree of a jar every inner node is list-like: no package, class or member needs a certain number of children. A
*replacement* drops a node's own item and keeps its descendants: a nested class may stay without the class around it,
while members fall with their class. The logic (``present``) decides between these two cases. A replacement that would
leave nothing is skipped: it is the deletion of the subtree, which the minimiser of the surrounding list has tried.
"""

from __future__ import annotations

from heapq import heappop, heappush

from core.search.questions import Algorithm, Candidate, Minimiser, Test
from core.search.reducers.tree_phases import tree_algorithms
from core.search.spaces.trees import Present, Tree, prune


def perses(tree: Tree, minimise: Minimiser, *, present: Present = tuple) -> Algorithm:
    """Take the heaviest subtree, try to replace its root, minimise the children and queue the children that stay.

    Parameters and guarantee are those of :func:`core.search.reducers.hdd.hdd`. Equally heavy nodes go by number.
    """
    kept = tuple(range(len(tree)))
    while True:
        before = kept
        queue = [(0, 0)]
        while queue:
            _, node = heappop(queue)
            kept = yield from _replace(tree, kept, node, present)
            pruned = yield from prune(tree, kept, tree.left_of(tree.children[node], kept), minimise)
            if pruned != kept:
                kept = present(pruned)
            for child in tree.left_of(tree.children[node], kept):
                if tree.children[child]:
                    heappush(queue, (-tree.weight(child, kept), child))
        if kept == before:
            return kept


def _replace(tree: Tree, kept: Candidate, node: int, present: Present) -> Algorithm:
    """Keep the descendants of a node without the node itself, if any descendant is valid alone."""
    found = tree.below(node, kept)
    if tree.items[node] is None or found.stop - found.start < 2 or kept[found.start] != node:
        return kept
    without = kept[: found.start] + kept[found.start + 1 :]
    left = present(without)
    if tree.left_of([node], left) and (yield Test(without)):
        return left
    return kept


tree_algorithms("perses", "Heaviest first", "The heaviest package, class or member first.", perses, place=110)
