"""What the window knows of a run, built from the engine's events alone. No Qt."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from enum import Enum, IntEnum

import numpy as np
from numpy.typing import NDArray

from app.engine.event_decoder import Bits, Kept, Message
from app.engine.opened_jar import OpenedJar, Places
from core.protocol import events

Octets = bytes


class ItemState(IntEnum):
    """State of an item; the numbers stand in ``RunState.states``."""

    KEPT = 0
    NEEDED = 1
    TRYING = 2
    GONE = 3


class EngineState(Enum):
    """What the engine is busy with, as far as the buttons care."""

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
        """Whether a check or a reduction goes on."""
        return self in (EngineState.CHECKING, EngineState.RUNNING, EngineState.PAUSED, EngineState.STOPPING)

    @property
    def reducing(self) -> bool:
        """Whether a reduction goes on."""
        return self in (EngineState.RUNNING, EngineState.PAUSED, EngineState.STOPPING)


@dataclass(frozen=True, slots=True)
class StepSummary:
    """The best so far after an accepted candidate."""

    at: float
    probes: int
    classes: int
    bytes: int
    items: int = 0
    """Items of its phase: with the bytes they tell the step from others."""
    probe: int = 0
    """Its number in the run, 0 = the input itself."""
    packed: Octets = b""
    """Class-level items that are kept, packed bits; empty = all."""

    def bits(self, items: int) -> Bits:
        """The kept items as booleans."""
        if not self.packed:
            return np.ones(items, np.bool_)
        return np.unpackbits(np.frombuffer(self.packed, np.uint8), count=items).astype(np.bool_)


@dataclass(slots=True)
class Lane:
    """One worker: what it runs, and how long the last run took."""

    trial: events.Trying | None = None
    since: float = 0.0
    """When it began, by the window's own clock."""
    last: str = ""
    """Verdict of the last run."""
    seconds: float = 0.0


