"""The candidates that may come next, whatever the answers will be, likeliest first.

A search asks one question after another, and each question asks about one candidate after another. After each candidate
the search goes one way for a yes and another for a no: to another candidate of the question, or to the question that
follows (``then`` of :mod:`core.search.questions`). So the candidates that may come form a tree. Each node has a chance
of a yes: :data:`HALF` in an interval, else :data:`EXPECTED`.

Speculation changes nothing: a search asks the same questions and gets the same answers without it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush

from core.reduction.probing.prober import Prober
from core.reduction.records import PreparedCandidate
from core.search.questions import Candidate

_FAR = 512
"""Most nodes that one walk visits. See decisions/024-speculation.md."""

_UNLIKELY = 0.002
"""Least chance of a node to be visited. See decisions/024-speculation.md."""

HALF, EXPECTED = 0.5, 0.3
"""Chance of a yes in an interval that a strategy cuts, and of any other one. See decisions/024-speculation.md."""


@dataclass(frozen=True, slots=True)
class QuestionAnswer:
    """The end of a question."""

    answer: bool | int | None


@dataclass(frozen=True, slots=True)
class CandidateNode:
    """A candidate of a question, at the point at which the search may ask about the candidate."""

    prepared: PreparedCandidate
    chance: float
    """The chance of a yes."""
    place: tuple[str, int, int, int, int, int]
    """Place in the question: ``kind``, ``low``, ``high``, ``n``, ``done`` and ``left`` of
    :class:`core.protocol.events.Asked`."""
    then: Callable[[bool], CandidateNode | QuestionAnswer]
    """Function that returns the next node of the question after an answer, or the end of the question."""
    following: Callable[[bool | int | None], CandidateNode | None]
    """Function that returns the first node of the next question, by the answer to this one; None if it is not known."""

    def after(self, yes: bool) -> CandidateNode | None:
        """Return the next node after an answer; None if the next question is not known."""
        step = self.then(yes)
        return self.following(step.answer) if isinstance(step, QuestionAnswer) else step


_Branch = tuple[float, int, Callable[[], CandidateNode | None]]
"""Chance (negative), place among equal chances, and a function that makes the node."""


@dataclass(frozen=True, slots=True)
class PhaseCandidates:
    """The candidates of one phase: ``prepare`` makes one, ``size`` gives its bytes. The start has ``whole`` bytes."""

    prepare: Callable[[Candidate], PreparedCandidate]
    size: Callable[[Candidate], int]
    whole: int


@dataclass
class Speculation:
    """The candidates that may come next in one phase. ``far``: returns True if the nodes of later questions count
    too."""

    candidates: PhaseCandidates
    prober: Prober
    far: Callable[[], bool]

    def walk(self, node: CandidateNode) -> Iterator[PreparedCandidate]:
        """Yield the candidates of ``node`` and of the nodes after it that need a probe. Ends when a probe has ended,
        because its answer may make the rest superfluous."""
        order = itertools.count()
        heap: list[_Branch] = [(-1.0, next(order), lambda: node)]
        for number in range(_FAR):
            if not heap or (number and self.prober.waiting):
                return
            negative, _, find = heappop(heap)
            found = find()
            if found is None:
                continue
            known = self.prober.known(found.prepared)
            if known is None:
                yield found.prepared
            chance = found.chance if known is None else float(known)
            for yes, share in ((True, negative * chance), (False, negative * (1 - chance))):
                if -share >= _UNLIKELY:
                    branch: _Branch = share, next(order), partial(found.after, yes)
                    heappush(heap, branch)
