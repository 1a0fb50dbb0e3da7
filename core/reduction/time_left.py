"""The time that a reduction may still take: a range, from the state of the run and from recorded runs.

A run is at a *moment* with an expected time. That is the expected search at the present rate of probes plus the
confirmation, or the expected rest of the check if that is longer. The table tells how long recorded runs went on from
such moments, as a multiple of the expected time. The range is the narrowest one with :data:`SHARE` of the recorded
runs.

The expected search of ``auto`` grows with the number of failures to keep and with the number of probes so far: after
many probes, an input probably takes many more. The expectation falls with each round, because later rounds have less to
do. Other searches expect to halve the interval of the present question. They expect more questions if the phase had
many, since a search that has found many needed parts finds more, and if the phase had few for so many failures.

``python -m tests.bench.time_left`` makes the table and measures how often the range is right for jars that the table
has not seen.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.protocol import events
from core.protocol.run_words import AnswerOrigin

SHARE = 0.86
"""Share of the recorded moments in a range. The aim is 8 of 10 for new runs, which is less.
See decisions/029-time-left.md."""

_RECENT = 20
"""Number of probes in the mean that gives the present rate. See decisions/029-time-left.md."""

_GROWTH, _FALL = 0.75, 1.5
"""Exponents: of the number of probes, and of the round. See decisions/029-time-left.md."""

_ROUNDS, _QUESTIONS = 5.0, 2.0
"""Number of further probes expected: by ``auto`` after the first probe, and by other algorithms besides those of the
present question. See decisions/029-time-left.md."""

_FAILURE = 8
"""Least number of probes for each failure that must stay, by algorithms other than ``auto``.
See decisions/029-time-left.md."""

_CHECK, _CONFIRMATION, _LAST = 1.7, 0.6, 0.2
"""Multiples of the duration of the full input's first run: expected rest of the check from the first probe on, expected
confirmation, and expected rest of a confirmation that has taken its expected time. See decisions/029-time-left.md."""

_OVERDUE = 0.1
"""Expected rest of an overdue check, as a share of its time so far. See decisions/029-time-left.md."""

Table = Mapping[str, tuple[float, float]]
"""Least and greatest time left for each kind of search, as multiples of the expected time."""

OTHER = "other"
"""Kind of the algorithms that have no kind of their own."""

TABLE: Table = {
    "auto": (0.517, 1.99),
    "gbr": (0.3, 1.5),
    "other": (0.299, 3.2),
}
"""Measured multiples. Made by ``python -m tests.bench.time_left``. See decisions/029-time-left.md."""


def kind_of(algorithm: str) -> str:
    """Return the kind of search of an algorithm."""
    return algorithm if algorithm in TABLE else OTHER


@dataclass(frozen=True, slots=True)
class RunMoment:
    """The state of a run at one moment. All durations are seconds."""

    algorithm: str
    round: int
    pace: float
    """Seconds from probe to probe."""
    probes: int
    phase_probes: int
    """Number of probes in the present phase."""
    question: int
    """Most probes that the present question takes."""
    failures: int
    """Number of failures that must stay; 1 if they have no names."""
    full: float
    """Seconds of the full input's first run."""
    age: float
    """Seconds since the first probe began."""
    checking: bool
    """True while the check still runs."""
    searched: float | None
    """Seconds since the end of the search; None while the search goes on."""

    @property
    def search(self) -> float:
        """Expected seconds of the search."""
        if self.searched is not None:
            return 0.0
        if self.algorithm == "auto":
            return float(self.pace * _ROUNDS * (self.probes**_GROWTH + self.failures) / max(1, self.round) ** _FALL)
        early = max(0, _FAILURE * self.failures - self.probes)
        halvings = math.log2(self.question + 1)
        return float(self.pace * (halvings + early + _QUESTIONS * self.phase_probes**_GROWTH))

    @property
    def expected(self) -> float:
        """Expected seconds of the run. The table has multiples of these."""
        check = max(_CHECK * self.full - self.age, _OVERDUE * self.age) if self.checking else 0.0
        confirmation = max(_LAST * self.full, _CONFIRMATION * self.full - (self.searched or 0.0))
        return max(self.search + confirmation, check)

    def left(self, table: Table = TABLE) -> tuple[float, float]:
        """Return the least and greatest seconds that may be left."""
        low, high = table[kind_of(self.algorithm)]
        return low * self.expected, high * self.expected


class TimeLeft:
    """A listener that passes events on to another listener, and adds the time left to those with counts.

    The time left follows from the events alone.
    """

    def __init__(self, listener: events.Listener) -> None:
        self._listener = listener
        self._full, self._checking = 0.0, False
        self._begin("", 1)

    def __call__(self, event: events.Event) -> None:
        """Pass an event on."""
        self._listener(self.told(event))

    def told(self, event: events.Event) -> events.Event:
        """Return the event, with the time left if the event has a field for that."""
        self._note(event)
        moment = self.moment
        if not isinstance(event, events.Counted) or moment is None:
            return event
        least, most = moment.left()
        return replace(event, least_left=least, most_left=most)

    @property
    def moment(self) -> RunMoment | None:
        """Return the present moment; None before the first probe."""
        if not self._probes:
            return None
        return RunMoment(
            self._algorithm,
            self._round,
            (self._ends[-1] - self._ends[0]) / (len(self._ends) - 1),
            self._probes,
            self._probes - self._before,
            self._question,
            self._failures,
            self._full,
            self._now - self._start,
            self._checking,
            None if self._searched is None else self._now - self._searched,
        )

    def _begin(self, algorithm: str, failures: int) -> None:
        self._algorithm, self._failures = algorithm, failures
        self._round = 1
        self._probes = self._before = self._question = 0
        self._now = self._start = 0.0
        self._searched: float | None = None
        self._ends: deque[float] = deque(maxlen=_RECENT + 1)

    def _note(self, event: events.Event) -> None:
        match event:
            case events.Checked():
                self._full, self._checking = event.seconds, not event.known
            case events.Vouched():
                self._checking = False
            case events.Started():
                self._begin(event.algorithm, max(1, event.failures))
            case events.Searching():
                self._round, self._before = event.round, self._probes
            case events.Probed(origin=AnswerOrigin.RUN):
                if not self._ends:
                    self._start = event.at - event.seconds
                    self._ends.append(self._start)
                self._ends.append(event.at)
                self._now = event.at
                self._probes += 1
            case events.Asked():
                self._question = max(0, event.left)
            case events.Counted():
                self._now = event.at
                if event.searched and self._searched is None:
                    self._searched = event.at
