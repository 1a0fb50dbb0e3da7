"""The nearest inputs that do not fail: for each thing that is left, a rejected candidate that lacks little but that."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from core.plan.search_run import SearchRun
from core.predicate.verdict import Verdict
from core.reduction.sources.source import Source
from core.search.phases import Level
from core.search.reducers.valid_minimal import Alternatives
from core.search.spaces.class_spaces import SearchProblem
from core.sets import ItemSet, members

_MOST = 400
"""Largest number of items or edits of a result whose neighbours are looked up: nobody reads about more."""
_WAYS = 4
"""Largest number of ways to drop an item that are looked up."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A candidate that was tried and lacks little of the result, and its outcome."""

    change: str
    """The item that is gone or the edit that was made, in words."""
    along: tuple[str, ...]
    """Titles of the items that had to go too, parts of it left out."""
    detail: str
    """Reason for which the candidate is not interesting."""
    failures: tuple[str, ...]


def nearest(run: SearchRun) -> list[Neighbour]:
    """Return the neighbours of the best that were probed, those that lack least first. Nothing is probed for this."""
    found: dict[bytes, Neighbour] = {}
    for level in (Level.ITEMS, Level.BODIES):
        if run.searches(level):
            source = run.sources.at(level, run.best)
            if 0 < source.count <= _MOST:
                words = "without " if level is Level.ITEMS else ""
                for key, neighbour in _of(run, source, words):
                    found.setdefault(key, neighbour)
    return sorted(found.values(), key=lambda each: len(each.along))


def _of(run: SearchRun, source: Source, words: str) -> Iterator[tuple[bytes, Neighbour]]:
    """Yield the neighbours among the candidates of a source, each with the key of its content. ``words`` stand before
    the title of an element."""
    tester, problem = run.sources.tester(source), source.problem
    everything = (1 << source.count) - 1
    for item in members(everything & ~problem.required):
        for kept in sorted(_without(problem, everything, item), key=int.bit_count, reverse=True):
            key = tester.key(kept)
            outcome = run.driver.outcome(key)
            if outcome is not None and outcome.verdict is Verdict.NOT_INTERESTING:
                along = tuple(
                    source.title(each) for each in members(everything & ~kept) if not _within(problem, each, item)
                )
                yield key, Neighbour(f"{words}{source.title(item)}", along, outcome.detail, outcome.failures)
                break


def _within(problem: SearchProblem, part: int, item: int) -> bool:
    """Return True if an item is another one or a part of it."""
    while part != item and problem.parents and part >= 0:
        part = problem.parents[part]
    return part == item


def _without(problem: SearchProblem, everything: ItemSet, item: int) -> list[ItemSet]:
    """Return the largest candidates that lack an item."""
    if problem.logic is None:
        return [everything & ~(1 << item)]
    if isinstance(problem.logic, Alternatives):
        return problem.logic.without(everything, item, _WAYS)[0]
    one = problem.logic.largest_without(everything, 1 << item)
    return [] if one is None else [one]
