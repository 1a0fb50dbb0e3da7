"""One reduction: the questions of one algorithm after another, answered with probes.

The driver owns everything that an algorithm does not see: probes, workers, the cache by content, limits, pause and
stop, events, and the best candidate so far. Every result was tested interesting.

The result does not depend on the number of workers, whether the predicate is monotone or not. Workers run ahead, but
answers are used in the order of a serial run (:mod:`core.reduction.probing.prober`, :mod:`core.search.bisection`).
No decision depends on the duration of probes, so the search is the same on a busy machine. Only a time limit, of the
run or of a probe, depends on time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.cancellation import cancelled_by
from core.predicate.verdict import Outcome
from core.protocol.run_words import EndReason
from core.reduction.candidate_tester import CandidateTester
from core.reduction.control import CountGain, Patience, PhaseOver, ReductionStopped, TargetGain
from core.reduction.phase_search import Announcer, PhaseSearch
from core.reduction.probing.lookahead import Background
from core.reduction.probing.prober import Prober
from core.reduction.probing.speculation import PhaseCandidates, Speculation
from core.reduction.records import Counts, PhaseResult, Reduction, SubInput, sub_input_of
from core.reduction.repeated_runs import confirm, last_confirmed
from core.reduction.state import ReductionState
from core.reduction.wiring import Judge, Observer, Probing
from core.search.questions import Algorithm, Test
from core.search.spaces import Space
from core.sets import ItemSet

_MEASURED = 0.5
"""Share of its last measured bytes at which the best is run again. See decisions/056-rare-failures.md."""


class Driver:
    """One reduction: its cache, counts, timeline, limits, workers and best so far.

    Call ``begin``, then ``search`` with a plan that calls ``run`` once a phase, then ``reduction``, all on one thread.
    Other threads may use ``probing.control``.
    """

    def __init__(
        self,
        tester: CandidateTester,
        probing: Probing,
        judge: Judge,
        observer: Observer,
    ) -> None:
        self._tester = tester
        self._probing = probing
        self._judge = judge
        self._observer = observer
        self._prober = Prober(tester, probing, self._judge.interesting)
        self._announcer = Announcer(self._prober, probing)
        self._phases: list[PhaseResult] = []
        self._over: EndReason | None = None
        self._at_last: SubInput | None = None

    def begin(self, full: ItemSet, outcome: Outcome | None = None, before: float = 0.0) -> None:
        """Start the clock and the search for something smaller than ``full``.

        ``full`` is known to be interesting; ``outcome`` is the check's outcome for ``full``. ``before``: seconds that
        the user has waited until now; the times in events include them.
        """
        prober = self._prober
        prober.grant(full, outcome)
        prober.clock.start(before)
        start = sub_input_of(self._tester, full)
        self._measured = start.bytes
        self._state = ReductionState(start, outcome, prober.clock, self._probing.emit, self._observer)

    @property
    def best(self) -> SubInput:
        """The smallest candidate that was tested interesting."""
        return self._state.best

    @property
    def neighbour(self) -> SubInput | None:
        """The uninteresting candidate that is confirmed together with the result."""
        return self._state.neighbour

    @property
    def stopped(self) -> bool:
        """True after a stop or at a limit: further phases would end at once."""
        return self._over is not None

    @property
    def late(self) -> bool:
        """True once the time limit is reached."""
        return self._prober.late

    @property
    def counts(self) -> Counts:
        """The counts of answers and probes so far."""
        return self._prober.counts

    def last_with(self, shows: Callable[[SubInput], bool]) -> SubInput | None:
        """Return the last accepted step that ``shows`` finds good, by halves; None if this is the start."""
        steps = [*reversed(self._state.history), self._state.start]
        place = last_confirmed(lambda number: shows(steps[number]), len(steps) - 1, lambda: self.late)
        return steps[place] if steps[place] is not self._state.start else None

    @property
    def to_confirm(self) -> bool:
        """True if the best is to be run once more. False past the time limit, if the best is still the input that the
        check has run, or was run past the limit."""
        checked = (self._judge.checked and not self._state.history) or self.best is self._at_last
        return self._judge.confirm and not (checked and self.late)

    @property
    def untried(self) -> bool:
        """True if the time limit has ended the search before any answer."""
        return self._over is EndReason.TIME and not self._prober.counts.answered and not self._state.history

    def smallest_with(self, failure: str) -> SubInput | None:
        """Return the smallest candidate with ``failure``: a start for a reduction of that failure."""
        return self._state.smallest.get(failure)

    def shown_by(self, tester: CandidateTester, items: ItemSet) -> Sequence[str] | None:
        """Return the failures that a candidate showed, one entry an occurrence; None if it was never probed."""
        outcome = self.outcome(tester.key(items))
        return None if outcome is None else outcome.failures

    def outcome(self, key: bytes) -> Outcome | None:
        """Return the outcome of a content; None if it was never probed."""
        return self._prober.outcome(key)

    def run(
        self,
        space: Space,
        algorithm: Algorithm,
        tester: CandidateTester | None = None,
        *,
        end: Patience | TargetGain | None = None,
        background: Background | None = None,
    ) -> PhaseResult:
        """Run one phase: drive ``algorithm`` in ``space`` to its end, a limit or a stop.

        The phase starts from all elements of the space, normally the best so far. If ``tester`` writes them with other
        bytes than the best, they are tested first. ``background`` is work for the time in which probes run. After a
        stop or at a limit further phases end at once.
        """
        before, counts, clock = self.best.bytes, self._prober.counts, self._prober.clock
        probes, start = counts.probes, clock.elapsed()
        if not self.stopped:
            self._use(tester or self._tester, background or Background())
        reason = self._search(space, algorithm, end.counted() if end else None)
        phase = PhaseResult(
            best=self.best,
            reason=reason,
            probes=counts.probes - probes,
            seconds=clock.elapsed() - start,
            gained=before - self.best.bytes,
        )
        self._phases.append(phase)
        self._announcer.count()
        return phase

    def measure(self) -> None:
        """Run the best once more if the judge asks for that and the best has shrunk to ``_MEASURED`` of its size at the
        last such run.

        An unconfirmed best gives way to the last accepted step that is confirmed; the later ones count as not
        interesting.
        """
        if not self._judge.rare or self.stopped or self.best.bytes > _MEASURED * self._measured:
            return
        steps = list(self._state.history)
        try:
            confirm(self._state, self._prober, self._judge, self._probing.emit)
        except ReductionStopped as stop:
            self._over = stop.reason
            return
        self._measured, self._state.held = self.best.bytes, self.best
        place = steps.index(self.best) if self.best in steps else -1
        for step in steps[place + 1 :]:
            self._prober.refute(step)

    def search(self, plan: Callable[[], None], *, resumed: bool = False) -> None:
        """Run a plan, which calls ``run`` once a phase.

        A stop and the time limit also end what the plan computes between its probes. ``resumed``: see
        :meth:`Prober.go_on`.
        """
        try:
            with cancelled_by(partial(self._prober.go_on, resumed=resumed)):
                plan()
        except ReductionStopped as stop:
            self._over = self._over or stop.reason

    def try_at_last(self, tester: CandidateTester, items: ItemSet) -> bool:
        """Run one candidate past the time limit; return True if it is interesting, and then the best."""
        candidate = sub_input_of(tester, items)
        try:
            (outcome,) = self._prober.again([candidate], self._prober.counts.probed)
        except ReductionStopped as stop:
            self._over = stop.reason
            return False
        if outcome is None or not self._judge.interesting(outcome):
            return False
        self._use(tester, Background())
        self._at_last = candidate
        self._state.accept(candidate)
        return True

    def answer(self, tester: CandidateTester, items: ItemSet) -> bool | None:
        """Return the answer about a candidate of the last phase; None if the candidate was not asked about."""
        return self._prober.answer(items) if tester is self._tester else None

    def searched(self) -> None:
        """Emit that the search is over. To be called again while something else is waited for."""
        self._announcer.count(searched=True)

    def reduction(self) -> Reduction:
        """Return the result, confirmed if the judge asks for that. Its reason is the cause of a stop, or ``done``.

        An unconfirmed best gives way to the last accepted step that is confirmed. Past the time limit only the best is
        run. A stopped confirmation says nothing.
        """
        confirmed = 0, 0
        shown: Outcome | None = None
        if self.to_confirm and not self._probing.control.cancel.is_set():
            changed = self._prober.counts.flaky
            try:
                shown = confirm(self._state, self._prober, self._judge, self._probing.emit)
                confirmed = 1, int(self._judge.interesting(shown))
            except ReductionStopped as stop:
                self._over = self._over or stop.reason
                # a confirmation that was cut short has no verdict
                self._prober.counts.flaky, self._prober.counts.ended = changed, ""
            finally:
                self._prober.halt()
        self._announcer.count(searched=True)
        return Reduction(
            reason=self._over or EndReason.DONE,
            seconds=self._prober.clock.elapsed(),
            counts=self._prober.counts,
            timeline=tuple(self._state.timeline),
            best=self.best,
            phases=tuple(self._phases),
            failures=dict(self._state.smallest),
            confirmed=confirmed,
            outcome=shown,
        )

    def _use(self, tester: CandidateTester, background: Background) -> None:
        self._tester = tester
        self._prober.use(tester, background)
        self._state.use(tester)

    def _search(self, space: Space, algorithm: Algorithm, count_gain: CountGain | None) -> EndReason:
        """Drive the algorithm to its end; return the reason for the end."""
        try:
            return self._over or self._drive(space, algorithm, count_gain)
        except PhaseOver as over:
            return over.reason
        except ReductionStopped as stop:
            self._over = stop.reason
            return stop.reason
        finally:
            algorithm.close()
            self._prober.halt()

    def _drive(self, space: Space, algorithm: Algorithm, count_gain: CountGain | None) -> EndReason:
        prober, state = self._prober, self._state
        candidates = PhaseCandidates(partial(prober.prepare, space), space.cost, state.start.bytes)
        speculation = Speculation(candidates, prober, self._observer.runs_ahead)
        search = PhaseSearch(prober, state, self._announcer, self._observer, speculation, count_gain)
        whole = candidates.prepare(space.elements)
        if not prober.asked(whole):
            # also where another worker has found it out: it must count as it does without others
            search.test(Test(space.elements))
        if not prober.known(whole):
            return EndReason.LOST
        state.start_from(whole)
        search.follow(algorithm)
        return EndReason.DONE
