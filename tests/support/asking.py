"""Answers to the questions of algorithms without a driver, and what their answers prove."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from core.search.minimisers.ddmin import one_minimal
from core.search.questions import Algorithm, Candidate, Enough, Question, Weight
from core.search.reducers.generalized import Progression
from core.search.serial import answered, serial
from core.sets import ItemSet, mask_of


def judged(search, interesting):
    """Return what a serial search returns, where ``interesting`` judges each of its candidates."""
    try:
        candidate = next(search)
        while True:
            candidate = search.send(interesting(candidate))
    except StopIteration as end:
        return end.value


def reply(question: Question, interesting: Callable[[Candidate], bool]) -> bool | int | None:
    """Return the answer of a serial run: lists in order, intervals by bisection."""
    return judged(answered(question), interesting)


def then_one_minimal(algorithm: Algorithm, weight: Weight | None = None) -> Algorithm:
    """An algorithm and the one-minimal pass over its result."""
    found = yield from algorithm
    return (yield from one_minimal(found, weight))


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


class ListAsker:
    """Answers questions by the rules of ``core/search/questions.py`` and keeps the tests that were run: ``trace`` has
    each candidate with its answer.
    """

    def __init__(self, predicate, *, cache=True, admissible=lambda candidate: True):
        self.predicate = predicate
        self.cache = {} if cache else None
        self.admissible = admissible
        self.trace = []

    def interesting(self, candidate):
        key = frozenset(candidate)
        if self.cache is not None and key in self.cache:
            return self.cache[key]
        if not self.admissible(candidate):
            return False
        yes = bool(self.predicate(candidate))
        self.trace.append((list(candidate), yes))
        if self.cache is not None:
            self.cache[key] = yes
        return yes

    def run(self, algorithm):
        return list(judged(serial(algorithm), self.interesting))


class ItemAsker:
    """Answers by bisection and in order, with a cache by content or not; keeps the tests that were run.

    ``trace`` has the size of each candidate, with T if it is interesting, else F. The predicate gets the set of kept
    items, so a test that needs the candidates notes them there.
    """

    def __init__(self, predicate, items=frozenset, *, cache=True):
        self.predicate = predicate
        self.items = items
        self.cache = cache
        self.answers = {}
        self.trace = []

    def interesting(self, candidate):
        kept = self.items(candidate)
        if kept not in self.answers or not self.cache:
            self.answers[kept] = bool(self.predicate(kept))
            self.trace.append([len(candidate), "T" if self.answers[kept] else "F"])
        return self.answers[kept]

    def run(self, algorithm):
        return judged(serial(algorithm), self.interesting)
