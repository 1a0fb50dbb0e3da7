"""Candidates without the items that the user wants gone, before any other search.

Elements are items; the spaces are :class:`core.search.spaces.Items` and
:class:`core.search.spaces.Classes`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.search.logic import Logic
from core.search.questions import Algorithm, Candidate, First
from core.search.spaces import Classes, Items, SearchProblem, Space
from core.sets import ItemSet, mask_of, members, union

Ways = Callable[[ItemSet, Sequence[int]], list[ItemSet]]
"""Function of a set and some of its items. Returns valid subsets without these items, the smallest first; none if
the items must stay.
"""


def without_unwanted(problem: SearchProblem, wanted: Sequence[int]) -> tuple[Space, Algorithm]:
    """Return the search for candidates without the items ``wanted``, and the space that it runs in."""
    if problem.logic is not None:
        items = Items(problem.sizes)
        return items, drop_first(items.elements, wanted, ByLogic(problem.logic))
    classes = Classes(problem)
    return classes, drop_first(classes.elements, wanted, ByClosures(problem))


def drop_first(start: Candidate, wanted: Sequence[int], ways: Ways) -> Algorithm:
    """Leave out all ``wanted`` items at once; if the candidate is not interesting, each item alone, in the given
    order.

    The users of a dropped item go too. In the first candidate, also the items go that only the dropped item needs. An
    item that cannot go is still in the result.
    """
    elements = mask_of(start, max(start, default=0) + 1)
    current = elements
    groups = [list(wanted)] * (len(wanted) > 1) + [[item] for item in wanted]
    for group in groups:
        there = [item for item in group if current >> item & 1]
        if not there:
            continue
        candidates = [way & elements for way in ways(current, there)]
        index: int | None = (yield First([members(way) for way in candidates])) if candidates else None
        if index is not None:
            current = candidates[index]
    return members(current)


@dataclass(frozen=True)
class ByLogic:
    """The ways to drop items that the clauses allow."""

    logic: Logic

    def __call__(self, kept: ItemSet, items: Sequence[int]) -> list[ItemSet]:
        gone = mask_of(tuple(items), self.logic.count)
        rest = self.logic.largest(kept & ~gone)
        if rest is None:
            return []
        free = self.logic.least(members(rest & ~self.logic.least(items)))
        return _distinct([free, rest], rest)


@dataclass(frozen=True)
class ByClosures:
    """The ways to drop items that the transitive closures allow."""

    problem: SearchProblem

    def __call__(self, kept: ItemSet, items: Sequence[int]) -> list[ItemSet]:
        closures, required = self.problem.closures, self.problem.required
        gone = mask_of(tuple(items), self.problem.count)
        if gone & required:
            return []
        rest = tuple(item for item in members(kept | required) if not closures[item] & gone)
        held = union(closures[item] for item in items)
        free = union([required, *(closures[item] for item in rest if not held >> item & 1)])
        whole = mask_of(rest, self.problem.count)
        return _distinct([free, whole], whole)


def _distinct(ways: list[ItemSet], within: ItemSet) -> list[ItemSet]:
    return list(dict.fromkeys(way for way in ways if not way & ~within))
