"""How long a reduction may still take: a range, from its own state and from how recorded runs went on.

Nothing is promised. A run is at a *moment*, of which there is an expectation: what the search may take at its pace of
late, and the runs that confirm the result then; or what is left of the check beside it, if that is more. Of recorded
runs it is known how long each went on from such moments, as a multiple of what was expected; the range is the narrowest
that holds :data:`SHARE` of them.

What ``auto`` expects grows with the failures that must stay and with the probes so far, for a search that took many has
what takes many, and falls with each round, for there is less to do in each. Other searches expect to halve the interval
of the present question, and more questions the more there were in this phase, for one that has found many needed parts
finds more, and as long as there were few for so many failures. ``python -m tests.bench.time_left`` makes the table and
says how often the range held the truth in runs of jars that the table had not seen.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.protocol import events
from core.protocol.run_words import AnswerSource

SHARE = 0.86
"""Share of the recorded moments that a range holds: more than the 8 of 10 that it shall hold of runs to come."""

_RECENT = 20
"""Probes that the present pace is the mean of."""

_GROWTH, _FALL = 0.75, 1.5
"""Powers of the probes and of the round, rounded."""

_ROUNDS, _QUESTIONS = 5.0, 2.0
"""Probes that are expected after the first one: by ``auto``, by others besides those of the question."""

_FAILURE = 8
"""Probes for a failure, where each one must stay: those that another algorithm than ``auto`` takes at least."""

_CHECK, _CONFIRMATION, _LAST = 1.7, 0.6, 0.2
"""As multiples of the first run of the full input: what the rest of the check takes from the first probe on, what the
confirmation takes, and what more is expected of it where it has taken that long."""

_OVERDUE = 0.1
"""What more is expected of a check that takes longer, as a share of what it has taken."""

Table = Mapping[str, tuple[float, float]]
"""For each kind of search the least and the most that was left, as a multiple of what was expected."""

OTHER = "other"
"""The kind of all algorithms that have none of their own."""

TABLE: Table = {
    "auto": (0.517, 1.99),
    "gbr": (0.3, 1.5),
    "other": (0.299, 3.2),
}
"""Made by ``python -m tests.bench.time_left``."""


def kind_of(algorithm: str) -> str:
    """The kind of search that an algorithm is."""
    return algorithm if algorithm in TABLE else OTHER


@dataclass(frozen=True, slots=True)
class RunMoment:
    """Where a run stands. All durations in seconds."""

    algorithm: str
    round: int
    pace: float
    """From probe to probe."""
    probes: int
    phase_probes: int
    """Those of the present phase."""
    question: int
    """Probes that the present question takes at most."""
    failures: int
    """Those that must stay, 1 where they have no names."""
    full: float
    """The first run of the full input."""
    age: float
    """Since the first probe began."""
    checking: bool
    """Whether the rest of the check goes on."""
    searched: float | None
    """How long the search has been over; None = it goes on."""

    @property
    def search(self) -> float:
        """What the search is expected to take."""
        if self.searched is not None:
            return 0.0
        if self.algorithm == "auto":
            return float(self.pace * _ROUNDS * (self.probes**_GROWTH + self.failures) / max(1, self.round) ** _FALL)
        early = max(0, _FAILURE * self.failures - self.probes)
        halvings = math.log2(self.question + 1)
        return float(self.pace * (halvings + early + _QUESTIONS * self.phase_probes**_GROWTH))

    @property
    def expected(self) -> float:
        """What the run is expected to take: the seconds that the table has multiples of."""
        check = max(_CHECK * self.full - self.age, _OVERDUE * self.age) if self.checking else 0.0
        confirmation = max(_LAST * self.full, _CONFIRMATION * self.full - (self.searched or 0.0))
        return max(self.search + confirmation, check)

    def left(self, table: Table = TABLE) -> tuple[float, float]:
        """Seconds that may be left, at least and at most."""
        low, high = table[kind_of(self.algorithm)]
        return low * self.expected, high * self.expected


class TimeLeft:
    """A listener that hands events on to another one, those that count answers with the time that may be left.

    What it says follows from the events alone."""

    def __init__(self, listener: events.Listener) -> None:
        self._listener = listener
        self._full, self._checking = 0.0, False
        self._begin("", 1)

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
        """Where the run stands; None before its first probe."""
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
            case events.Probed(source=AnswerSource.RUN):
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
