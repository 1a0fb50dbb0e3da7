"""A question, its possible candidates, and the possible next questions: a tree of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.reduction.probing.speculation import EXPECTED, HALF, CandidateNode, PhaseCandidates, Speculation
from core.reduction.records import PreparedCandidate
from core.search.bisection import Strategy, for_likely
from core.search.questions import Candidate, Enough, First, HungUp, Least, Question, Test


@dataclass(eq=False)
class Interval:
    """The points of a question ``Least``: the candidates ``prefixes``, each made once.

    The cost of a probe is an estimate: one half is fixed, the other grows with the candidate's bytes; a probe of the
    whole start costs 1. Measured times would make the points depend on the load of the machine.
    """

    prefixes: Sequence[Candidate]
    candidates: PhaseCandidates
    strategy: Strategy

    def __post_init__(self) -> None:
        self._prepared: dict[int, PreparedCandidate] = {}
        self._sizes: dict[int, int] = {}

    @property
    def last(self) -> int:
        """The number of the last point."""
        return len(self.prefixes) - 1

    def at(self, point: int) -> PreparedCandidate:
        """Return the candidate at a point."""
        if point not in self._prepared:
            self._prepared[point] = self.candidates.prepare(self.prefixes[point])
        return self._prepared[point]

    def next(self, low: int, high: int) -> int:
        """Return the point of ``low .. high`` that a serial search asks about next."""
        return self.strategy.pick(low, high, self._cost)

    def left(self, low: int, high: int) -> int:
        """Return the most probes that the search of ``low .. high`` still takes."""
        bound = self.strategy.bound(low, high)
        return high - low + 1 if bound is None else bound

    def _cost(self, point: int) -> float:
        if not self.strategy.weighs:
            return 1.0
        if point not in self._sizes:
            candidate = self._prepared[point].candidate if point in self._prepared else self.prefixes[point]
            self._sizes[point] = self.candidates.size(candidate)
        return (1 + self._sizes[point] / max(1, self.candidates.whole)) / 2


class QuestionTree:
    """A question with its prepared candidates, and the trees of the questions that may follow."""

    def __init__(self, question: Question, speculation: Speculation) -> None:
        self.question = question
        self.speculation = speculation
        self._following: dict[bool | int | None, QuestionTree | None] = {}
        self._prepared: dict[int, PreparedCandidate] = {}

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
                return self.only()
            case First(candidates):
                return self.listed(0) if candidates else None
            case Least(prefixes):
                return self.between(0, len(prefixes) - 1)
        return None

    def only(self) -> CandidateNode:
        """Return the node of the only candidate of a question ``Test``, or of the first one of ``Enough``."""

        def after(yes: bool) -> CandidateNode | None:
            question = self.question
            if isinstance(question, Enough) and not yes and question.prefixes:
                return self.between(0, len(question.prefixes) - 1)
            return self.node_after(yes if isinstance(question, Test) else None)

        return CandidateNode(self.test, EXPECTED, after)

    def between(self, low: int, high: int) -> CandidateNode:
        """Return the node of the point that a serial search of ``low .. high`` asks about."""
        interval = self.interval
        point = interval.next(low, high)

        def after(yes: bool) -> CandidateNode | None:
            left, right = (low, point - 1) if yes else (point + 1, high)
            return self.between(left, right) if left <= right else self.node_after(min(left, interval.last))

        return CandidateNode(interval.at(point), HALF, after)

    def listed(self, index: int) -> CandidateNode:
        """Return the node of a candidate of a question ``First``."""

        def after(yes: bool) -> CandidateNode | None:
            assert isinstance(self.question, First)
            more = not yes and index + 1 < len(self.question.candidates)
            return self.listed(index + 1) if more else self.node_after(index if yes else None)

        return CandidateNode(self.at(index), EXPECTED, after)

    def node_after(self, answer: bool | int | None) -> CandidateNode | None:
        """Return the first node of the question that follows after ``answer``."""
        tree = self.following(answer) if self.speculation.far() else None
        return None if tree is None else tree.node()

    @cached_property
    def test(self) -> PreparedCandidate:
        """The candidate of a question about one candidate."""
        assert isinstance(self.question, (Test, Enough))
        return self.speculation.candidates.prepare(self.question.candidate)

    def at(self, index: int) -> PreparedCandidate:
        """Return a candidate of a list."""
        if index not in self._prepared:
            assert isinstance(self.question, First)
            self._prepared[index] = self.speculation.candidates.prepare(self.question.candidates[index])
        return self._prepared[index]

    def drop(self, index: int) -> None:
        """Forget a candidate of a list that has been asked about."""
        self._prepared.pop(index, None)

    @cached_property
    def interval(self) -> Interval:
        """The prefixes of a question ``Least`` or ``Enough``."""
        assert isinstance(self.question, (Least, Enough))
        strategy = self.speculation.strategy
        if self.question.late is not None:
            first = self.question.first if isinstance(self.question, Least) else None
            strategy = for_likely(strategy, len(self.question.prefixes) - 1, self.question.late, first)
        return Interval(self.question.prefixes, self.speculation.candidates, strategy)
