"""The processor time of a running probe, by which one that hangs is told from one that works (Linux)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from core.system.processes import process_table
from core.system.processes.process_table import ProcessRow
from core.system.processors import cores
from core.system.stopwatch import AwakeClock

_IDLE = 0.02
"""Share of a processor that a command uses at most while it only waits: threads of a virtual machine tick.
See decisions/025-limits-of-a-probe.md."""

_MOST_STARVED = 10.0
"""Greatest factor by which the limit on a watch grows where threads wait for a processor.
See decisions/025-limits-of-a-probe.md."""

_GLANCE, _GLANCE_SHARE = 0.05, 0.1
"""Seconds between two looks at the threads, and the share of the time so far: where it is longer they are rarer.
See decisions/025-limits-of-a-probe.md."""


@dataclass(frozen=True)
class Haste:
    """Limits of a probe beside its time on a watch, in seconds; None: there is none.

    Processor time is hardly longer where the machine is busy, so a limit of it can be close to what good runs take.
    What loops for ever does so in one thread: that of one thread is reached first where others, as a virtual machine's
    compilers, took their part of the good runs.
    """

    processor: float | None = None
    """Of all threads together."""
    thread: float | None = None
    """Of any one thread."""
    patience: float | None = None
    """Seconds without any use of a processor after which a command is ended, where processor time is limited."""
    watch: float | None = None
    """On a watch, without the time in which threads waited for a processor: a busy machine makes no probe hang. It
    stands for the time limit of the predicate."""


class Effort:
    """The processor time of a running command: the process ``pid``, leader of a session, with all in that session.

    Of all threads together it is looked at no sooner than all processors together can have used up the limit, and at
    halves of the patience: what neither ran nor waited for a processor for the last half, after the first, waits for
    what does not come (a deadlock).
    """

    def __init__(self, pid: int, haste: Haste) -> None:
        self._pid = pid
        self._haste = haste
        self._others = {other for other in process_table.numbers() if other < pid}
        self._clock = AwakeClock()
        self._glance = 2 * _GLANCE if process_table.listed() else math.inf
        known = haste.processor is not None and process_table.listed()
        self._next = (haste.processor or 0.0) / cores() if known else math.inf
        self._nap = (haste.patience or 0.0) / 2
        self._look = self._nap if known and haste.patience is not None else math.inf
        self._before = -math.inf
        self._spent = self._busiest = self._glanced = 0.0

    def exceeded(self) -> bool:
        """Return True if the command used more than a limit, or stopped using processors."""
        now = self._clock.elapsed()
        most = math.inf if self._haste.watch is None else self._haste.watch
        return (
            (now >= self._glance and self._one_did_too_much(now))
            or (now >= min(self._next, self._look) and self._all_did_too_much_or_nothing(now))
            or (now > most and now - min(self._waited(), (_MOST_STARVED - 1) * most) > most)
        )

    def spent(self) -> float:
        """Return the seconds that it took until now. Nobody must have waited for its first process; 0 if not known."""
        try:
            return max(self._spent, self._busiest, process_table.row(self._pid).processor)
        except (OSError, ValueError, IndexError):
            return max(self._spent, self._busiest)

    def busiest(self) -> float:
        """Return the most seconds that one thread can have taken until now: all that was spent since the last look may
        be one's."""
        return self._busiest + max(0.0, self.spent() - self._glanced)

    def _one_did_too_much(self, now: float) -> bool:
        mine = list(self._mine())
        self._glanced = sum(row.processor for _, row in mine)
        for pid, _ in mine:
            self._busiest = max(self._busiest, *process_table.threads(pid), 0.0)
        most = math.inf if self._haste.thread is None else self._haste.thread
        wait = max(_GLANCE, min(_GLANCE_SHARE * now, most - self._busiest))
        self._glance = now + wait
        return self._busiest > most

    def _all_did_too_much_or_nothing(self, now: float) -> bool:
        mine, most = list(self._mine()), self._haste.processor or 0.0
        self._spent = spent = sum(row.processor for _, row in mine)
        self._next = now + (most - spent) / cores()
        idle = False
        if now >= self._look:
            did = spent + self._waited()  # less than before where a process has ended
            idle = abs(did - self._before) <= _IDLE * self._nap and not any(
                process_table.has_running_thread(pid)
                for pid, _ in mine  # others have the processors
            )
            self._before, self._look = did, now + self._nap
        return spent > most or idle

    def _waited(self) -> float:
        """Return the seconds that the threads waited for a processor, all together: one often waits for another."""
        return sum(waited for pid, _ in self._mine() for waited in process_table.waits(pid))

    def _mine(self) -> Iterator[tuple[int, ProcessRow]]:
        """Yield the processes of the session; of each other one that came later it is asked once whose it is."""
        for pid in process_table.numbers():
            if pid in self._others:
                continue
            try:
                row = process_table.row(pid)
            except (OSError, ValueError, IndexError):
                continue  # gone
            if row.session == self._pid or pid == self._pid:
                yield pid, row
            else:
                self._others.add(pid)
