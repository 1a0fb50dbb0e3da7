"""Finds the items that an almost interesting candidate lacks: whole classes of the rest, the nearest first.

Each step differs from the loop of :mod:`core.search.reducers.generalized`: a needed part is a whole class, candidates
grow from the known items, and everything found stays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from core.search.logic import Progressive
from core.search.progression import Progression
from core.search.questions import Algorithm, Candidate, First, Least, Test
from core.sets import ItemSet, mask_of, members

_FIRST_STEP = 0.25
"""Share of the known bytes by which a candidate grows first. Each further step is twice as large.
See decisions/004-lost-failures.md."""


def with_lacking(
    logic: Progressive,
    groups: Sequence[Candidate],
    known: ItemSet,
    bytes_of: Callable[[ItemSet], int],
    within: ItemSet | None = None,
) -> Algorithm:
    """Return the ``known`` items with all groups that are needed besides, and with the needs of these groups.

    A group is a class with all its items. The groups are in the order in which a needed group is expected. Each needed
    group is found by candidates that grow from ``known`` by twice as much each time, and then by halving. So candidates
    stay as small as the answer allows. ``within`` restricts the search to a valid set that holds the known items.
    """
    number = {item: place for place, group in enumerate(groups) for item in group}
    order = [item for group in groups for item in group]
    held, left = known, within
    while True:
        parts = logic.progression(order, [(item,) for item in members(held)], left)
        unions = Progression([parts[0], *_whole(parts[1:], number)])
        if not unions or (yield Test(unions.least)):
            return unions.least
        stages = _stages(unions, lambda items: bytes_of(mask_of(items, logic.count)))
        stage: int | None = yield First([unions[place] for place in stages])
        if stage is None:
            return unions[-1]
        low = stages[stage - 1] + 1 if stage else 0
        found: int = low + (yield Least(unions[low : stages[stage] + 1]))
        held |= mask_of(unions.added(found), logic.count)
        left = mask_of(unions[found], logic.count)


def _whole(parts: Sequence[Sequence[int]], number: dict[int, int]) -> list[list[int]]:
    """Return the parts, joined where they begin in one group."""
    return [[item for part in row for item in part] for _, row in groupby(parts, lambda part: number[part[0]])]


def _stages(unions: Progression, bytes_of: Callable[[Candidate], int]) -> list[int]:
    """Return the indices of unions that each add twice as much as the last. The last union of all is included."""
    stages = []
    base = bytes_of(unions.least)
    step, size = base * _FIRST_STEP, base
    for place in range(len(unions)):
        size += bytes_of(unions.added(place))
        if size >= base + step or place == len(unions) - 1:
            stages.append(place)
            step = 2 * (size - base)
    return stages
