"""Answers questions about candidates: by the space, by known outcomes of the content, or by a probe.

Workers run ahead of the algorithm. Their outcomes are remembered, but have no effect before the algorithm asks:
:meth:`Prober.take` is called in the order of a serial run. So results, counts of probes and limits do not depend on the
number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.predicate.verdict import ANSWERS, Outcome, Verdict
from core.protocol import events
from core.protocol.run_words import AnswerOrigin, EndReason
from core.reduction.candidate_tester import CandidateTester
from core.reduction.control import Cancel, ReductionStopped
from core.reduction.probing.lookahead import Background, Lookahead, Upcoming
from core.reduction.probing.memory import Keys, KnownAnswers
from core.reduction.probing.workers import ProbeRun
from core.reduction.records import Answer, Clock, Counts, Covered, PreparedCandidate, SubInput
from core.reduction.wiring import Probing
from core.search.questions import Candidate
from core.search.spaces import Space
from core.sets import ItemSet


class Prober:
    """Workers, limits, and known outcomes. Used by one thread."""

    def __init__(
        self,
        tester: CandidateTester,
        probing: Probing,
        interesting: Callable[[Outcome], bool],
    ) -> None:
        self.tester = tester
        self.counts = Counts()
        self.clock = Clock(self.counts)
        self._emit, self._control, self._limits = probing.emit, probing.control, probing.limits
        self._known = KnownAnswers(probing.memory, interesting)
        self._pool = probing.pool
        self._live: dict[bytes, ProbeRun] = {}
        self._unwanted: dict[ProbeRun, bytes] = {}
        self._started = 0
        self._held: ItemSet = (1 << tester.count) - 1
        """Items of the last interesting candidate, numbered by the tester in use."""
        self._over: EndReason | None = None
        self._answered: set[bytes] = set()
        self._fresh: dict[bytes, tuple[ProbeRun, Outcome]] = {}
        self._keys = Keys()
        self._lookahead = Lookahead(self._pool)
        self._covered = Covered()

    def use(self, tester: CandidateTester, background: Background) -> None:
        """Use the item numbers of ``tester`` from now on, and do ``background`` work while probes run."""
        self._lookahead.background = background
        if tester is not self.tester:
            self.tester, self._held = tester, (1 << tester.count) - 1
            self._keys.clear()

    def grant(self, items: ItemSet, outcome: Outcome | None) -> None:
        """Take the caller's word that ``items`` are interesting. ``outcome``: the predicate's outcome, if known."""
        self._known.grant(self._key(items))
        if outcome is not None:
            self._lookahead.ended(outcome.seconds)

    def refute(self, sub_input: SubInput) -> None:
        """Answer from now on that a content is not interesting, because new runs of it or of a later candidate were
        not."""
        key = sub_input.tester.key(sub_input.items)
        self._known.put(key, Outcome(Verdict.NOT_INTERESTING, 0.0, None, "refuted by new runs"))

    def prepare(self, space: Space, candidate: Candidate) -> PreparedCandidate:
        """Return the candidate, ready for a question. Makes the candidate's content, but runs no probe."""
        if not space.admissible(candidate):
            return PreparedCandidate(candidate, space.items(candidate), None, self.tester)
        items = space.items(candidate)
        return PreparedCandidate(candidate, items, self._key(items), self.tester)

    def known(self, prepared: PreparedCandidate) -> bool | None:
        """Return True if the candidate is interesting, False if not, None if only a probe can tell."""
        return False if prepared.key is None else self._known.interesting(prepared.key)

    def asked(self, prepared: PreparedCandidate) -> bool:
        """Return True if the algorithm has had the answer before, or if the space or the caller gives the answer."""
        return prepared.key is None or self._known.granted(prepared.key) or prepared.key in self._answered

    def answer(self, items: ItemSet) -> bool | None:
        """Return the answer that the algorithm has had about ``items``, numbered by the tester in use; None if it has
        had none. Makes no content."""
        key = self._keys.known(items)
        return self._known.interesting(key) if key is not None and key in self._answered else None

    def outcome(self, key: bytes) -> Outcome | None:
        """Return the outcome of the content, as far as this reduction has asked."""
        return self._known.outcome(key)

    def hung_up(self, prepared: PreparedCandidate) -> bool:
        """Return True if a probe of the candidate was killed for its time."""
        outcome = None if prepared.key is None else self._known.outcome(prepared.key)
        return outcome is not None and outcome.verdict is Verdict.TIMED_OUT

    def settle(self, prepared: PreparedCandidate, ahead: Upcoming, *, last: bool) -> None:
        """Wait until the answer about the candidate is known.

        Meanwhile the other workers run the candidates of ``ahead()``, in their order. ``ahead`` is called again after
        each run, and runs that its new answer lacks are cancelled. ``last``: a yes ends the search. Raises
        ReductionStopped.
        """
        pool = self._pool
        while self.known(prepared) is None:
            if self._over is not None:
                raise ReductionStopped(self._over)
            self._control.heed_stop()
            wanted = {prepared.key}
            self._begin(prepared)
            others = iter(ahead())
            while len(wanted) < pool.workers and not pool.waiting and (other := next(others, None)) is not None:
                # making further candidates than this would keep an answer that has come waiting
                wanted.add(other.key)
                self._begin(other, ahead=True)
            self._lookahead.use(others, self._live, prepared.items if last else None)
            if not pool.waiting:
                self._cancel_all_but(wanted)
            for run in self._waited():
                self._finish(run)

    def take(self, prepared: PreparedCandidate) -> Answer:
        """Return the answer for the algorithm, and count the answer. Raises ReductionStopped if the answer would be a
        probe above the limit."""
        counts = self.counts
        if prepared.key is None:
            counts.invalid += 1
            return Answer(AnswerOrigin.INVALID, False, None, counts.probes)
        first, yes = prepared.key not in self._answered, self.known(prepared) is True
        if prepared.key in self._fresh:
            self._check_probes()
            run, outcome = self._fresh.pop(prepared.key)
            counts.probed(outcome)
            counts.speculated -= 1
            answer = Answer(AnswerOrigin.RUN, yes, outcome, run.number, run.lane, first)
        else:
            counts.cached += 1
            recalled = self._known.outcome(prepared.key)
            counts.recalled += first and recalled is not None
            answer = Answer(AnswerOrigin.CACHE, yes, recalled, counts.probes, 0, first)
        self._answered.add(prepared.key)
        if yes:
            self._held = prepared.items
        return answer

    def again(
        self, sub_inputs: Sequence[SubInput], count: Callable[[Outcome], None] | None = None
    ) -> list[Outcome | None]:
        """Run known contents, or contents that ``count`` counts otherwise. Return their outcomes.

        The run of the first content is made in any case; the others only as long as the time limit is not reached: then
        they have no outcome. Raises ReductionStopped.
        """
        count = count or self.counts.confirmed
        wanted = list(enumerate(sub_inputs))
        outcomes: list[Outcome | None] = [None] * len(wanted)
        places: dict[int, int] = {}
        self.halt()
        while wanted or self._pool.busy:
            while wanted and self._pool.free and not (self._control.paused and self._pool.busy):
                self._heed_pause()
                if places and self.late:
                    wanted.clear()
                    break
                place, sub_input = wanted.pop(0)
                run = self._start(sub_input, None, afresh=True)
                places[run.number] = place
            for run in self._waited():
                self._ended(run, cancelled=self._control.cancel.is_set())
                if run.outcome is not None and not self._control.cancel.is_set():
                    count(run.outcome)
                    outcomes[places[run.number]] = run.outcome
                if run.error is not None:
                    self.halt()
                    raise run.error
            if self._control.cancel.is_set():
                self.halt()
                raise ReductionStopped(EndReason.STOPPED)
        return outcomes

    def halt(self) -> None:
        """End all runs; wait until they are gone, with every process that they had started."""
        self._cancel_all_but(set())
        while self._pool.busy:
            for run in self._waited():
                self._finish(run)

    @property
    def waiting(self) -> bool:
        """True if a run has ended and is not collected yet."""
        return self._pool.waiting

    def _begin(self, prepared: PreparedCandidate, ahead: bool = False) -> None:
        """Start a probe that is not under way, if a lane is free. No probe starts during a pause or, ahead of its turn,
        near a limit.

        A probe in its turn waits for the end of a pause. Raises ReductionStopped.
        """
        assert prepared.key is not None
        if prepared.key in self._live or not self._pool.free or (self._control.paused and (ahead or self._pool.busy)):
            return
        if ahead:
            probes = self._limits.probes
            if self.late or (probes is not None and self.counts.probes + len(self._live) >= probes):
                return
        else:
            self._heed_pause()
            if self.late:
                raise ReductionStopped(EndReason.TIME)
            self._check_probes()
        left = None if self._limits.seconds is None else self._limits.seconds - self.clock.elapsed()
        self._live[prepared.key] = self._start(prepared.sub_input, left, ahead)

    def _start(self, sub_input: SubInput, seconds: float | None, ahead: bool = False, afresh: bool = False) -> ProbeRun:
        self._started += 1
        number = self._started
        job = sub_input.tester.prepare(sub_input.items, number, afresh)
        run = self._pool.start(number, job, Cancel(self._control.cancel), seconds)
        self._lookahead.begun()
        lacks = self._held & ~sub_input.items if sub_input.tester is self.tester else 0
        without = next(iter(self.tester.named(lacks & -lacks)), "") if lacks else ""
        size, more = (sub_input.classes, sub_input.bytes), max(0, lacks.bit_count() - 1)
        self._emit(events.Trying(number, sub_input.packed, *size, run.lane, ahead, without, more))
        return run

    def _waited(self) -> list[ProbeRun]:
        runs = self._pool.wait()
        for run in runs:
            if run.outcome is not None:
                self._covered.add(max(run.begun, run.ended - run.outcome.seconds), run.ended)
        self.counts.covered_seconds = self._covered.seconds
        return runs

    def _finish(self, run: ProbeRun) -> None:
        """Remember the outcome of an ended run, unless the run was killed."""
        key = next((key for key, live in self._live.items() if live is run), None)
        unwanted = self._unwanted.pop(run, None)
        if unwanted not in self._live and run.outcome is not None and run.outcome.verdict in ANSWERS:
            key = key or unwanted  # it had ended before it could be killed: its answer counts
        stopped = self._control.cancel.is_set()
        self._ended(run, cancelled=stopped or key is None)
        if key is not None:
            self._live.pop(key, None)
        if stopped:
            return
        if key is None:
            self.counts.speculated += 1
            return
        if run.error is not None:
            self.halt()
            raise run.error
        assert run.outcome is not None
        timed_out = run.outcome.verdict is Verdict.TIMED_OUT
        if timed_out and run.seconds is not None and run.outcome.seconds >= run.seconds:
            # the reduction's time limit ended the run, and not the predicate's own
            self._over = EndReason.TIME
            self.counts.unfinished = 1
            return
        self.counts.speculated += 1  # until it is asked for
        self._lookahead.ended(run.outcome.seconds)
        self._fresh[key] = run, run.outcome
        self._known.put(key, run.outcome)

    def _ended(self, run: ProbeRun, cancelled: bool) -> None:
        outcome = run.outcome
        seconds = 0.0 if outcome is None else outcome.seconds
        verdict = "" if outcome is None or cancelled else outcome.verdict.value
        self._emit(events.Ended(run.number, run.lane, seconds, verdict, cancelled))

    def _cancel_all_but(self, keys: set[bytes | None]) -> None:
        for key in [key for key in self._live if key not in keys]:
            run = self._live.pop(key)
            run.cancel.set()
            self._unwanted[run] = key

    def _heed_pause(self) -> None:
        """Block while paused. Raises ReductionStopped."""
        self.counts.paused_seconds += self._control.wait(
            lambda: self._emit(events.Paused()), lambda: self._emit(events.Resumed())
        )

    def go_on(self, *, resumed: bool) -> None:
        """Raise ReductionStopped after a stop, or once the time limit is reached. A ``resumed`` search may first repeat
        everything whose answers the session has."""
        self._control.heed_stop()
        if self.late and (self._started or not resumed):
            raise ReductionStopped(EndReason.TIME)

    @property
    def late(self) -> bool:
        """True once the time limit is reached."""
        return self._limits.seconds is not None and self.clock.elapsed() >= self._limits.seconds

    def _check_probes(self) -> None:
        if self._limits.probes is not None and self.counts.probes >= self._limits.probes:
            raise ReductionStopped(EndReason.PROBES)

    def _key(self, items: ItemSet) -> bytes:
        return self._keys.get(items, self.tester.key)
