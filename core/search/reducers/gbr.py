"""Generalized binary reduction (GBR21, Algorithm 1).

Candidates are valid sets of items (space :class:`core.search.spaces.item_spaces.Items`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import accumulate
from typing import overload

from core.search.item_sets import mask_of
from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, Enough
from core.search.spaces.class_spaces import SearchProblem, Space
from core.search.spaces.item_spaces import Items
from core.search.specs import Level, Options, algorithm, logic_of, phase


class Progression(Sequence[Candidate]):
    """A progression D: item *r* of the sequence is the union of D0 .. D(r+1), all cut from one list of items.

    ``items[:ends[r]]`` is the union up to Dr, so that sums over all unions take one pass over ``items``.
    """

    def __init__(self, parts: Sequence[Sequence[int]]) -> None:
        self.items = tuple(item for part in parts for item in part)
        self.ends = list(accumulate(len(part) for part in parts))

    def __len__(self) -> int:
        return len(self.ends) - 1

    @overload
    def __getitem__(self, index: int) -> Candidate: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Candidate]: ...
    def __getitem__(self, index: int | slice) -> Candidate | Sequence[Candidate]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self.items[: self.ends[index % len(self) + 1]]

    @property
    def least(self) -> Candidate:
        """D0, the least valid set."""
        return self.items[: self.ends[0]]

    def added(self, index: int) -> Candidate:
        """What the union at ``index`` holds beyond the one before it: D(index+1)."""
        return self.items[self.ends[index] : self.ends[index + 1]]


def gbr(
    logic: Logic,
    order: Sequence[int],
    hopeless: Callable[[int, Candidate, int], bool] = lambda *found: False,
    otherwise: Callable[[Candidate], Algorithm] | None = None,
    needed: Callable[[int], None] = lambda item: None,
) -> Algorithm:
    """Finds one needed part of the input after another, and in the end the least valid set with all of them.

    ``order`` holds every item, what is depended on first. About ``s * log2(n)`` tests for ``s`` needed parts. The
    result was tested interesting. ``hopeless`` tells, after each part found, of their number, what is left, and among
    how many unions it was sought: where it says so, the search goes on ``otherwise`` with what is left. ``needed``
    hears of each item that was found, of which the other items of its part are what it needs. Where answers contradict
    each other or the predicate is not monotone, the result is the smallest set that was found interesting last.
    """

    def question(learned: tuple[Candidate, ...], left: int | None) -> Enough:
        """Of each of the learned sets one item is needed; left are the items that are still searched, all at first."""
        D = Progression(logic.progression(order, learned, left))

        @cache
        def then(r: int | None) -> Enough | None:
            if r is None or hopeless(len(learned) + 1, D[r], len(D)):
                return None
            return question((*learned, D.added(r)), mask_of(D[r], logic.count))

        return Enough(D.least, D, then)

    asked = question((), None)
    # every round's learned set has another first item, unless answers contradict each other
    for _ in range(logic.count + 1):
        r: int | None = yield asked
        if r is None:
            return asked.candidate
        found = asked.prefixes[r]
        needed(found[len(asked.prefixes[r - 1] if r else asked.candidate)])
        following: Enough | None = asked.then(r)
        if following is None:
            return found if otherwise is None else (yield from otherwise(found))
        asked = following
    return found


@algorithm(
    "gbr",
    "Generalized binary reduction",
    "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
    "attributes.",
    place=20,
)
@phase("items", Level.ITEMS)
def ITEMS(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Items by generalized binary reduction, heavy ones late."""
    logic = logic_of(problem)
    return Items(problem.sizes), gbr(logic, logic.order(problem.sizes))
