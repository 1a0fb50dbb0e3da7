"""Reduction along the tree of packages, classes, members and code, a list of nodes at a time.

``hdd``: hierarchical delta debugging, level by level (HDD). ``perses``: heaviest node first, as Perses does (WDD,
section II). In a parse tree, Perses minimises the children of list-like nodes and replaces other nodes by compatible
descendants. In the tree of a jar every inner node is list-like: no package, class or member needs a certain number of
children. A *replacement* drops a node's own item and keeps its descendants: a nested class may stay without the class
around it, while members fall with their class. The logic (``present``) decides between these two cases. A replacement
that would leave nothing is skipped. The minimiser of the surrounding list has tried this deletion of the subtree.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from core.search.phases import Knowledge, Level, MinimiserSpec, Phase, PhaseEffort, Pointers, Search, logic_of
from core.search.questions import Algorithm, Candidate, Minimiser, Test
from core.search.spaces import SearchProblem
from core.search.trees import Present, Tree, TreeSpace, prune


def hdd(tree: Tree, minimise: Minimiser, *, present: Present = tuple) -> Algorithm:
    """Minimise the list of nodes on each level, from the root down. The subtrees of dropped nodes go too.

    The pass over all levels is repeated until it changes nothing (HDD*): if ``minimise`` ends 1-minimal, no single
    subtree of the result can go. ``present`` is called after each changed level, so that later levels skip fallen
    nodes.
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


def perses(tree: Tree, minimise: Minimiser, *, present: Present = tuple) -> Algorithm:
    """Take the heaviest subtree, try to replace its root, minimise the children and queue the children that stay.

    Parameters and guarantee are those of :func:`hdd`. Equally heavy nodes go by number.
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
            inner = [child for child in tree.left_of(tree.children[node], kept) if tree.children[child]]
            for child in inner:
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


def tree_phase(search: Callable[..., Algorithm], minimiser: MinimiserSpec) -> Phase:
    """Return the phase of a ``search`` along the tree, a function of a tree, a minimiser, and ``present``."""

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        tree = Tree.grow(problem.parents, problem.sizes, problem.groups)
        space = TreeSpace(tree, logic_of(problem), problem.required, problem.sizes)
        return Search(space, search(tree, minimiser.make(effort), present=space.present), knowledge)

    return Phase("tree", Level.ITEMS, start)
