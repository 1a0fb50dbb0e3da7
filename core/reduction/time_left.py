"""How long a reduction may still take: a range, from its own state and from how recorded runs went on.

Nothing is promised. A run is at a *moment*: a stage of its search, after so many probes and rounds, at a pace of late.
Of recorded runs it is known how long each went on from such moments, as a multiple of a unit of time; the range is the
narrowest that holds :data:`SHARE` of them. The unit of ``auto`` grows with the probes so far, for a search that took
many has what takes many, and falls with each round, for there is less to do in each. Of a search of one question after
another it is what the question takes. ``python -m tests.bench.time_left`` makes the table and says how often the range
held the truth in runs of jars that the table had not seen.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.protocol import events

SHARE = 0.86
"""Share of the recorded moments that a range holds: more than the 8 of 10 that it shall hold of runs to come."""

_RECENT = 20
"""Probes that the present pace is the mean of."""

_FEWEST = 2
"""Probes before which nothing is said."""

_GROWTH, _FALL = 0.75, 1.75
"""Powers of the probes and of the round in ``auto``'s unit, as 21 recorded runs of 15 jars have them, rounded."""

_BESIDE = 4
"""Probes that count beside those of the question: a question of one probe says little of the time."""

Key = tuple[str, ...]
"""What moments are told apart by: the kind of search, its stage. Shorter keys stand for all that begin so."""

Table = Mapping[Key, tuple[float, float]]
"""For each key the least and the most that was left, as a multiple of the unit."""

TABLE: Table = {
    (): (0.288, 12.3),
    ("auto",): (2.39, 20.9),
    ("auto", "bodies"): (1.57, 11.4),
    ("auto", "items"): (2.18, 15.9),
    ("auto", "later"): (3.21, 23.4),
    ("gbr",): (0.197, 3.13),
    ("gbr", "items"): (0.197, 3.13),
}
"""Made by ``python -m tests.bench.time_left``; those of ``gbr`` and of all algorithms are of runs of another day."""


@dataclass(frozen=True, slots=True)
class RunMoment:
    """Where a run stands."""

    algorithm: str
    round: int
    level: str
    """As :class:`core.protocol.events.Searching` has it; empty before the first phase."""
    pace: float
    """Seconds from probe to probe."""
    probes: int
    question: int
    """Probes that the present question takes at most."""

    @property
    def key(self) -> Key:
        """What is told apart, the coarser first."""
        kind = self.algorithm if self.algorithm in ("auto", "gbr") else "other"
        return kind, self.level if self.round <= 1 else "later"

    @property
    def unit(self) -> float:
        """The seconds that the table has multiples of."""
        if self.algorithm == "auto":
            return float(self.pace * self.probes**_GROWTH / max(1, self.round) ** _FALL)
        return self.pace * (self.question + _BESIDE)

    def left(self, table: Table = TABLE) -> tuple[float, float]:
        """Seconds that may be left, at least and at most."""
        key = self.key
        while key not in table:
            key = key[:-1]
        low, high = table[key]
        return low * self.unit, high * self.unit


class TimeLeft:
    """A listener that hands events on to another one, those that count answers with the time that may be left.

    What it says follows from the events alone."""

    def __init__(self, listener: events.Listener) -> None:
        self._listener = listener
        self._begin(events.Started("", 0, 0, 0, 0))

    def __call__(self, event: events.Event) -> None:
        """Hands an event on."""
        self._listener(self.told(event))

    def told(self, event: events.Event) -> events.Event:
        """The event with what may be left, where it has a place for that."""
        self._note(event)
        moment = self.moment
        if not isinstance(event, events.Counted) or moment is None:
            return event
        least, most = moment.left()
        return replace(event, least_left=least, most_left=most)

    @property
    def moment(self) -> RunMoment | None:
        """Where the run stands; None before its first probes."""
        if self._probes < _FEWEST or len(self._ends) < 2:
            return None
        pace = (self._ends[-1] - self._ends[0]) / (len(self._ends) - 1)
        return RunMoment(self._algorithm, self._round, self._level, pace, self._probes, self._question)

    def _begin(self, event: events.Started) -> None:
        self._algorithm = event.algorithm
        self._round, self._level = 1, ""
        self._probes = self._question = 0
        self._ends: deque[float] = deque(maxlen=_RECENT + 1)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Started():
                self._begin(event)
            case events.Searching():
                self._round, self._level = event.round, event.level
            case events.Probed(source="run"):
                if not self._ends:
                    self._ends.append(event.at - event.seconds)
                self._ends.append(event.at)
                self._probes += 1
            case events.Asked():
                self._question = max(0, event.left)
