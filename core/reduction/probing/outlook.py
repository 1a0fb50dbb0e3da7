"""The candidates that may come next, whatever the answers will be: those that are likelier to be asked about first.

A search asks one question after another, and a question about one candidate after another. From each candidate a yes
and a no lead on, within the question as far as that goes, and then to the question that follows from its answer, where
the algorithm tells (``then`` of :mod:`core.search.questions`). So what may come is a tree, whose nodes have chances: of
equal ones in a search by halves, and else as answers of this phase have been so far.

Nothing follows from what is looked up here: a search asks the same questions, and gets the same answers, whether or not
somebody looked ahead.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from typing import Protocol

from core.reduction.interval import Interval
from core.reduction.records import PreparedCandidate
from core.search.bisection import Strategy, for_likely
from core.search.questions import Candidate, Enough, First, HungUp, Least, Question, Test

_FAR = 512
"""Turns that are looked at in one walk."""

_UNLIKELY = 0.002
"""A turn of less chance is not looked at."""

_MEMORY = 0.9
"""What an answer counts for after each that follows it."""

_EXPECTED, _STRENGTH = 0.3, 2.0
"""Share of yes that is expected at first, and how many answers that counts for."""


class YesShare:
    """How likely a yes is, by the latest answers to questions of one kind."""

    def __init__(self) -> None:
        self._yes, self._all = _EXPECTED * _STRENGTH, _STRENGTH

    def note(self, yes: bool) -> None:
        """An answer."""
        self._yes, self._all = self._yes * _MEMORY + yes, self._all * _MEMORY + 1

    @property
    def chance(self) -> float:
        return self._yes / self._all


class Turn(Protocol):
    """The turn of a candidate in a question."""

    @property
    def prepared(self) -> PreparedCandidate:
        """The candidate."""

    @property
    def chance(self) -> float:
        """That of a yes."""

    def after(self, yes: bool) -> Turn | None:
        """Whose turn it is after that answer; None where that is not known."""


_Branch = tuple[float, int, Callable[[], Turn | None]]
"""Chance (negative), place among equals, and what gives the turn."""


@dataclass
class Outlook:
    """What may come in one phase. ``prepare`` makes a candidate, ``known`` tells what is known of one without a probe,
    ``waiting`` whether a probe has ended; ``size`` gives a candidate's bytes, of which what is searched has ``whole``;
    ``far``: whether to look beyond the question at hand.
    """

    prepare: Callable[[Candidate], PreparedCandidate]
    known: Callable[[PreparedCandidate], bool | None]
    waiting: Callable[[], bool]
    size: Callable[[Candidate], int]
    whole: int
    strategy: Strategy
    far: Callable[[], bool] = lambda: True
    tests: YesShare = field(default_factory=YesShare)
    lists: YesShare = field(default_factory=YesShare)

    def walk(self, turn: Turn) -> Iterator[PreparedCandidate]:
        """The candidates that need a probe, of this turn and those that may follow; none after a probe has ended,
        which may make them superfluous."""
        order = itertools.count()
        heap: list[_Branch] = [(-1.0, next(order), lambda: turn)]
        for number in range(_FAR):
            if not heap or (number and self.waiting()):
                return
            negative, _, find = heappop(heap)
            found = find()
            if found is None:
                continue
            known = self.known(found.prepared)
            if known is None:
                yield found.prepared
            chance = found.chance if known is None else float(known)
            for yes, share in ((True, negative * chance), (False, negative * (1 - chance))):
                if -share >= _UNLIKELY:
                    branch: _Branch = share, next(order), partial(found.after, yes)
                    heappush(heap, branch)


class View:
    """A question with what was prepared for it, and the views of those that may follow."""

    def __init__(self, question: Question, outlook: Outlook) -> None:
        self.question = question
        self.outlook = outlook
        self._following: dict[bool | int | None, View | None] = {}
        self._prepared: dict[int, PreparedCandidate] = {}
        self._test: PreparedCandidate | None = None
        self._interval: Interval | None = None

    def following(self, answer: bool | int | None) -> View | None:
        """The view of the question after that answer, as far as the algorithm tells."""
        if answer not in self._following:
            question = None if isinstance(self.question, HungUp) else self.question.then(answer)
            self._following[answer] = None if question is None else View(question, self.outlook)
        return self._following[answer]

    def next(self, question: Question, answer: bool | int | None) -> View:
        """The view of the question that did follow."""
        found = self._following.get(answer)
        return found if found is not None and found.question is question else View(question, self.outlook)

    def turn(self) -> Turn | None:
        """The first turn."""
        match self.question:
            case Test() | Enough():
                return TestTurn(self)
            case First(candidates):
                return FirstTurn(self, 0) if candidates else None
            case Least(prefixes):
                return LeastTurn(self, 0, len(prefixes) - 1)
        return None

    def turn_after(self, answer: bool | int | None) -> Turn | None:
        """The first turn of the question after that answer."""
        view = self.following(answer) if self.outlook.far() else None
        return None if view is None else view.turn()

    @property
    def test(self) -> PreparedCandidate:
        """What a question about one candidate is about."""
        if self._test is None:
            assert isinstance(self.question, (Test, Enough))
            self._test = self.outlook.prepare(self.question.candidate)
        return self._test

    def at(self, index: int) -> PreparedCandidate:
        """A candidate of a list."""
        if index not in self._prepared:
            assert isinstance(self.question, First)
            self._prepared[index] = self.outlook.prepare(self.question.candidates[index])
        return self._prepared[index]

    def drop(self, index: int) -> None:
        """That candidate of a list has had its turn."""
        self._prepared.pop(index, None)

    @property
    def interval(self) -> Interval:
        """What grows."""
        if self._interval is None:
            assert isinstance(self.question, (Least, Enough))
            one = self.outlook
            strategy = one.strategy
            if self.question.late:
                strategy = for_likely(strategy, len(self.question.prefixes) - 1)
            self._interval = Interval(self.question.prefixes, one.prepare, one.size, one.whole, strategy)
        return self._interval


@dataclass(frozen=True, slots=True)
class TestTurn:
    """One candidate alone; after a no of a question ``Enough`` comes what grows from it."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    view: View

    @property
    def prepared(self) -> PreparedCandidate:
        return self.view.test

    @property
    def chance(self) -> float:
        return self.view.outlook.tests.chance

    def after(self, yes: bool) -> Turn | None:
        question = self.view.question
        if isinstance(question, Test):
            return self.view.turn_after(yes)
        assert isinstance(question, Enough)
        if yes or not question.prefixes:
            return self.view.turn_after(None)
        return LeastTurn(self.view, 0, len(question.prefixes) - 1)


