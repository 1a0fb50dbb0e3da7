"""The time limit of a probe: short, so that candidates that hang cost little, and never shorter than good runs need.

The limit depends on measured times, so it is the one thing here that another machine or another load may change: a
candidate that needs about as long as the limit may be interesting in one run and not in another. It changes only
between phases, by answers in the order of a serial run, so the number of workers has no part in it.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from core.predicate.effort import Haste
from core.predicate.predicate import Predicate
from core.protocol import events
from core.system.processors import cores

LEAST, LEAST_RESIDENT = 0.5, 5.0
"""Seconds that a probe may take at least: in a resident process more, since a new one may have to start first."""
_SLACK = 5.0
"""How many times as long as the slowest good run a probe may take."""
LEAST_PROCESSOR, _PROCESSOR_SLACK = 0.2, 2.0
"""Seconds of processor time that a probe, or one thread of it, may take at least, and how many times as much as the
good run that took most: closer than time on a watch, for other work on the machine makes it little longer."""
_PATIENCE = 2.0
"""After so many times as long as the slowest good run a probe that does nothing is ended."""
_MOST_LOAD = 2.0
"""How much longer it may take on a busy machine: good runs were slower there too, which counts already."""


def least_limit(predicate: Predicate) -> float:
    """Return the seconds that each probe of ``predicate`` may take at least."""
    return LEAST_RESIDENT if predicate.residency.warm else LEAST


def limit_for(slowest: float, least: float, jobs: int = 1) -> float:
    """The limit where the slowest interesting run took so many seconds; longer where more runs than there are cores
    share the machine."""
    waiting = max(jobs, os.getloadavg()[0]) / cores()
    return max(least, _SLACK * slowest) * min(_MOST_LOAD, max(1.0, waiting))


def _seconds_of(most: float) -> float | None:
    return max(LEAST_PROCESSOR, _PROCESSOR_SLACK * most) if most else None


@dataclass
class Pace:
    """Follows the slowest interesting run of the last phase that had one, and the most processor time of one and of a
    thread of one; ``fixed``: the user's own limit."""

    limit: float | None
    """Of the next phase."""
    least: float = LEAST
    jobs: int = 1
    fixed: bool = False
    haste: Haste = field(default_factory=Haste)
    """Limits of processor time of the next phase."""
    _slowest: float = 0.0
    _most: float = 0.0
    _busiest: float = 0.0

    def note(self, event: events.Event) -> None:
        """Takes in what a reduction tells."""
        if isinstance(event, events.Probed) and event.source == "run" and event.verdict == "interesting":
            self._slowest = max(self._slowest, event.seconds)
            self._most = max(self._most, event.processor)
            self._busiest = max(self._busiest, event.busiest)

    def next_phase(self) -> float | None:
        """The limit from here on."""
        if self._slowest and not self.fixed:
            # runs of this reduction had the same neighbours as those to come: what they took has the load in it
            self.limit = max(limit_for(0.0, self.least, self.jobs), _SLACK * self._slowest)
            self.haste = Haste(
                _seconds_of(self._most), _seconds_of(self._busiest), max(self.least, _PATIENCE * self._slowest)
            )
            self._slowest = self._most = self._busiest = 0.0
        return self.limit
