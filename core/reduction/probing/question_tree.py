"""A question, its possible candidates, and the possible next questions: a tree of nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from core.reduction.probing.speculation import (
    EXPECTED,
    HALF,
    CandidateNode,
    PhaseCandidates,
    QuestionAnswer,
    Speculation,
)
from core.reduction.records import PreparedCandidate
from core.search.bisection import Bisection, Likely
from core.search.questions import Candidate, Enough, First, HungUp, Least, Question, Test


@dataclass(eq=False)
class Interval:
    """The points of a question ``Least``: the candidates ``prefixes``, each made once.

    The cost of a probe is an estimate: one half is fixed, the other grows with the candidate's bytes; a probe of the
    whole start costs 1. Measured times would make the points depend on the load of the machine.
    """

    prefixes: Sequence[Candidate]
    candidates: PhaseCandidates
    strategy: Bisection

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
        return self.strategy.bound(low, high)

    def _cost(self, point: int) -> float:
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

    def first(self) -> CandidateNode | QuestionAnswer:
        """Return the first node of the question."""
        match self.question:
            case Least(prefixes):
                return self._between(0, len(prefixes) - 1)
            case First():
                return self._listed(0)
        return CandidateNode(self.test, EXPECTED, ("test", 0, 1, 1, 0, 1), self._after_test, self._following_node)

    def _after_test(self, yes: bool) -> CandidateNode | QuestionAnswer:
        if not isinstance(self.question, Enough):
            return QuestionAnswer(yes)
        return QuestionAnswer(None) if yes or not self.question.prefixes else self._between(0, self.interval.last)

    def _between(self, low: int, high: int, done: int = 0) -> CandidateNode | QuestionAnswer:
        """Return the node of the point that the strategy picks in ``low .. high``."""
        interval = self.interval
        if low > high:
            return QuestionAnswer(min(low, interval.last))
        point = interval.next(low, high)

        def then(yes: bool) -> CandidateNode | QuestionAnswer:
            return self._between(*((low, point - 1) if yes else (point + 1, high)), done + 1)

        place = ("least", low, high, len(interval.prefixes), done, interval.left(low, high))
        return CandidateNode(interval.at(point), HALF, place, then, self._following_node)

    def _listed(self, index: int) -> CandidateNode | QuestionAnswer:
        """Return the node of a candidate of a list."""
        assert isinstance(self.question, First)
        n = len(self.question.candidates)
        if index == n:
            return QuestionAnswer(None)
        place = ("first", index, n, n, index, n - index)

        def then(yes: bool) -> CandidateNode | QuestionAnswer:
            return QuestionAnswer(index) if yes else self._listed(index + 1)

        return CandidateNode(self._at(index), EXPECTED, place, then, self._following_node)

    def _following_node(self, answer: bool | int | None) -> CandidateNode | None:
        """Return the first node with a candidate of the question that follows after ``answer``."""
        tree = self.following(answer) if self.speculation.far() else None
        step = None if tree is None or isinstance(tree.question, HungUp) else tree.first()
        return step if isinstance(step, CandidateNode) else None

    @cached_property
    def test(self) -> PreparedCandidate:
        """The candidate of a question about one candidate."""
        assert isinstance(self.question, (Test, Enough))
        return self.speculation.candidates.prepare(self.question.candidate)

    def _at(self, index: int) -> PreparedCandidate:
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
        strategy = Bisection()
        if self.question.late is not None:
            first = self.question.first if isinstance(self.question, Least) else None
            strategy = Likely(len(self.question.prefixes) - 1, self.question.late, first)
        return Interval(self.question.prefixes, self.speculation.candidates, strategy)
