"""Answers to the questions of algorithms without a driver, and what their answers prove."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.search.item_sets import ItemSet, mask_of
from core.search.minimisers.one_minimal import one_minimal
from core.search.questions import Algorithm, Candidate, Enough, First, Least, Question, Test, Weight
from core.search.reducers.gbr import Progression


def answer(question: Question, interesting: Callable[[Candidate], bool]) -> bool | int | None:
    """The answer of a serial run: lists in order, intervals by bisection."""
    match question:
        case Test(candidate):
            return interesting(candidate)
        case First(candidates):
            return next((i for i, candidate in enumerate(candidates) if interesting(candidate)), None)
        case Least(prefixes):
            return _least(prefixes, interesting)
        case Enough(candidate, prefixes):
            return None if interesting(candidate) or not prefixes else _least(prefixes, interesting)


def then_one_minimal(algorithm: Algorithm, weight: Weight | None = None) -> Algorithm:
    """An algorithm and the one-minimal pass over its result."""
    found = yield from algorithm
    return (yield from one_minimal(found, weight))


def _least(prefixes: Sequence[Candidate], interesting: Callable[[Candidate], bool]) -> int:
    low, high = 0, len(prefixes) - 1
    while low <= high:
        middle = (low + high) // 2
        if interesting(prefixes[middle]):
            high = middle - 1
        else:
            low = middle + 1
    return min(low, len(prefixes) - 1)


@dataclass
class Findings:
    """What a run of GBR found out on its way.

    Of each learned set one item is needed. The sets that are not interesting were tested, or follow from an answer: if
    the union *r* is the least interesting one, the one before it is not.
    """

    learned: list[Candidate] = field(default_factory=list)
    not_interesting: list[ItemSet] = field(default_factory=list)


def recorded(algorithm: Algorithm, findings: Findings, count: int) -> Algorithm:
    """Passes the questions of GBR on, and notes what the answers say of the ``count`` items."""
    answer: Any = None
    while True:
        try:
            question = algorithm.send(answer)
        except StopIteration as end:
            result: Candidate = end.value
            return result
        answer = yield question
        if isinstance(question, Enough) and answer is not None:
            assert isinstance(question.prefixes, Progression)
            findings.not_interesting.append(mask_of(question.candidate, count))
            findings.learned.append(question.prefixes.added(answer))
            if answer:
                findings.not_interesting.append(mask_of(question.prefixes[answer - 1], count))