@dataclass(slots=True)
class RunState:
    """The model of the window: the jar, its places, the run's progress."""

    jar: OpenedJar | None = None
    places: dict[str, Places] = field(default_factory=dict)
    loaded: tuple[int, int] = (0, 0)
    phase: EngineState = EngineState.EMPTY
    algorithm: str = ""
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
    invalid: int = 0
    """Candidates that the dependency graph turned down."""
    now: float = 0.0
    """Seconds since the reduction began, as of the last event."""
    question: events.Asked | None = None
    trial: events.Trying | None = None
    lanes: dict[int, Lane] = field(default_factory=dict)
    phases: list[events.Searching] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    """Failures that were met, in order, each with the probe that named it first; 0 = the full input."""
    warnings: list[str] = field(default_factory=list)
    speculated: int = 0
    checked: events.Checked | None = None
    finished: events.Finished | None = None
    changed: bool = False
    """Whether :attr:`states` changed since the watcher last cleared this."""
    accepted_new: bool = False
    """Whether a step was accepted since the watcher last cleared this."""
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
            states[self._best & self._needed] = ItemState.NEEDED
            self._states = states
        return self._states

    def apply(self, message: Message) -> None:
        """Take in one message of the engine."""
        match message:
            case OpenedJar():
                self._open(message)
            case Places():
                self.places[message.view] = message
            case Kept(event=events.Trying() as event, bits=bits):
                self.trial = event
                lane = self.lanes.setdefault(event.lane, Lane())
                lane.trial, lane.since = event, time.monotonic()
                self._tried = bits[: len(self._best)]
                self._paint()
            case Kept(event=events.Accepted() as event, bits=bits):
                self._best = bits[: len(self._best)].copy()
                packed = np.packbits(self._best).tobytes()
                number = len(self.steps)
                self.accepted_new = True
                self.steps.append(
                    StepSummary(event.at, self.executed, event.classes, event.bytes, event.items, number, packed)
                )
                self.now = max(self.now, event.at)
                self._paint()
            case Kept(event=events.Needed(), bits=bits):
                self._needed |= bits[: len(self._best)]
                self._paint()
            case Kept(event=events.Finished() as event, bits=bits):
                self._finish(event, bits)
            case events.Probed():
                self.probes.append(message)
                self.executed += message.source == "run"
                self.orders.append(self.executed)
                self.now = max(self.now, message.at)
                if self._tried is not None:
                    self._tried = None
                    self._paint()
            case events.Counted():
                self.executed, self.cached, self.invalid = message.probes, message.cached, message.invalid
                self.speculated = message.speculated
                self.now = max(self.now, message.at)
            case events.Asked():
                self.question = message
            case events.Ended():
                self._end_run(message)
            case events.Searching():
                self.phases.append(message)
            case events.Met():
                for name in message.failures:
                    self.met.setdefault(name, message.probe)
            case events.Warned():
                self.warnings.append(message.message)
            case events.Loading():
                self.loaded = (message.done, message.total)
            case events.Started():
                self._start(message)
            case events.Checked():
                self.checked = message
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

    def best(self) -> StepSummary:
        """The smallest interesting candidate so far: before a run, the whole jar."""
        if self.steps:
            return self.steps[-1]
        return StepSummary(0.0, 0, self.jar.classes if self.jar else 0, self.jar.bytes if self.jar else 0)

    def counts(self) -> dict[ItemState, int]:
        """Number of classes in each state."""
        if self.jar is None:
            return dict.fromkeys(ItemState, 0)
        found = np.bincount(self.states[self.jar.is_class], minlength=len(ItemState))
        return {state: int(found[state]) for state in ItemState}

    def reset(self) -> None:
        """Forget the run, keep the jar: every item is there again."""
        items = self.jar.items if self.jar else 0
        self._best = np.ones(items, np.bool_)
        self._needed = np.zeros(items, np.bool_)
        if self.jar is not None and items:
            self._needed |= self.jar.pinned
        self._tried = None
        self.probes.clear()
        self.orders.clear()
        self.steps.clear()
        self.lanes.clear()
        self.phases.clear()
        self.warnings.clear()
        self.met = {name: 0 for name, probe in self.met.items() if not probe}
        self.executed = self.cached = self.invalid = self.speculated = 0
        self.now = 0.0
        self.question = self.trial = self.finished = None
        self._paint()

    def _open(self, jar: OpenedJar) -> None:
        self.jar = jar
        self.places.clear()
        self.checked = None
        self.met.clear()
        self.phase = EngineState.READY
        self.reset()

    def _start(self, event: events.Started) -> None:
        self.reset()
        self.algorithm = event.algorithm
        self.steps.append(StepSummary(0.0, 0, event.classes, event.bytes, event.items))
        if self.phase not in (EngineState.PAUSED, EngineState.STOPPING):
            self.phase = EngineState.RUNNING

    def _finish(self, event: events.Finished, bits: Bits) -> None:
        self._best = bits[: len(self._best)].copy()
        self._tried = None
        self.finished = event
        self.question = self.trial = None
        for lane in self.lanes.values():
            lane.trial = None
        last = self.best()
        self.now = max(self.now, event.seconds)
        if self.steps and (last.classes, last.bytes) != (event.classes, event.bytes):
            packed = np.packbits(self._best).tobytes()
            self.steps.append(StepSummary(event.seconds, self.executed, event.classes, event.bytes, 0, -1, packed))
        self.phase = EngineState.READY
        self._paint()

    def _end_run(self, event: events.Ended) -> None:
        lane = self.lanes.setdefault(event.lane, Lane())
        lane.trial = None
        lane.last, lane.seconds = event.verdict, event.seconds

    def states_at(self, step: StepSummary) -> NDArray[np.uint8]:
        """The states as they were with an accepted step: kept or gone."""
        there = step.bits(len(self._best))
        return np.where(there, np.uint8(ItemState.KEPT), np.uint8(ItemState.GONE))

    def states_between(self, before: StepSummary, after: StepSummary) -> NDArray[np.uint8]:
        """Two steps compared: kept in both, being tried = in ``before`` only, gone in both."""
        one, other = before.bits(len(self._best)), after.bits(len(self._best))
        states = np.where(other, np.uint8(ItemState.KEPT), np.uint8(ItemState.GONE))
        states[one & ~other] = ItemState.TRYING
        return states

    def _fail(self, event: events.Failed) -> None:
        if event.command in ("check", "reduce"):
            self.phase = EngineState.READY if self.jar else EngineState.EMPTY
            self._tried = None
            self._paint()
        elif event.command in ("open", "open_session"):
            self.phase = EngineState.READY if self.jar else EngineState.EMPTY

    def _paint(self) -> None:
        self._states = None
        self.changed = True
