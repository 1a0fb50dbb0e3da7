"""Answers the questions of one algorithm after another: a reduction in phases.

The driver owns everything that an algorithm does not see: probes, workers, the cache by content, limits, pause and
stop, events, and the best candidate so far. It never returns a candidate that was not tested interesting.

The result does not depend on the number of workers, whether the predicate is monotone or not: workers run ahead, but
answers are used in the order of a serial run (:mod:`core.reduction.probing.prober`, :mod:`core.reduction.bisection`),
and nothing is decided by what probes took: the search is the same on a busy machine. Only a time limit, of the run or
of a probe, depends on time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from core.predicate.verdict import Outcome
from core.protocol import events
from core.reduction.announcer import Announcer
from core.reduction.bisection import DEFAULT, strategy
from core.reduction.candidate_tester import CandidateTester
from core.reduction.confirm import confirm
from core.reduction.control import Control, Gain, Patience, PhaseOver, ReductionStopped, RunLimits
from core.reduction.probing.lookahead import Background
from core.reduction.probing.memory import Memory
from core.reduction.probing.outlook import FirstTurn, LeastTurn, Outlook, TestTurn, Turn, View
from core.reduction.probing.prober import Prober
from core.reduction.probing.reconsidering import Late
from core.reduction.probing.workers import Workers
from core.reduction.records import (
    Counts,
    PhaseResult,
    Reduction,
    SubInput,
    TimelineStep,
    sub_input_of,
)
from core.reduction.state import ReductionState
from core.search.item_sets import ItemSet
from core.search.questions import Algorithm, Enough, First, HungUp, Least, Test
from core.search.spaces.class_spaces import Space

__all__ = ["CandidateTester", "Counts", "Driver", "PhaseResult", "Reduction", "SubInput", "TimelineStep"]


class Driver:
    """One reduction: its cache, counts, timeline, limits, workers and best so far.

    ``begin``, then ``run`` once a phase, then ``reduction``, all on one thread; others may use ``control``.

    ``on_best`` is told of every new best, ``on_needed`` of items (numbered by a tester) of which one is needed.
    ``least`` names a strategy of :data:`core.reduction.bisection.STRATEGIES`. ``interesting`` reads an outcome: another
    reader with the same ``memory`` uses all that earlier reductions found out. ``confirm`` is how often the result is
    run once more at the end; ``checked``: whether what it starts from is the full input that the check has run.
    ``between`` is called before each answer that may take a probe, and returns whether the reduction ends. ``pool``:
    who runs the probes, by default threads of ours; ``elsewhere``: they run on other machines; ``far``: whether workers
    go on to questions that may follow; ``on_idle`` is told the neighbour that the result would have, while a worker has
    nothing to do.
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
        checked: bool = False,
        between: Callable[[], bool] = lambda: False,
        pool: Workers | None = None,
        elsewhere: bool = False,
        far: Callable[[], bool] = lambda: True,
        on_idle: Callable[[SubInput], None] = lambda neighbour: None,
    ) -> None:
        self._tester = tester
        self._emit = listener
        self._control = control or Control()
        self._on_best = on_best
        self._on_needed = on_needed
        self._strategy = strategy(least)
        self._interesting = interesting
        self._confirm = confirm
        self._checked = checked
        self._between = between
        self._far = far
        self._prober = Prober(
            tester,
            listener,
            self._control,
            limits or RunLimits(),
            workers,
            memory,
            interesting,
            pool,
            elsewhere=elsewhere,
            on_idle=lambda asked: on_idle(self._state.nearest or asked),
        )
        self._phases: list[PhaseResult] = []
        self._over = ""
        self._gain: Gain | None = None
        self._announcer = Announcer(self._prober, listener, self._control)
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
    def neighbour(self) -> SubInput | None:
        """The candidate that is run once more with the result: one that was not interesting."""
        return self._state.neighbour

    @property
    def stopped(self) -> bool:
        """Whether a stop or a limit has ended the reduction: further phases would end at once."""
        return bool(self._over)

    @property
    def late(self) -> bool:
        """Whether the time limit is reached."""
        return self._prober.late

    @property
    def to_confirm(self) -> bool:
        """Whether the best is run once more: not when time is up and it is still what the check has run."""
        checked = self._checked and not self._state.history
        return bool(self._confirm) and not (checked and self.late)

    @property
    def failures(self) -> dict[str, SubInput]:
        """For each failure that a probe named, the smallest candidate that showed it."""
        return dict(self._state.smallest)

    def smallest_with(self, failure: str) -> SubInput | None:
        """The smallest candidate that showed that failure: where a reduction for it may start."""
        return self._state.smallest.get(failure)

    def shown_by(self, tester: CandidateTester, items: ItemSet) -> Sequence[str] | None:
        """The failures that a candidate showed, one entry an occurrence; None where it was not asked about."""
        outcome = self._prober.outcome(tester.key(items))
        return None if outcome is None else outcome.failures

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

    def searched(self) -> None:
        """Tells that the search is over and others are waited for; to be called again while they are."""
        self._announcer.count(searched=True)

    def reduction(self, reason: str | None = None) -> Reduction:
        """The result, confirmed if that was wished for. ``reason`` is by default what stopped the run, or ``done``.

        If the best is not interesting when it is run again, the last accepted step that is takes its place. Past the
        time limit the best is run all the same, but nothing else.
        """
        confirmed, searched = (0, 0), self._prober.clock.elapsed()
        shown: Outcome | None = None
        if self.to_confirm and not self._control.cancel.is_set():
            try:
                runs, yes, shown = confirm(self._state, self._prober, self._confirm, self._interesting, self._emit)
                confirmed = (runs, yes)
            except ReductionStopped as stop:
                self._over = self._over or stop.reason
            finally:
                self._prober.halt()
        self._announcer.count(searched=True)
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
        prober = self._prober
        prober.use(tester, background)
        self._state.use(tester)
        prepare = partial(prober.prepare, space)
        outlook = Outlook(
            prepare,
            prober.known,
            lambda: prober.waiting,
            space.cost,
            self._state.start.bytes,
            self._strategy,
            self._far,
        )
        whole = prepare(space.elements)
        if not prober.asked(whole):
            # also where another worker has found it out: it must count as it does without others
            self._test(View(Test(space.elements), outlook))
        if not prober.known(whole):
            return "lost"
        self._state.start_from(whole)
        return self._follow(algorithm, outlook)

    def _follow(self, algorithm: Algorithm, outlook: Outlook) -> str:
        answer: Any = None
        said: Any = None
        view: View | None = None
        try:
            while True:
                question = algorithm.send(answer)
                if isinstance(question, HungUp):
                    answer = self._prober.hung_up(outlook.prepare(question.candidate))
                else:
                    view = View(question, outlook) if view is None else view.next(question, said)
                    answer = said = self._answer(view)
        except StopIteration:
            return "done"

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
        self._emit(events.Asked("test", 0, 1, len(view.test.candidate), 1, 0, 1))
        yes = self._ask(view.outlook, TestTurn(view), last=isinstance(view.question, Enough))
        view.outlook.tests.note(yes)
        return yes

    def _first(self, view: View) -> int | None:
        """Walks the list in order."""
        assert isinstance(view.question, First)
        n = len(view.question.candidates)
        for index in range(n):
            size = len(view.at(index).candidate)
            self._announcer.rarely(events.Asked("first", index, n, size, n, index, n - index))
            yes = self._ask(view.outlook, FirstTurn(view, index))
            view.outlook.lists.note(yes)
            if yes:
                return index
            view.drop(index)
        return None

    def _least(self, view: View) -> int:
        """Walks the decision tree of the strategy."""
        interval = view.interval
        at = interval.at
        low, high, done = 0, interval.last, 0
        uninteresting: set[int] = set()
        while low <= high:
            point = interval.next(low, high)
            left = interval.left(low, high)
            self._emit(events.Asked("least", low, high, len(at(point).candidate), len(interval.prefixes), done, left))
            if self._ask(view.outlook, LeastTurn(view, low, high)):
                high = point - 1
            else:
                uninteresting.add(point)
                low = point + 1
            done += 1
        answer = min(low, interval.last)
        if answer - 1 in uninteresting:
            self._state.prove(at(answer).items & ~at(answer - 1).items, at(answer - 1))
        return answer

    def _ask(self, outlook: Outlook, turn: Turn, *, last: bool = False) -> bool:
        """Whether the candidate whose turn it is is interesting, with all that follows from it; meanwhile other workers
        try those that may come next. Raises Stop and PhaseOver."""
        if self._between():
            raise ReductionStopped("check")
        prepared = turn.prepared
        self._prober.settle(prepared, partial(outlook.walk, turn), last=last)
        answer = self._prober.take(prepared)
        self._announcer.answer(answer, prepared)
        outcome = answer.outcome if answer.first else None
        self._timed_out.note(prepared.key, lambda: prepared.sub_input, outcome)
        gained = self._state.enter(prepared, answer.probe, outcome, answer.interesting)
        if outcome is not None and self._gain is not None:
            self._gain.note(gained)
        return answer.interesting
