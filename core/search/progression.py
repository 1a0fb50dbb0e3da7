"""Progressions, and the questions of binary reduction about them (GBR21, section 4.1)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate

from core.search.logic import Progressive
from core.search.questions import Candidate, Distances, Enough, Lazy, Least
from core.sets import ItemSet, mask_of

_MANY = 8
"""Number of found parts from which on a round need not ask first whether these are enough.
See decisions/036-without-evidence.md.
"""

Over = Callable[[int, Candidate, int], bool]
"""Function of the number of learned sets, the items left, and the number of unions in the last question. Returns True
if the search is over."""


class Progression(Lazy):
    """A progression D as a sequence of unions: member *r* is the union of D0 .. D(r + start).

    All unions are prefixes of one list: ``items[:ends[r]]`` is the union up to Dr. So sums over all unions take one
    pass over ``items``.
    """

    def __init__(self, parts: Sequence[Sequence[int]], start: int = 1) -> None:
        self.items = tuple(item for part in parts for item in part)
        self.ends = list(accumulate(len(part) for part in parts))
        self._start = start

    def __len__(self) -> int:
        return len(self.ends) - self._start

    def _at(self, index: int) -> Candidate:
        return self.items[: self.ends[index + self._start]]

    @property
    def least(self) -> Candidate:
        """D0, the least valid set."""
        return self.items[: self.ends[0]]

    def added(self, index: int) -> Candidate:
        """Return the items by which the union at ``index`` exceeds the union before."""
        number = index + self._start
        return self.items[self.ends[number - 1] : self.ends[number]]


def enough(
    logic: Progressive,
    order: Sequence[int],
    learned: tuple[Candidate, ...] = (),
    left: ItemSet | None = None,
    *,
    late: Distances | None = None,
    over: Over = lambda *found: False,
) -> Enough:
    """Return the question of one round: is D0 interesting, and if not, which is the first interesting union? Later
    questions follow from the answers.

    At least one item of each ``learned`` set is needed. ``left``: the items of the rest of the search, by default all.
    """
    unions = Progression(logic.progression(order, learned, left))

    @cache
    def then(r: int | None) -> Enough | None:
        if r is None or over(len(learned) + 1, unions[r], len(unions)):
            return None
        rest = mask_of(unions[r], logic.count)
        distances = None if late is None else (*late, len(unions) - 1 - r)
        return enough(logic, order, (*learned, unions.added(r)), rest, late=distances, over=over)

    return Enough(unions.least, unions, then, late)


def least_needed(
    logic: Progressive,
    order: Sequence[int],
    learned: tuple[Candidate, ...] = (),
    left: ItemSet | None = None,
    distances: Distances = (),
) -> Least:
    """Return the question of one round as one question: the first interesting union, perhaps D0. Later questions follow
    from the answers; none after D0, which is enough then. Parameters as for :func:`enough`.
    """
    unions = Progression(logic.progression(order, learned, left), 0)

    @cache
    def then(r: int) -> Least | None:
        if not r:
            return None
        rest = mask_of(unions[r], logic.count)
        return least_needed(logic, order, (*learned, unions.added(r)), rest, (*distances, len(unions) - 1 - r))

    return Least(unions, then, distances, chance_of_enough(len(distances)))


def chance_of_enough(found: int) -> float:
    """Return the chance that the failure needs no more than the ``found`` parts, as a round assumes it.

    The chance is 1/2 while few parts are found: then a round asks about them first. Later it is 1 / (found + 1), which
    follows from the prior 1 / (s (s + 1)) of the number *s* of needed parts.
    """
    if not found:
        return 0.0
    return 0.5 if found < _MANY else 1 / (found + 1)
