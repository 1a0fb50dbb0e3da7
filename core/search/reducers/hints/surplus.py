"""What a sub-input that is interesting has beyond a smaller one that is not goes in groups.

What the smaller one lacks is often little, but spread: some members that are only found by reflection, say. So the
parts of a class that it has not go together, whether the class itself stays or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from core.search.chunks import Chunk, class_of
from core.search.phases import Knowledge, PhaseEffort, Search, SearchEnding
from core.search.priors import Priors
from core.search.reducers.complements import complements
from core.search.reducers.needed_items import algebra_of
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.item_spaces import Items
from core.sets import ItemSet, mask_of, members

PACKAGES, CLASSES, MEMBERS, PARTS = range(4)
"""Levels."""

_EXPECTED = (0.6, 0.2, 0.15, 0.15)
"""Share of the chunks of each level that is expected to be needed. See decisions/012-expected-shares.md."""


def without_surplus(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, narrow: ItemSet) -> Search:
    """Drop groups of the items beyond the valid set ``narrow``, as long as a probe promises ``effort.worth`` bytes."""
    whole, learnt, ending = (1 << problem.count) - 1, knowledge.copy(), SearchEnding()
    priors = Priors(_EXPECTED, set() if effort.thorough else learnt.needed, learnt.history, "surplus")
    algebra, chunks = algebra_of(problem, ending), surplus_chunks(problem, whole & ~narrow)
    search = complements(whole, chunks, priors, algebra, effort.worth)
    return Search(Items(problem.sizes), search, learnt, ending)


def surplus_chunks(problem: SearchProblem, surplus: ItemSet) -> Sequence[Chunk]:
    """Those of each package, which give way to those of its classes, of their members, of what is in these."""
    packages: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
    for item in members(surplus):
        packages[tuple(problem.groups[_path(problem, item)[0]])].append(item)
    return [_chunk(problem, PACKAGES, number, -1, items) for number, items in enumerate(packages.values())]


def _chunk(problem: SearchProblem, level: int, place: int, node: int, items: Sequence[int]) -> Chunk:
    """The items of a package, or of what is in ``node``; with it, if that is one of them."""
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
    """The same items in smaller chunks."""
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
    """From the class that an item is a part of down to the item."""
    path = [item]
    while problem.parents[path[-1]] >= 0:
        path.append(problem.parents[path[-1]])
    return path[::-1]
