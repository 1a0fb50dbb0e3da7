"""A question, its possible candidates, and the possible next questions: a tree of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.reduction.probing.speculation import CandidateNode, PhaseCandidates, Speculation
from core.reduction.records import PreparedCandidate
from core.search.bisection import Strategy, for_likely
from core.search.questions import Candidate, Enough, First, HungUp, Least, Question, Test


class Interval:
    """The points of a question ``Least``: the candidates ``prefixes``, each made once.

    The cost of a probe is an estimate: one half is fixed, the other grows with the candidate's bytes; a probe of the
    whole start costs 1. Measured times would make the points depend on the load of the machine.
    """

    def __init__(self, prefixes: Sequence[Candidate], candidates: PhaseCandidates, strategy: Strategy) -> None:
        self.prefixes = prefixes
        self._candidates = candidates
        self._strategy = strategy
        self._prepared: dict[int, PreparedCandidate] = {}
        self._sizes: dict[int, int] = {}

    @property
    def last(self) -> int:
        """The number of the last point."""
        return len(self.prefixes) - 1

    def at(self, point: int) -> PreparedCandidate:
        """Return the candidate at a point."""
        if point not in self._prepared:
            self._prepared[point] = self._candidates.prepare(self.prefixes[point])
        return self._prepared[point]

    def next(self, low: int, high: int) -> int:
        """Return the point of ``low .. high`` that a serial search asks about next."""
        return next(self._strategy.walk(low, high, self._cost))

    def left(self, low: int, high: int) -> int:
        """Return the most probes that the search of ``low .. high`` still takes."""
        bound = self._strategy.bound(low, high)
        return high - low + 1 if bound is None else bound

    def chance(self, low: int, point: int, high: int) -> float:
        """Return the chance that the answer at ``point`` is a yes."""
        return min(1.0, max(0.0, self._strategy.chance(low, point, high, self._cost)))

    def _cost(self, point: int) -> float:
        if not self._strategy.weighs:
            return 1.0
        if point not in self._sizes:
            candidate = self._prepared[point].candidate if point in self._prepared else self.prefixes[point]
            self._sizes[point] = self._candidates.size(candidate)
        return (1 + self._sizes[point] / max(1, self._candidates.whole)) / 2


class QuestionTree:
    """A question with its prepared candidates, and the trees of the questions that may follow."""

    def __init__(self, question: Question, speculation: Speculation) -> None:
        self.question = question
        self.speculation = speculation
        self._following: dict[bool | int | None, QuestionTree | None] = {}
        self._prepared: dict[int, PreparedCandidate] = {}
        self._test: PreparedCandidate | None = None
        self._interval: Interval | None = None

    def following(self, answer: bool | int | None) -> QuestionTree | None:
        """Return the tree of the question that follows after ``answer``; None if the algorithm does not tell."""
        if answer not in self._following:
            question = None if isinstance(self.question, HungUp) else self.question.then(answer)
            self._following[answer] = None if question is None else QuestionTree(question, self.speculation)
        return self._following[answer]

    def next(self, question: Question, answer: bool | int | None) -> QuestionTree:
        """Return the tree of the question that followed in fact."""
        found = self._following.get(answer)
        return found if found is not None and found.question is question else QuestionTree(question, self.speculation)

    def node(self) -> CandidateNode | None:
        """Return the first node of the question."""
        match self.question:
            case Test() | Enough():
                return TestNode(self)
            case First(candidates):
                return FirstNode(self, 0) if candidates else None
            case Least(prefixes):
                return LeastNode(self, 0, len(prefixes) - 1)
        return None

    def node_after(self, answer: bool | int | None) -> CandidateNode | None:
        """Return the first node of the question that follows after ``answer``."""
        tree = self.following(answer) if self.speculation.far() else None
        return None if tree is None else tree.node()

    @property
    def test(self) -> PreparedCandidate:
        """The candidate of a question about one candidate."""
        if self._test is None:
            assert isinstance(self.question, (Test, Enough))
            self._test = self.speculation.prepare(self.question.candidate)
        return self._test

    def at(self, index: int) -> PreparedCandidate:
        """Return a candidate of a list."""
        if index not in self._prepared:
            assert isinstance(self.question, First)
            self._prepared[index] = self.speculation.prepare(self.question.candidates[index])
        return self._prepared[index]

    def drop(self, index: int) -> None:
        """Forget a candidate of a list that has been asked about."""
        self._prepared.pop(index, None)

    @property
    def interval(self) -> Interval:
        """The prefixes of a question ``Least`` or ``Enough``."""
        if self._interval is None:
            assert isinstance(self.question, (Least, Enough))
            one = self.speculation
            strategy = one.strategy
            if self.question.late is not None:
                first = self.question.first if isinstance(self.question, Least) else None
                strategy = for_likely(strategy, len(self.question.prefixes) - 1, self.question.late, first)
            self._interval = Interval(self.question.prefixes, one.candidates, strategy)
        return self._interval


@dataclass(frozen=True, slots=True)
class TestNode:
    """The only candidate of a question ``Test``, or the first one of ``Enough``."""

    __test__ = False  # not a test class, whatever pytest thinks of the name

    tree: QuestionTree

    @property
    def prepared(self) -> PreparedCandidate:
        return self.tree.test

    @property
    def chance(self) -> float:
        return self.tree.speculation.tests.chance

    def after(self, yes: bool) -> CandidateNode | None:
        question = self.tree.question
        if isinstance(question, Test):
            return self.tree.node_after(yes)
        assert isinstance(question, Enough)
        if yes or not question.prefixes:
            return self.tree.node_after(None)
        return LeastNode(self.tree, 0, len(question.prefixes) - 1)


@dataclass(frozen=True, slots=True)
class LeastNode:
    """The point that a serial search of ``low .. high`` asks about."""

    tree: QuestionTree
    low: int
    high: int

    @property
    def point(self) -> int:
        return self.tree.interval.next(self.low, self.high)

    @property
    def prepared(self) -> PreparedCandidate:
        return self.tree.interval.at(self.point)

    @property
    def chance(self) -> float:
        return self.tree.interval.chance(self.low, self.point, self.high)

    def after(self, yes: bool) -> CandidateNode | None:
        low, high = (self.low, self.point - 1) if yes else (self.point + 1, self.high)
        if low <= high:
            return LeastNode(self.tree, low, high)
        return self.tree.node_after(min(low, self.tree.interval.last))


@dataclass(frozen=True, slots=True)
class FirstNode:
    """A candidate of a question ``First``."""

    tree: QuestionTree
    index: int

    @property
    def prepared(self) -> PreparedCandidate:
        return self.tree.at(self.index)

    @property
    def chance(self) -> float:
        return self.tree.speculation.lists.chance

    def after(self, yes: bool) -> CandidateNode | None:
        assert isinstance(self.tree.question, First)
        if yes:
            return self.tree.node_after(self.index)
        if self.index + 1 < len(self.tree.question.candidates):
            return FirstNode(self.tree, self.index + 1)
        return self.tree.node_after(None)
