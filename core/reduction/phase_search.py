"""One phase of a reduction: the questions of its algorithm, answered with probes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.protocol.run_words import AnswerOrigin, EndReason
from core.reduction.control import CountGain, ReductionStopped
from core.reduction.probing.prober import Prober
from core.reduction.probing.question_tree import QuestionTree
from core.reduction.probing.speculation import CandidateNode, Speculation
from core.reduction.records import Answer, PreparedCandidate
from core.reduction.state import ReductionState
from core.reduction.wiring import Observer, Probing
from core.search.questions import Algorithm, Enough, HungUp, Least, Test

_EMITTED_PER_SECOND = 20
"""Events per second for answers without a probe; further ones are only counted.
See decisions/034-events-a-second.md."""


class Announcer:
    """An emitter of the events of answers and counts, on the driver's thread."""

    def __init__(self, prober: Prober, probing: Probing) -> None:
        self.emit = probing.emit
        self._prober = prober
        self._control = probing.control
        self._last_emitted = 0.0

    def answer(self, answer: Answer, prepared: PreparedCandidate) -> None:
        """Emit an answer that the algorithm got. Most answers without a probe are left out."""
        verdict = Verdict.INTERESTING if answer.interesting else Verdict.NOT_INTERESTING
        ran = Outcome(verdict, 0.0, None, "")
        if answer.origin is AnswerOrigin.RUN and answer.outcome is not None:
            ran = answer.outcome
        elif not self._may_emit():
            return
        self.emit(
            events.Probed(
                probe=answer.probe,
                verdict=(answer.outcome or ran).verdict.value,
                origin=answer.origin,
                seconds=ran.seconds,
                at=self._prober.clock.waited(),
                classes=prepared.sub_input.classes,
                bytes=prepared.sub_input.bytes,
                exit=ran.exit,
                detail=ran.detail,
                stdout=ran.stdout,
                stderr=ran.stderr,
                lane=answer.lane,
                failures=len(answer.outcome.failures) if answer.outcome else 0,
                processor=ran.processor,
                busiest=ran.busiest,
                idle=ran.idle,
            )
        )
        self.count()

    def rarely(self, event: events.Event) -> None:
        """Emit an event of a kind that is too frequent to emit each time."""
        if self._may_emit():
            self.emit(event)

    def count(self, *, searched: bool = False) -> None:
        """Emit the counts so far. ``searched``: the search is over."""
        counts = self._prober.counts
        at = self._prober.clock.waited()
        self.emit(
            events.Counted(counts.probes, counts.cached, counts.invalid, at, counts.speculated, searched=searched)
        )

    def _may_emit(self) -> bool:
        """Return True if enough time has passed since the last event. Raises ReductionStopped."""
        now = time.monotonic()
        if now - self._last_emitted < 1 / _EMITTED_PER_SECOND:
            return False
        self._last_emitted = now
        # a long row of answers without a probe must still be stoppable
        self._control.heed_stop()
        return True


@dataclass(frozen=True, eq=False)
class PhaseSearch:
    """The answers to the questions of one algorithm. ``count_gain`` ends the phase when its probes no longer pay; None:
    never.
    """

    _prober: Prober
    _state: ReductionState
    _announcer: Announcer
    _observer: Observer
    _speculation: Speculation
    _count_gain: CountGain | None

    def follow(self, algorithm: Algorithm) -> None:
        """Answer all questions of ``algorithm``. Raises ReductionStopped and PhaseOver."""
        answer: Any = None
        said: Any = None
        tree: QuestionTree | None = None
        try:
            while True:
                question = algorithm.send(answer)
                if isinstance(question, HungUp):
                    answer = self._prober.hung_up(self._speculation.candidates.prepare(question.candidate))
                else:
                    tree = QuestionTree(question, self._speculation) if tree is None else tree.next(question, said)
                    answer = said = self._answer(tree)
        except StopIteration:
            return

    def test(self, question: Test) -> bool:
        """Return True if the candidate of ``question`` is interesting."""
        return bool(self._answer(QuestionTree(question, self._speculation)))

    def _answer(self, tree: QuestionTree) -> bool | int | None:
        """Ask about one candidate after another, as the question leads; return its answer."""
        step, refused = tree.first(), None
        while isinstance(step, CandidateNode):
            kind, low, high, *counts = step.place
            emit = self._announcer.rarely if kind == "first" else self._announcer.emit
            emit(events.Asked(kind, low, high, len(step.prepared.candidate), *counts))
            yes = self._ask(step, last=kind == "test" and isinstance(tree.question, Enough))
            if not yes:
                refused = step.prepared
                tree.drop(low)
            step = step.then(yes)
        answer = step.answer
        if refused is not None and answer and isinstance(tree.question, (Least, Enough)):
            at = tree.interval.at
            if at(answer - 1) is refused:
                self._state.prove(at(answer).items & ~refused.items, refused)
        return answer

    def _ask(self, node: CandidateNode, *, last: bool) -> bool:
        """Return True if the candidate of ``node`` is interesting, after the state has taken in the answer. Meanwhile
        idle workers try candidates that may come next. Raises ReductionStopped and PhaseOver."""
        if self._observer.before_answer():
            raise ReductionStopped(EndReason.CHECK)
        prepared = node.prepared
        self._prober.settle(prepared, partial(self._speculation.walk, node), last=last)
        answer = self._prober.take(prepared)
        self._announcer.answer(answer, prepared)
        gained = self._state.enter(prepared, answer)
        if answer.first and answer.outcome is not None and self._count_gain is not None:
            self._count_gain(gained)
        return answer.interesting
