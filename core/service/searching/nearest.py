"""The nearest inputs without the failure: for each remaining item, a rejected candidate without it and with nearly
everything else. Also the names of the result, neutral and kept ones."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

from core.archive.packer import Packer
from core.plan.plan_run import PlanRun
from core.predicate.verdict import Verdict
from core.reduction.elements import Elements
from core.reduction.rewrite_elements import RewriteElements
from core.report.bug_report import ends_a_failure
from core.search.phases import Level
from core.search.reducers.by_halves import NEUTRAL_NAMES
from core.search.reducers.valid_minimal import Alternatives
from core.search.spaces import SearchProblem
from core.sets import ItemSet, members

_MOST = 400
"""Largest number of items or edits of a result whose neighbours are looked up: nobody reads about more."""
_WAYS = 4
"""Largest number of ways to drop an item that are looked up."""
_JARS = 20
"""Largest number of neighbours whose jars are kept."""
_BYTES = 8_000
"""Largest number of bytes of a result whose neighbours' jars are kept: nobody compares larger ones by hand."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A candidate that was tried and lacks little of the result, and its outcome."""

    change: str
    """The removed item or the edit, in words."""
    along: tuple[str, ...]
    """Titles of the items that had to go too, parts of it left out."""
    detail: str
    """Reason for which the candidate is not interesting."""
    failures: tuple[str, ...]
    base64: str = ""
    """The candidate's jar in base64; empty where it is not kept."""


@dataclass(frozen=True, slots=True)
class _Found:
    """A neighbour with the place of its candidate."""

    neighbour: Neighbour
    elements: Elements
    kept: ItemSet


def nearest(run: PlanRun, wanted: Collection[str]) -> list[Neighbour]:
    """Return the probed neighbours of the best, the nearest first, by items and then by bytes. Nothing is probed for
    this. The first neighbours without one of the ``wanted`` failures have their jars."""
    found: dict[bytes, _Found] = {}
    small = run.best.classes <= _MOST  # no model of a large input is made for that once the time is over
    for level in (Level.ITEMS, Level.BODIES):
        if small and level in run.searched:  # no candidate of another level was probed
            elements = run.elements.at(level, run.best)
            if 0 < elements.count <= _MOST:
                words = "without " if level is Level.ITEMS else ""
                for key, one in _of(run, elements, words):
                    found.setdefault(key, one)
    near = sorted(found.values(), key=lambda one: (len(one.neighbour.along), -one.elements.bytes_of(one.kept)))
    ending = [one for one in near if ends_a_failure(one.neighbour.failures, wanted)] if run.bytes <= _BYTES else []
    jars = {id(one): _jar(one) for one in ending[:_JARS]}
    return [replace(one.neighbour, base64=jars.get(id(one), "")) for one in near]


def _jar(found: _Found) -> str:
    """Return the jar of a neighbour in base64."""
    return base64.b64encode(b"".join(Packer().pack(found.elements.entries(found.kept)))).decode("ascii")


def _of(run: PlanRun, elements: Elements, words: str) -> Iterator[tuple[bytes, _Found]]:
    """Yield the neighbours among the candidates, each with the key of its content. ``words`` stand before
    the title of an element."""
    tester, problem = run.elements.tester(elements), elements.problem
    everything = (1 << elements.count) - 1
    for item in members(everything & ~problem.required):
        for kept in sorted(_without(problem, everything, item), key=int.bit_count, reverse=True):
            key = tester.key(kept)
            outcome = run.driver.outcome(key)
            if outcome is not None and outcome.verdict is Verdict.NOT_INTERESTING:
                along = tuple(
                    elements.title(each) for each in members(everything & ~kept) if not _within(problem, each, item)
                )
                change = f"{words}{elements.title(item)}"
                yield key, _Found(Neighbour(change, along, outcome.detail, outcome.failures), elements, kept)
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


_IMPOSSIBLE = (
    "No name became neutral: a class cannot be read or lies at another place than its name tells, or the classes are "
    "too many."
)


def names_left(run: PlanRun) -> dict[str, Any]:
    """Return the report on the names of the best: ``neutral`` is a number, ``stayed`` are names with their objects,
    ``why`` is a sentence, empty if no name stayed.
    """
    elements = run.elements.of_phase(NEUTRAL_NAMES, run.best)
    assert isinstance(elements, RewriteElements)
    neutral = elements.renaming.neutral
    stayed = [edit.what[0] for edit in elements.edits]
    if elements.obstacle:
        why = _IMPOSSIBLE
    elif run.stopped and stayed:
        why = "Some names stayed, because the search was cut short: more time or probes may change them."
    else:
        why = "Some names stayed: without them the failure is gone, or the probes were used up." if stayed else ""
    return {
        "neutral": len(neutral.packages) + len(neutral.words),
        "stayed": [{"of": name.of, "name": name.text} for name in stayed],
        "why": why,
    }
