"""Drops, in groups, what an interesting candidate has and a smaller uninteresting one lacks.

The smaller candidate often lacks little, but this little is spread: members that are only found by reflection, for
example. So the items of a class that the smaller candidate lacks form one group, with or without the class itself.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.phases import Knowledge, PhaseEffort, Search
from core.search.reducers.needed_items import among_chunks
from core.search.spaces import SearchProblem
from core.sets import ItemSet, mask_of, members

PACKAGES, CLASSES, MEMBERS, PARTS = range(4)
"""Levels of chunks: packages, classes, members, parts of members."""

_EXPECTED = (0.6, 0.2, 0.15, 0.15)
"""Prior chance of being needed, by level. See decisions/012-expected-shares.md."""


def without_surplus(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, narrow: ItemSet) -> Search:
    """Drop groups of the items beyond the valid set ``narrow``, as long as a probe promises ``effort.worth`` bytes."""
    chunks = surplus_chunks(problem, (1 << problem.count) - 1 & ~narrow)
    return among_chunks(problem, knowledge, effort, chunks, _EXPECTED, "surplus")


def surplus_chunks(problem: SearchProblem, surplus: ItemSet) -> Sequence[Chunk]:
    """Return one chunk per package. Its parts are chunks of classes, then of members, then of parts of members."""
    packages: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for item in members(surplus):
        packages[tuple(problem.groups[_path(problem, item)[0]])].append(item)
    return [_chunk(problem, PACKAGES, number, -1, items) for number, items in enumerate(packages.values())]


def _chunk(problem: SearchProblem, level: int, place: int, node: int, items: Sequence[int]) -> Chunk:
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
        partial(_below, problem, level, node, items),
        key=name if whole else "",
        where=class_of(name) if level else "",
    )


def _below(problem: SearchProblem, level: int, node: int, items: Sequence[int]) -> Sequence[Chunk]:
    """Return the items of a chunk in smaller chunks."""
    depth = len(_path(problem, node)) if node >= 0 else 0
    groups: defaultdict[int, list[int]] = defaultdict(list)
    for item in items:
        if item != node:
            groups[_path(problem, item)[depth]].append(item)
    if len(groups) == 1 and node not in items:  # the chunk would be the same
        ((node, items),) = groups.items()
        return _below(problem, level + 1, node, items)
    return [_chunk(problem, min(level + 1, PARTS), node, below, inside) for below, inside in groups.items()]


def _path(problem: SearchProblem, item: int) -> list[int]:
    """Return the path from the item's class down to the item."""
    path = [item]
    while problem.parents[path[-1]] >= 0:
        path.append(problem.parents[path[-1]])
    return path[::-1]
