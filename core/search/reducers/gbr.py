"""Generalized binary reduction (Kalhauge and Palsberg, PLDI 2021; seed 003, Algorithm 1).

Candidates are valid sets of items (space :class:`core.search.spaces.item_spaces.Items`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import overload

from core.search.item_sets import ItemSet, mask_of
from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, Least, Test


@dataclass
class Findings:
    """What a search found out on its way.

    Of each learned set one item is needed. The boring candidates were tested, or follow from an answer: if
    prefix *r* is the least interesting one, the one before it is boring.
    """

    learned: list[Candidate] = field(default_factory=list)
    boring: list[ItemSet] = field(default_factory=list)


class ProgressionPrefixes(Sequence[Candidate]):
    """The unions D0 .. Dr of a progression, for *r* from 1 on: one list of items, cut where it is asked to be.

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

    def first(self) -> Candidate:
        """D0 alone."""
        return self.items[: self.ends[0]]


def gbr(logic: Logic, order: Sequence[int], findings: Findings | None = None) -> Algorithm:
    """Finds one needed part of the input after another, and in the end the least valid set with all of them.

    ``order`` holds every item, what is depended on first. About ``s * log2(n)`` tests for ``s`` needed parts. The
    result was tested interesting. Where answers contradict each other or the predicate is not monotone, it is the
    smallest set that was found interesting last.
    """
    found = findings if findings is not None else Findings()
    learned = found.learned
    within = None
    # every round's learned set has another first item, unless answers contradict each other
    for _ in range(logic.count + 1):
        parts = logic.progression(order, learned, within)
        prefixes = ProgressionPrefixes(parts)
        least_valid = prefixes.first()
        if (yield Test(least_valid, prefixes)):
            return least_valid
        if not len(prefixes):
            # just this was tested before, and was interesting then
            return least_valid
        found.boring.append(mask_of(least_valid, logic.count))
        least: int = yield Least(prefixes)
        last = prefixes[least]
        learned.append(tuple(parts[least + 1]))
        if least:
            found.boring.append(mask_of(prefixes[least - 1], logic.count))
        within = mask_of(last, logic.count)
    return last
