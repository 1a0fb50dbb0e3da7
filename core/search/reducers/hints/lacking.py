"""What a candidate lacks that shows nearly what it should: classes of the rest, the nearest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

from core.search.logic import Progressive
from core.search.progression import Progression
from core.search.questions import Algorithm, Candidate, First, Least, Test
from core.sets import ItemSet, mask_of, members

_FIRST_STEP = 0.25
"""Share of what is known to be needed by which a candidate grows first; each further one grows by twice as much."""


def with_lacking(
    logic: Progressive,
    groups: Sequence[Candidate],
    known: ItemSet,
    bytes_of: Callable[[ItemSet], int],
    within: ItemSet | None = None,
) -> Algorithm:
    """Binary reduction in which a needed part is one of the ``groups`` (a class, with all that is in it), with what
    that needs; ``known`` items are taken to be needed. ``within`` restricts the whole to a valid set with them.

    The groups are in the order in which a needed one is expected. Each is found by candidates that grow from ``known``
    by twice as much each time, then by halves, so that they are as small as what is found allows, whatever the size of
    the input. What is found has the groups whole.
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
    """The parts that begin in the same group as one."""
    return [[item for part in row for item in part] for _, row in groupby(parts, lambda part: number[part[0]])]


def _stages(unions: Progression, bytes_of: Callable[[Candidate], int]) -> list[int]:
    """Places of unions that add twice as much each time; the last of all is one."""
    stages = []
    base = bytes_of(unions.least)
    step, size = base * _FIRST_STEP, base
    for place in range(len(unions)):
        size += bytes_of(unions.added(place))
        if size >= base + step or place == len(unions) - 1:
            stages.append(place)
            step = 2 * (size - base)
    return stages
