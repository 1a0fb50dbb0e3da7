"""One phase of a reduction: the questions of its algorithm, answered with probes."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from core.predicate.verdict import Verdict
from core.protocol import events
from core.protocol.run_words import AnswerSource, EndReason
from core.reduction.control import Gain, ReductionStopped
from core.reduction.probing.outlook import FirstTurn, LeastTurn, Outlook, TestTurn, Turn, View
from core.reduction.probing.prober import Prober
from core.reduction.records import Answer, PreparedCandidate
from core.reduction.state import ReductionState
from core.reduction.wiring import Observer, Probing
from core.search.questions import Algorithm, Enough, First, HungUp, Least, Test

_EMITTED_PER_SECOND = 20
"""Events per second for answers without a probe; further ones are only counted."""


class Announcer:
    """Emits the events of answers and counts, on the driver's thread."""

    def __init__(self, prober: Prober, probing: Probing) -> None:
        self.emit = probing.emit
        self._prober = prober
        self._control = probing.control
        self._last_emitted = 0.0

    def answer(self, answer: Answer, prepared: PreparedCandidate) -> None:
        """Emit an answer that the algorithm got. Most answers without a probe are left out."""
        ran = answer.outcome if answer.source is AnswerSource.RUN else None
        if ran is None and not self._may_emit():
            return
        verdict = Verdict.INTERESTING if answer.interesting else Verdict.NOT_INTERESTING
        self.emit(
            events.Probed(
                probe=answer.probe,
                verdict=(answer.outcome.verdict if answer.outcome else verdict).value,
                source=answer.source,
                seconds=ran.seconds if ran else 0.0,
                at=self._prober.clock.waited(),
                classes=prepared.sub_input.classes,
                bytes=prepared.sub_input.bytes,
                exit=ran.exit if ran else None,
                detail=ran.detail if ran else "",
                stdout=ran.stdout if ran else "",
                stderr=ran.stderr if ran else "",
                lane=answer.lane,
                failures=len(answer.outcome.failures) if answer.outcome else 0,
                processor=ran.processor if ran else 0.0,
                busiest=ran.busiest if ran else 0.0,
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
        if self._control.cancel.is_set():
            raise ReductionStopped(EndReason.STOPPED)
        return True


class PhaseSearch:
    """Answers the questions of one algorithm. ``gain`` ends the phase when its probes no longer pay; None: never."""

    def __init__(
        self,
        prober: Prober,
        state: ReductionState,
        announcer: Announcer,
        observer: Observer,
        outlook: Outlook,
        gain: Gain | None,
    ) -> None:
        self._prober = prober
        self._state = state
        self._announcer = announcer
        self._observer = observer
        self._outlook = outlook
        self._gain = gain

    def follow(self, algorithm: Algorithm) -> None:
        """Answer all questions of ``algorithm``. Raises ReductionStopped and PhaseOver."""
        answer: Any = None
        said: Any = None
        view: View | None = None
        try:
            while True:
                question = algorithm.send(answer)
                if isinstance(question, HungUp):
                    answer = self._prober.hung_up(self._outlook.prepare(question.candidate))
                else:
                    view = View(question, self._outlook) if view is None else view.next(question, said)
                    answer = said = self._answer(view)
        except StopIteration:
            return

    def test(self, question: Test) -> bool:
        """Return True if the candidate of ``question`` is interesting."""
        return self._test(View(question, self._outlook))

    def _answer(self, view: View) -> bool | int | None:
        match view.question:
            case Test():
                return self._test(view)
            case First():
                return self._first(view)
            case Least():
                return self._least(view)
            case Enough(_, prefixes):
                return None if self._test(view) or not prefixes else self._least(view)
            case HungUp():
                raise AssertionError("that is no question about a candidate")

    def _test(self, view: View) -> bool:
        self._announcer.emit(events.Asked("test", 0, 1, len(view.test.candidate), 1, 0, 1))
        yes = self._ask(TestTurn(view), last=isinstance(view.question, Enough))
        self._outlook.tests.note(yes)
        return yes

    def _first(self, view: View) -> int | None:
        """Ask about the candidates of a list in order; return the number of the first interesting one."""
        assert isinstance(view.question, First)
        n = len(view.question.candidates)
        for index in range(n):
            size = len(view.at(index).candidate)
            self._announcer.rarely(events.Asked("first", index, n, size, n, index, n - index))
            yes = self._ask(FirstTurn(view, index))
            self._outlook.lists.note(yes)
            if yes:
                return index
            view.drop(index)
        return None

    def _least(self, view: View) -> int:
        """Walk the decision tree of the strategy; return the number of the least interesting prefix."""
        interval = view.interval
        at = interval.at
        low, high, done = 0, interval.last, 0
        uninteresting: set[int] = set()
        while low <= high:
            point = interval.next(low, high)
            left, size = interval.left(low, high), len(at(point).candidate)
            self._announcer.emit(events.Asked("least", low, high, size, len(interval.prefixes), done, left))
            if self._ask(LeastTurn(view, low, high)):
                high = point - 1
            else:
                uninteresting.add(point)
                low = point + 1
            done += 1
        answer = min(low, interval.last)
        if answer - 1 in uninteresting:
            self._state.prove(at(answer).items & ~at(answer - 1).items, at(answer - 1))
        return answer

    def _ask(self, turn: Turn, *, last: bool = False) -> bool:
        """Return True if the candidate of ``turn`` is interesting, after the state has taken in the answer. Meanwhile
        idle workers try candidates that may come next. Raises ReductionStopped and PhaseOver."""
        self._observer.before_answer()
        prepared = turn.prepared
        idle = partial(self._idle, prepared)
        self._prober.settle(prepared, partial(self._outlook.walk, turn), idle, last=last)
        answer = self._prober.take(prepared)
        self._announcer.answer(answer, prepared)
        gained = self._state.enter(prepared, answer)
        if answer.first and answer.outcome is not None and self._gain is not None:
            self._gain.note(gained)
        return answer.interesting

    def _idle(self, prepared: PreparedCandidate) -> None:
        self._observer.idle(self._state.nearest or prepared.sub_input)
