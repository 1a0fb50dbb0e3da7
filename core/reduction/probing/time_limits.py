"""The time limit of a probe: short, so that hangs cost little, but never shorter than good runs need.

The limits follow measured times, so another machine or another load may change them: a candidate that takes about as
long as a limit may be interesting in one run and not in another. The limit on a watch changes only between phases, by
answers in the order of a serial run, so that the number of workers does not change it. The limits of processor time
follow each of these answers. A probe that was started ahead keeps those of its start: there, workers count.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from core.predicate.effort import Haste
from core.predicate.predicate import Predicate
from core.predicate.verdict import Outcome, Verdict
from core.protocol import events
from core.protocol.run_words import AnswerOrigin
from core.system.processors import cores

LEAST, LEAST_RESIDENT = 0.5, 5.0
"""Least limit of a probe in seconds: in processes of its own, and in a resident process, which may have to be started
first. See decisions/025-limits-of-a-probe.md."""
_SLACK = 5.0
"""Limit of a probe, as a multiple of the slowest interesting run. See decisions/025-limits-of-a-probe.md."""
LEAST_PROCESSOR, _LEAST_THREAD, _PROCESSOR_SLACK = 0.4, 0.2, 1.5
"""Least limits of processor seconds of a probe and of one of its threads, and the limit as a multiple of the most that
an interesting run took. The multiple is smaller than that of wall time, because the load of the machine changes
processor time little. See decisions/025-limits-of-a-probe.md."""
_ONE_RUN = 2.0
"""Factor on the measures of the check's run, for the limits of the first phase: one run says less than the most of
several. See decisions/025-limits-of-a-probe.md."""
_LEARNED, _MANY_CUT = 3, 10
"""Number of interesting runs of a phase that set its limits; number of probes cut short, since the last interesting
one, that doubles the limits of processor time. See decisions/025-limits-of-a-probe.md."""
_PATIENCE = 2.0
"""Least limit of a probe, as a multiple of the longest time without activity that an interesting run had. If
interesting runs wait longer, waiting ends no probe: another process may do its work. See
decisions/025-limits-of-a-probe.md."""
_MOST_LOAD = 2.0
"""Greatest factor for the load of the machine. Interesting runs were slower under load too, which is part of the
measure. See decisions/025-limits-of-a-probe.md."""


def least_limit(predicate: Predicate) -> float:
    """Return the seconds that each probe of ``predicate`` may take at least."""
    return LEAST_RESIDENT if predicate.warm else LEAST


def limit_for(slowest: float, least: float, jobs: int = 1) -> float:
    """Return the limit for a slowest interesting run of ``slowest`` seconds; longer if more jobs than processors share
    the machine."""
    waiting = max(jobs, os.getloadavg()[0]) / cores()
    return max(least, _SLACK * slowest) * min(_MOST_LOAD, max(1.0, waiting))


@dataclass
class TimeLimits:
    """The limits of the next phase, from the slowest interesting run of the last phase that had one, the most
    processor time of a run and of a thread, and the longest inactive time. ``fixed``: the limit is the user's own."""

    limit: float | None
    """Seconds of a probe in the next phase."""
    least: float = LEAST
    jobs: int = 1
    fixed: bool = False
    haste: Haste = field(default_factory=Haste)
    """Limits of processor time of the next probe."""
    _cut: int = 0
    """Number of probes that were cut short since the last interesting one."""
    _good: int = 0
    """Number of interesting runs of the phase."""
    _basis: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Most processor time, most of one thread and longest idle time of the runs that the limits follow."""
    _slowest: float = 0.0
    _most: float = 0.0
    _busiest: float = 0.0
    _idle: float = 0.0

    def begin(self, checked: Outcome, *, restarts: bool = False) -> None:
        """Limit the first phase by the processor time of the check's run. Its time on a watch has a limit already.
        ``restarts``: True if any probe may have to start the tool as that run did.
        """
        if restarts:
            self.least = max(self.least, _ONE_RUN * checked.seconds)
        if not self.fixed:
            self._basis = _ONE_RUN * checked.processor, _ONE_RUN * checked.busiest, _ONE_RUN * checked.idle
            self.haste = self._haste()

    def note(self, event: events.Event) -> None:
        """Take in an event of a reduction."""
        if not isinstance(event, events.Probed) or event.origin != AnswerOrigin.RUN or self.fixed:
            return
        self._cut += event.verdict == Verdict.TIMED_OUT.value
        if event.verdict == Verdict.INTERESTING.value:
            self._cut, self._good = 0, self._good + 1
            self._slowest = max(self._slowest, event.seconds)
            self._most = max(self._most, event.processor)
            self._busiest = max(self._busiest, event.busiest)
            self._idle = max(self._idle, event.idle)
            if self._good >= _LEARNED:
                self._basis = self._most, self._busiest, self._idle
        if self._basis[0]:
            self.haste = self._haste()

    def next_phase(self) -> float | None:
        """Begin a phase; return its limit."""
        if self._good:
            # runs of this reduction had the same neighbours as those to come: what they took has the load in it
            self.limit = max(limit_for(0.0, self.least, self.jobs), _SLACK * self._slowest)
            self._basis = self._most, self._busiest, self._idle
            self.haste = self._haste()
            self._slowest = self._most = self._busiest = self._idle = 0.0
            self._good = 0
        return self.limit

    def _haste(self) -> Haste:
        most, busiest, idle = self._basis
        patience = self.least if most and _PATIENCE * idle <= self.least else None
        slack = _PROCESSOR_SLACK * (2 if self._cut >= _MANY_CUT else 1)
        processor = max(LEAST_PROCESSOR, slack * most) if most else None
        thread = max(_LEAST_THREAD, slack * busiest) if busiest else None
        return Haste(processor, thread, patience, self.limit)
