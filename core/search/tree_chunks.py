"""Trees as chunks: packages, classes, members and code of a jar; the calls of a program; a surplus.

A chunk of calls is a method's body with all methods that run only because of it. A method whose body goes returns the
default value of its type.

A surplus is what an interesting candidate has and a smaller uninteresting one lacks. It is often little, but spread:
members that are only found by reflection, for example. So the missing items of a class form one chunk, with or without
the class itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.spaces import SearchProblem
from core.search.trees import Tree
from core.sets import ItemSet, mask_of, members

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


_MOST = 0.9
"""Largest share of the code of a failed chunk that a part may have to be tried as a whole.
See decisions/054-calls.md.
"""


@dataclass(frozen=True)
class CallNode:
    """A method in the tree of calls."""

    code: ItemSet
    """The item of the method's body; empty where the body is no item."""
    below: ItemSet
    """Items of the methods that run only because this one calls them, directly or not."""
    reads: ItemSet
    """Resources that are only asked for while this method is under way."""
    has_result: bool
    calls: Sequence[CallNode]
    """The methods that this one immediately dominates: all chains of calls to them lead through it."""


def call_chunks(problem: SearchProblem, called: Sequence[CallNode]) -> Sequence[Chunk]:
    """Return one chunk for each method with at most ``_MOST`` of the bytes of the input. For a larger chunk, and for
    one whose body stays, return the chunks of the called methods.
    """
    return _chunks(problem, called, problem.bytes_of((1 << problem.count) - 1))


def _chunks(problem: SearchProblem, called: Sequence[CallNode], failed: int) -> Sequence[Chunk]:
    """Return the chunks of ``called`` after a chunk with ``failed`` bytes of code around them could not go. A chunk
    with nearly all of that code is unlikely to go either."""
    found: list[Chunk] = []
    waiting = list(reversed(called))  # no recursion, however long a chain of calls is
    while waiting:
        method = waiting.pop()
        code = method.code & ~problem.required
        gone = code | method.below & ~problem.required
        size = problem.bytes_of(gone)  # without resources: a large one says nothing about who is needed
        if code and size <= _MOST * failed:
            (number,) = members(code)
            level, name = int(method.has_result), problem.names(number)
            below = partial(_chunks, problem, method.calls, size)
            gone |= method.reads & ~problem.required
            found.append(Chunk(gone, code, code, level, number, below, key=name, where=class_of(name)))
        else:
            waiting.extend(reversed(method.calls))
    return found


def surplus_chunks(problem: SearchProblem, surplus: ItemSet) -> Sequence[Chunk]:
    """Return one chunk per package. Its parts are chunks of classes, then of members, then of parts of members."""
    packages: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for item in members(surplus):
        packages[tuple(problem.groups[_path(problem, item)[0]])].append(item)
    return [_surplus_chunk(problem, GROUP, number, -1, items) for number, items in enumerate(packages.values())]


def _surplus_chunk(problem: SearchProblem, level: int, place: int, node: int, items: Sequence[int]) -> Chunk:
    """Return the chunk of the items of a package, or of the items in ``node`` (-1 for a package). ``node`` is in the
    chunk if it is one of the items.
    """
    whole = node in items
    gone, name = mask_of(items, problem.count), problem.names(items[0])
    return Chunk(
        gone,
        gone,
        1 << node if whole else 0,
        level,
        place,
        partial(_surplus_below, problem, level, node, items),
        key=name if whole else "",
        where=class_of(name) if level else "",
    )


def _surplus_below(problem: SearchProblem, level: int, node: int, items: Sequence[int]) -> Sequence[Chunk]:
    """Return the items of a chunk in smaller chunks."""
    depth = len(_path(problem, node)) if node >= 0 else 0
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for item in items:
        if item != node:
            groups[_path(problem, item)[depth]].append(item)
    if len(groups) == 1 and node not in items:  # the chunk would be the same
        ((node, items),) = groups.items()
        return _surplus_below(problem, level + 1, node, items)
    return [_surplus_chunk(problem, min(level + 1, DETAIL), node, below, inside) for below, inside in groups.items()]


def _path(problem: SearchProblem, item: int) -> list[int]:
    """Return the path from the item's class down to the item."""
    path = [item]
    while problem.parents[path[-1]] >= 0:
        path.append(problem.parents[path[-1]])
    return path[::-1]