@dataclass(frozen=True, slots=True)
class LeastTurn:
    """The point that a serial search of ``low .. high`` asks about."""

    view: View
    low: int
    high: int

    @property
    def point(self) -> int:
        return self.view.interval.next(self.low, self.high)

    @property
    def prepared(self) -> PreparedCandidate:
        return self.view.interval.at(self.point)

    @property
    def chance(self) -> float:
        return self.view.interval.chance(self.low, self.point, self.high)

    def after(self, yes: bool) -> Turn | None:
        low, high = (self.low, self.point - 1) if yes else (self.point + 1, self.high)
        if low <= high:
            return LeastTurn(self.view, low, high)
        return self.view.turn_after(min(low, self.view.interval.last))


@dataclass(frozen=True, slots=True)
class FirstTurn:
    """A candidate of a list."""

    view: View
    index: int

    @property
    def prepared(self) -> PreparedCandidate:
        return self.view.at(self.index)

    @property
    def chance(self) -> float:
        return self.view.outlook.lists.chance

    def after(self, yes: bool) -> Turn | None:
        assert isinstance(self.view.question, First)
        if yes:
            return self.view.turn_after(self.index)
        if self.index + 1 < len(self.view.question.candidates):
            return FirstTurn(self.view, self.index + 1)
        return self.view.turn_after(None)
