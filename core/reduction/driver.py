"""Answers the questions of one algorithm after another: a reduction in phases.

The driver owns everything that an algorithm does not see: probes, workers, the cache by content, limits, pause and
stop, events, and the best candidate so far. It never returns a candidate that was not tested interesting.

The result does not depend on the number of workers, whether the predicate is monotone or not: workers run ahead, but
answers are used in the order of a serial run (:mod:`core.reduction.probing.prober`, :mod:`core.reduction.bisection`),
and nothing is decided by what probes took: the search is the same on a busy machine. Only a time limit, of the run or
of a probe, depends on time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.announcer import Announcer
from core.reduction.bisection import DEFAULT, strategy
from core.reduction.candidate_tester import CandidateTester
from core.reduction.confirm import confirm
from core.reduction.control import Control, Gain, Patience, PhaseOver, ReductionStopped, RunLimits
from core.reduction.interval import Interval
from core.reduction.probing.lookahead import Background, Queue, Upcoming
from core.reduction.probing.memory import Memory
from core.reduction.probing.prober import Prober
from core.reduction.probing.reconsidering import Late
from core.reduction.records import (
    Counts,
    PhaseResult,
    PreparedCandidate,
    Reduction,
    SubInput,
    TimelineStep,
    sub_input_of,
)
from core.reduction.state import ReductionState
from core.search.item_sets import ItemSet
from core.search.questions import Algorithm, Candidate, Enough, First, HungUp, Least, Question, Test
from core.search.spaces.class_spaces import Space

__all__ = ["CandidateTester", "Counts", "Driver", "PhaseResult", "Reduction", "SubInput", "TimelineStep"]


class Driver:
    """One reduction: its cache, counts, timeline, limits, workers and best so far.

    ``begin``, then ``run`` once a phase, then ``reduction``, all on one thread; others may use ``control``.

    ``on_best`` is told of every new best, ``on_needed`` of items (numbered by a tester) of which one is needed.
    ``least`` names a strategy of :data:`core.reduction.bisection.STRATEGIES`. ``interesting`` reads an outcome: another
    reader with the same ``memory`` uses all that earlier reductions found out. ``confirm`` is how often the result is
    run once more at the end. ``between`` is called before each answer that may take a probe, and may raise to end the
    reduction.
    """

    def __init__(
        self,
        tester: CandidateTester,
        listener: events.Listener,
        *,
        control: Control | None = None,
        limits: RunLimits | None = None,
        on_best: Callable[[SubInput], None] = lambda best: None,
        on_needed: Callable[[CandidateTester, ItemSet], None] = lambda tester, items: None,
        workers: int = 1,
        least: str = DEFAULT,
        memory: Memory | None = None,
        interesting: Callable[[Outcome], bool] = lambda outcome: outcome.interesting,
        confirm: int = 0,
        between: Callable[[], None] = lambda: None,
    ) -> None:
        self._tester = tester
        self._emit = listener
        self._control = control or Control()
        self._on_best = on_best
        self._on_needed = on_needed
        self._strategy = strategy(least)
        self._interesting = interesting
        self._confirm = confirm
        self._between = between
        self._prober = Prober(tester, listener, self._control, limits or RunLimits(), workers, memory, interesting)
        self._phases: list[PhaseResult] = []
        self._over = ""
        self._gain: Gain | None = None
        self._announcer = Announcer(self._prober, listener, self._control)
        self._later: Interval | None = None
        self._timed_out = Late()

    def begin(self, full: ItemSet, outcome: Outcome | None = None, before: float = 0.0) -> None:
        """Starts the clock. ``full`` is known to be interesting; ``outcome`` is what the check said of it; ``before``:
        seconds that the user has waited until now, which events count in."""
        prober = self._prober
        prober.grant(full, outcome)
        prober.clock.start(before)
        self._state = ReductionState(
            sub_input_of(self._tester, full),
            outcome,
            prober.counts,
            prober.clock,
            self._emit,
            self._on_best,
            self._on_needed,
        )

    @property
    def best(self) -> SubInput:
        """The smallest candidate that was tested interesting."""
        return self._state.best

    @property
    def stopped(self) -> bool:
        """Whether a stop or a limit has ended the reduction: further phases would end at once."""
        return bool(self._over)

    @property
    def late(self) -> bool:
        """Whether the time limit is reached."""
        return self._prober.late

    @property
    def failures(self) -> dict[str, SubInput]:
        """For each failure that a probe named, the smallest candidate that showed it."""
        return dict(self._state.smallest)

    def smallest_with(self, failure: str) -> SubInput | None:
        """The smallest candidate that showed that failure: where a reduction for it may start."""
        return self._state.smallest.get(failure)

    def run(
        self,
        space: Space,
        algorithm: Algorithm,
        tester: CandidateTester | None = None,
        *,
        patience: Patience | None = None,
        background: Background | None = None,
    ) -> PhaseResult:
        """Drives ``algorithm`` in ``space`` to its end, a limit or a stop: one phase.

        All elements of the space together are what the phase starts from, normally the best so far. Where a ``tester``
        with other item numbers writes it with other bytes, it is tested first. ``background`` is done while probes
        run. After a stop or at a limit further phases end at once.
        """
        before, counts = self.best.bytes, self._prober.counts
        probes, cached, invalid = counts.probes, counts.cached, counts.invalid
        spent, start = counts.predicate_seconds, self._prober.clock.elapsed()
        reason = self._over
        try:
            if not reason:
                self._gain = Gain(patience) if patience else None
                reason = self._drive(space, algorithm, tester or self._tester, background or Background())
        except PhaseOver as over:
            reason = over.reason
        except ReductionStopped as stop:
            reason = self._over = stop.reason
        finally:
            algorithm.close()
            self._prober.halt()
            self._later = None
        phase = PhaseResult(
            best=self.best,
            reason=reason,
            probes=counts.probes - probes,
            cached=counts.cached - cached,
            invalid=counts.invalid - invalid,
            seconds=self._prober.clock.elapsed() - start,
            predicate_seconds=counts.predicate_seconds - spent,
            gained=before - self.best.bytes,
        )
        self._phases.append(phase)
        self._announcer.count()
        return phase

    def reduction(self, reason: str | None = None) -> Reduction:
        """The result, confirmed if that was wished for. ``reason`` is by default what stopped the run, or ``done``.

        If the best is not interesting when it is run again, the last accepted step that is takes its place. Past the
        time limit the best is run all the same, but nothing else.
        """
        confirmed, searched = (0, 0), self._prober.clock.elapsed()
        shown: Outcome | None = None
        if self._confirm and not self._control.cancel.is_set():
            try:
                runs, yes, shown = confirm(self._state, self._prober, self._confirm, self._interesting, self._emit)
                confirmed = (runs, yes)
            except ReductionStopped as stop:
                self._over = self._over or stop.reason
            finally:
                self._prober.halt()
        self._announcer.count()
        seconds = self._prober.clock.elapsed()
        return Reduction(
            items=self.best.items,
            reason=reason or self._over or "done",
            seconds=seconds,
            counts=self._prober.counts,
            timeline=tuple(self._state.timeline),
            best=self.best,
            history=tuple(self._state.history),
            phases=tuple(self._phases),
            failures=self.failures,
            confirming=seconds - searched,
            confirmed=confirmed,
            outcome=shown,
        )

    def reconsider(self) -> bool:
        """Asks again what was killed for its time, and would be smaller; whether that gave another best."""
        if self._over or self._control.cancel.is_set():
            return False
        try:
            return self._timed_out.ask_again(self._state, self._prober, self._interesting)
        except ReductionStopped as stop:
            self._over = stop.reason
            return False
        finally:
            self._prober.halt()

    def _drive(self, space: Space, algorithm: Algorithm, tester: CandidateTester, background: Background) -> str:
        self._tester, self._space = tester, space
        self._prober.use(tester, background)
        self._state.use(tester)
        whole = self._prober.prepare(space, space.elements)
        if not self._prober.asked(whole):
            # also where another worker has found it out: it must count as it does without others
            self._test(space.elements)
        if not self._prober.known(whole):
            return "lost"
        self._state.start_from(whole)
        answer: Any = None
        try:
            while True:
                answer = self._answer(algorithm.send(answer))
        except StopIteration:
            return "done"

    def _answer(self, question: Question) -> bool | int | None:
        match question:
            case Test(candidate):
                return self._test(candidate)
            case First(candidates):
                return self._first(candidates)
            case Least(prefixes):
                return self._least(prefixes)
            case Enough(candidate, prefixes):
                return None if self._test(candidate, prefixes) or not prefixes else self._least(prefixes)
            case HungUp(candidate):
                return self._prober.hung_up(self._prober.prepare(self._space, candidate))

    def _test(self, candidate: Candidate, otherwise: Sequence[Candidate] | None = None) -> bool:
        """Meanwhile other workers try what is asked about if the answer is no."""
        self._emit(events.Asked("test", 0, 1, len(candidate), 1, 0, 1))

        def ahead() -> Iterator[PreparedCandidate]:
            if otherwise:
                interval = self._interval(otherwise)
                yield from interval.ahead(0, interval.last)

        yes = self._ask(self._prober.prepare(self._space, candidate), ahead, last=otherwise is not None)
        if yes:
            self._prober.cancel()
        return yes

    def _first(self, candidates: Sequence[Candidate]) -> int | None:
        """Walks the list in order; other workers try later candidates meanwhile, and stop at the first yes."""
        n = len(candidates)
        prober = self._prober
        queue = Queue(
            n, lambda index: prober.prepare(self._space, candidates[index]), prober.known, lambda: prober.waiting
        )
        for index in range(n):
            prepared = queue.at(index)
            self._announcer.rarely(events.Asked("first", index, n, len(prepared.candidate), n, index, n - index))
            if self._ask(prepared, queue.ahead):
                self._prober.cancel()
                return index
        return None

    def _least(self, prefixes: Sequence[Candidate]) -> int:
        """Walks the decision tree of the strategy; other workers try the points that may follow."""
        interval = self._interval(prefixes)
        at = interval.at
        low, high, done = 0, interval.last, 0
        uninteresting: set[int] = set()
        while low <= high:
            point = interval.next(low, high)
            left = interval.left(low, high)
            self._emit(events.Asked("least", low, high, len(at(point).candidate), len(prefixes), done, left))
            if self._ask(at(point), partial(interval.ahead, low, high)):
                high = point - 1
            else:
                uninteresting.add(point)
                low = point + 1
            done += 1
        self._prober.cancel()
        answer = min(low, interval.last)
        if answer - 1 in uninteresting:
            self._state.prove(at(answer).items & ~at(answer - 1).items, at(answer - 1))
        return answer

    def _interval(self, prefixes: Sequence[Candidate]) -> Interval:
        """The points of a question, whose first candidates may have been prepared before it was asked."""
        if self._later is None or self._later.prefixes is not prefixes:
            prober = self._prober
            prepare = partial(prober.prepare, self._space)
            self._later = Interval(
                prefixes, prepare, prober.known, self._space.cost, self._state.start.bytes, self._strategy
            )
        return self._later

    def _ask(
        self,
        prepared: PreparedCandidate,
        ahead: Upcoming = tuple,
        *,
        last: bool = False,
    ) -> bool:
        """Whether the candidate is interesting, with all that follows from it. Raises Stop and PhaseOver."""
        self._between()
        self._prober.settle(prepared, ahead, last=last)
        answer = self._prober.take(prepared)
        self._announcer.answer(answer, prepared)
        outcome = answer.outcome if answer.first else None
        self._timed_out.note(prepared.key, lambda: prepared.sub_input, outcome)
        gained = self._state.enter(prepared, answer.probe, outcome, answer.interesting)
        if outcome is not None and self._gain is not None:
            self._gain.note(gained)
        return answer.interesting
