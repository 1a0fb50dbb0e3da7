"""The window's knowledge of a run, built from the engine's events alone. No Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import NDArray

from app.engine.event_decoder import Bits, Message, unpack
from app.engine.opened_jar import NO_JAR, OpenedJar
from app.engine.runs import RunRecord, StepSummary, same_check, smallest
from core.protocol import events
from core.protocol.java_names import split
from core.protocol.run_words import AnswerOrigin, EndReason
from core.protocol.settings import Settings


class ItemState(IntEnum):
    """State of an item; the numbers stand in ``RunState.states``."""

    KEPT = 0
    NEEDED = 1
    TRYING = 2
    GONE = 3
    SO_FAR = 4
    """Needed so far: another phase of the search may remove it."""


class EngineState(Enum):
    """The activities of the engine, as far as the buttons depend on them."""

    EMPTY = "empty"
    LOADING = "loading"
    READY = "ready"
    CHECKING = "checking"
    RUNNING = "running"
    PAUSED = "paused"
    STOPPING = "stopping"
    DEAD = "dead"

    @property
    def busy(self) -> bool:
        """Return True if a check or a reduction goes on."""
        return self in (EngineState.CHECKING, EngineState.RUNNING, EngineState.PAUSED, EngineState.STOPPING)

    @property
    def reducing(self) -> bool:
        """Return True if a reduction goes on."""
        return self in (EngineState.RUNNING, EngineState.PAUSED, EngineState.STOPPING)


@dataclass(slots=True)
class Lane:
    """One worker: its present run, and the time of the last one."""

    trial: events.Trying | None = None
    since: float = 0.0
    """When it began, by the window's own clock."""
    last: str = ""
    """Verdict of the last run."""
    seconds: float = 0.0


@dataclass(slots=True)
class RunState:
    """The model of the window: the jar, the run's progress."""

    jar: OpenedJar = NO_JAR
    phase: EngineState = EngineState.EMPTY
    probes: list[events.Probed] = field(default_factory=list)
    """Judged candidates, in order: all that ran, some of the others."""
    orders: list[int] = field(default_factory=list)
    """Parallel to ``probes``: how many runs had been asked for by then."""
    steps: list[StepSummary] = field(default_factory=list)
    """The start and every accepted candidate."""
    executed: int = 0
    """Probes that ran the predicate."""
    cached: int = 0
    """Candidates that had been judged before."""
    now: float = 0.0
    """Seconds since the reduction began, as of the last event."""
    question: events.Asked | None = None
    trial: events.Trying | None = None
    lanes: dict[int, Lane] = field(default_factory=dict)
    phases: list[events.Searching] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    """Failures in the order of their first probes, each with that probe's number; 0 = the full input."""
    warnings: list[str] = field(default_factory=list)
    doubts: list[str] = field(default_factory=list)
    """Warnings that are reasons not to believe the result."""
    stalled: events.Stalled | None = None
    """The last stall of the search; None once the best has fallen again, and after the end."""
    settings: Settings | None = None
    """Of the present run, or else the last one."""
    checking: list[tuple[events.Checking, float]] = field(default_factory=list)
    """The runs of the check, each with its beginning by the monotonic clock."""
    checked_settings: Settings | None = None
    """Of the check whose outcome is shown."""
    runs: list[RunRecord] = field(default_factory=list)
    """The reductions of this input, in order."""
    replayed: int = 0
    """Answers that an earlier part of the session gave, before this one's first probe."""
    left: tuple[float, float] = (-1.0, -1.0)
    """Seconds that the run may still take, at least and at most; -1 = not known."""
    left_told: float = 0.0
    """When that was told, by the monotonic clock."""
    checked: events.Checked | None = None
    finished: events.Finished | None = None
    outcome: events.Checked | events.Finished | None = None
    """The check or the reduction that ended last; None once something has begun after it."""
    changed: bool = False
    """True if :attr:`states` changed since the watcher last cleared this field."""
    accepted_new: bool = False
    """True if a step was accepted since the watcher last cleared this field."""
    kept: StepSummary | None = None
    """The smallest result of the session that was opened; None without one."""
    _restored: StepSummary | None = None
    """As :attr:`kept`, until the input of the session is here."""
    _from: StepSummary | None = None
    """The accepted step that the run goes on from, until the run has one of its own."""
    _best: Bits = field(default_factory=lambda: np.zeros(0, np.bool_))
    _needed: Bits = field(default_factory=lambda: np.zeros(0, np.bool_))
    _tried: Bits | None = None
    _states: NDArray[np.uint8] | None = None

    @property
    def states(self) -> NDArray[np.uint8]:
        """:class:`ItemState` of each item; worked out when read, for events come faster than frames."""
        if self._states is None:
            states = np.where(self._best, np.uint8(ItemState.KEPT), np.uint8(ItemState.GONE))
            if self._tried is not None:
                states[self._best & ~self._tried] = ItemState.TRYING
            states[self._best & self._needed] = ItemState.NEEDED if self.proved else ItemState.SO_FAR
            if self._tried is not None and self.trial is not None:
                item = self.jar.numbers.get(split(self.trial.without)[0], -1)
                if 0 <= item < len(states):  # some of its code is tried, also where the class is needed
                    states[item] = ItemState.TRYING
            self._states = states
        return self._states

    def apply(self, message: Message) -> None:
        """Take in one message of the engine."""
        match message:
            case OpenedJar():
                self._open(message)
            case events.Trying():
                self.trial = message
                lane = self.lanes.setdefault(message.lane, Lane())
                lane.trial, lane.since = message, time.monotonic()
                self._tried = unpack(message.kept, self.jar.items)
                self._paint()
            case events.Accepted():
                self._best = unpack(message.kept, self.jar.items)
                self.stalled = None
                self.replayed += not self.executed  # not each known answer is told, but each step is one
                self._add_step(message, message.at, message.items, len(self.steps))
                self.now = max(self.now, message.at)
                self._paint()
            case events.Needed():
                self._needed |= unpack(message.kept, self.jar.items)
                self._paint()
            case events.Finished():
                self._finish(message)
            case events.Probed():
                self.probes.append(message)
                self.executed += message.origin == AnswerOrigin.RUN
                self.orders.append(self.answered)
                self.now = max(self.now, message.at)
                if self._tried is not None:
                    self._tried = None
                    self._paint()
            case events.Counted():
                self.executed, self.cached = message.probes, message.cached
                self.left, self.left_told = (message.least_left, message.most_left), time.monotonic()
                if not message.probes:
                    self.replayed = max(self.replayed, message.cached)
                self.now = max(self.now, message.at)
            case events.Asked():
                self.question = message
            case events.Ended():
                self._end_run(message)
            case events.Searching():
                self.phases.append(message)
                self._prove_none()  # items needed in a larger candidate need not be needed now
            case events.Met():
                for name in message.failures:
                    self.met.setdefault(name, message.probe)
            case events.Stalled():
                self.stalled = message
            case events.Warned():
                (self.doubts if message.doubt else self.warnings).append(message.message)
            case events.Checking():
                self.checking.append((message, time.monotonic()))
            case events.Restored():
                self._restored = StepSummary(0.0, 0, 0, message.best, probe=1) if message.best else None
            case events.Started():
                self._start(message)
            case events.Checked(stopped=True):
                self.checked = self.checked_settings = None
                self.phase = EngineState.READY
            case events.Checked():
                self.checked = self.outcome = message
                if self.phase is not EngineState.CHECKING:
                    self.checked_settings = self.settings
                for name in message.failures:
                    self.met.setdefault(name, 0)
                if self.phase is EngineState.CHECKING:
                    self.phase = EngineState.READY
            case events.Paused():
                if self.phase is EngineState.RUNNING:
                    self.phase = EngineState.PAUSED
            case events.Resumed():
                if self.phase is EngineState.PAUSED:
                    self.phase = EngineState.RUNNING
            case events.Failed():
                self._fail(message)

    @property
    def answered(self) -> int:
        """Return the number of answers so far: probes, and answers that the session had from before."""
        return self.executed + self.replayed

    @property
    def replaying(self) -> bool:
        """Return True if all answers until now were known from before."""
        return bool(self.replayed) and not self.executed and self.trial is None

    @property
    def reduced(self) -> bool:
        """Return True if a probe of something smaller than the input was interesting, in any run of this input or in
        the session that was opened."""
        return self.kept is not None or any(run.reduced for run in self.runs)

    @property
    def proved(self) -> bool:
        """Return True if the run has ended and has shown that no part of its result can be removed alone."""
        if self.finished is None:
            return False
        levels = self.finished.report.get("certificate", {}).get("one_minimal", {})
        return "yes" in (levels.get("classes"), levels.get("items"))

    @property
    def must_run(self) -> bool:
        """True if the last check was of a program that must still run, and not of a failure."""
        return self.checked_settings is not None and bool(self.checked_settings.preserve)

    def begin_check(self, settings: Settings) -> None:
        """Begin another check. The findings of an earlier check do not hold any more."""
        self.checked, self.checked_settings, self.outcome = None, settings, None
        self.checking.clear()
        self.met.clear()

    def begin_run(self, settings: Settings, start: StepSummary | None = None) -> None:
        """Begin another reduction of the same input, from an accepted step or the whole. The earlier reductions stay on
        record."""
        if not same_check(settings, self.checked_settings):
            self.begin_check(settings)
        self.settings, self._from = settings, start
        self.reset()
        self.runs.append(RunRecord(len(self.runs) + 1, settings, self.steps))

    def smallest(self, settings: Settings, holding: list[int] | None = None) -> StepSummary | None:
        """Return the smallest result with these items, of all runs about that failure."""
        return smallest(self.runs, settings, holding or (), self.jar.items)

    def best(self) -> StepSummary:
        """Return the smallest interesting candidate so far: before a run, the whole jar, or the step that it goes on
        from."""
        if self._from is not None:
            return self._from
        if self.steps:
            return self.steps[-1]
        return StepSummary(0.0, 0, self.jar.classes, self.jar.bytes)

    def counts(self) -> dict[ItemState, int]:
        """Return the number of classes in each state."""
        found = np.bincount(self.states[self.jar.is_class], minlength=len(ItemState))
        return {state: int(found[state]) for state in ItemState}

    def reset(self) -> None:
        """Forget the run, keep the jar: every item is there again, or every one of the step that it goes on from."""
        items = self.jar.items
        self._best = np.ones(items, np.bool_) if self._from is None else self._from.bits(items)
        self._prove_none()
        self._tried = None
        self.probes.clear()
        self.orders.clear()
        self.steps = []  # the record of the run before keeps its own
        self.lanes.clear()
        self.phases.clear()
        self.warnings.clear()
        self.doubts.clear()
        self.stalled = None
        self.met = {name: 0 for name, probe in self.met.items() if not probe}
        self.executed = self.cached = self.replayed = 0
        self.now = 0.0
        self.left = (-1.0, -1.0)
        self.question = self.trial = self.finished = self.outcome = None
        self._paint()

    def _open(self, jar: OpenedJar) -> None:
        self.jar = jar
        self.kept, self._restored = self._restored, None
        self.checked = self.checked_settings = self.settings = self._from = None
        self.met.clear()
        self.runs.clear()
        self.phase = EngineState.READY
        self.reset()

    def _start(self, event: events.Started) -> None:
        known = self.runs[-1] if self.runs and not self.runs[-1].reason else None
        if known is None or known.steps:
            known = RunRecord(len(self.runs) + 1, self.settings or Settings())
            self.runs.append(known)
        self.reset()
        known.steps = self.steps
        self.steps.append(StepSummary(0.0, 0, event.classes, event.bytes, event.items, run=known.number))
        if self.phase not in (EngineState.PAUSED, EngineState.STOPPING):
            self.phase = EngineState.RUNNING

    def _finish(self, event: events.Finished) -> None:
        self._best = unpack(event.kept, self.jar.items)
        self._tried = self._from = None
        self.finished, self.outcome, self.stalled = event, event, None
        self.question = self.trial = None
        for lane in self.lanes.values():
            lane.trial = None
        last = self.best()
        self.now = max(self.now, event.seconds)
        if self.steps and (last.classes, last.bytes) != (event.classes, event.bytes):
            self._add_step(event, event.seconds, 0, -1)
        if self.runs:
            self.runs[-1].end(event.reason, event.report.get("certificate", {}).get("one_minimal", {}))
        if self.proved:
            self._needed = self._best.copy()
        elif event.reason == EndReason.DONE:
            self._prove_none()
        self.phase = EngineState.READY
        self._paint()

    def _add_step(self, event: events.Accepted | events.Finished, at: float, items: int, probe: int) -> None:
        number = self.runs[-1].number if self.runs else 0
        self.accepted_new, self._from = True, None
        size = event.classes, event.bytes
        self.steps.append(StepSummary(at, self.answered, *size, items, probe, event.kept, number))

    def _prove_none(self) -> None:
        """Forget all proofs: only pinned items must stay."""
        self._needed = self.jar.pinned.copy()
        self._paint()

    def _end_run(self, event: events.Ended) -> None:
        lane = self.lanes.setdefault(event.lane, Lane())
        lane.trial = None
        lane.last, lane.seconds = event.verdict, event.seconds

    def states_between(self, before: StepSummary, after: StepSummary) -> NDArray[np.uint8]:
        """Return the comparison of two steps: kept in both, tried if only in ``before``, gone in both. Of a step with
        itself: kept or gone.
        """
        one, other = before.bits(self.jar.items), after.bits(self.jar.items)
        states = np.where(other, np.uint8(ItemState.KEPT), np.uint8(ItemState.GONE))
        states[one & ~other] = ItemState.TRYING
        return states

    def _fail(self, event: events.Failed) -> None:
        if event.command in ("check", "reduce"):
            if self.runs and not self.runs[-1].steps:
                self.runs.pop()  # it did not come to a search
            self._from = None
            self.phase = self._idle
            self._tried = None
            self._paint()
        elif event.command in ("open", "open_session"):
            self.phase = self._idle

    @property
    def _idle(self) -> EngineState:
        return EngineState.READY if self.jar.opened else EngineState.EMPTY

    def _paint(self) -> None:
        self._states = None
        self.changed = True
