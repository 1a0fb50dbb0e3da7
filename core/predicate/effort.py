"""The processor time of a running probe, which tells a hanging probe from a working one (Linux)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from core.system.processes import process_table
from core.system.processes.families import has_mark
from core.system.processes.process_table import ProcessRow
from core.system.processors import cores
from core.system.stopwatch import AwakeClock

_IDLE = 0.02
"""Share of a processor that a command uses at most while it only waits: threads of a virtual machine tick.
See decisions/025-limits-of-a-probe.md."""

_MOST_STARVED = 10.0
"""Greatest factor by which waits for a processor extend the limit on a watch. See decisions/025-limits-of-a-probe.md.
"""

_GLANCE, _GLANCE_SHARE, _GLANCE_OF_HANG = 0.05, 0.1, 0.01
"""Seconds between two looks at the threads; the pause as a share of the time so far, if that is longer; and this share
if a hang may be the failure. See decisions/025-limits-of-a-probe.md."""


@dataclass(frozen=True)
class Haste:
    """Limits of a probe beside its time on a watch, in seconds; None: there is none.

    Load of the machine hardly changes processor time, so its limit can be close to the time of good runs. An endless
    loop runs in one thread. So the limit of one thread is reached first if others, such as a virtual machine's
    compilers, took their part of the good runs.
    """

    processor: float | None = None
    """Of all threads together."""
    thread: float | None = None
    """Of any one thread."""
    patience: float | None = None
    """Seconds in a row without a thread that runs, or waits for a processor or a disk. Then the command is ended,
    unless it has a socket or a named pipe and so may wait for another process."""
    watch: float | None = None
    """On a watch, without the time in which threads waited for a processor: a busy machine makes no probe hang. It
    stands for the time limit of the predicate."""
    hang: str | None = None
    """Name of the hang that ends the run once it stands. Empty: any hang ends the run. ``UNKNOWN`` of
    :mod:`core.predicate.jvm.stuck`: no hang does, but a run at its time limit tells where it is stuck. None: nothing is
    sampled."""

    def within(self, timeout: float | None) -> Haste:
        """Return the limits with a time limit, unless they have one. It limits the processor time of each thread too:
        else threads that keep each other from the processors would stretch it."""
        if self.watch is not None or timeout is None:
            return self
        return replace(self, watch=timeout, thread=timeout if self.thread is None else self.thread)

    def after(self, processor: float) -> Haste:
        """Return the limits of a run's next part, after parts with so many seconds of processor time."""
        return replace(self, watch=None, processor=None if self.processor is None else self.processor - processor)


class Effort:
    """The processor time of a running command: the process ``pid``, leader of a session and of a family with ``mark``,
    with all in either.

    A command is in a deadlock if for ``patience`` seconds no look finds a thread that runs, or waits for a processor or
    a disk.
    """

    def __init__(self, pid: int, haste: Haste, mark: int) -> None:
        self._pid, self._mark = pid, mark
        self._haste = haste
        self._others = {other for other in process_table.numbers() if other < pid}
        self._clock = AwakeClock()
        self._next = 2 * _GLANCE
        self._looked = 0.0
        """Moment of the last look, in seconds since the start."""
        self._active = 0.0
        """Moment of the last look that found something active."""
        self._spent = self._waited = self._busiest = 0.0
        self._idle = self._spell = 0.0
        """Longest time in a row in which nothing may have been active, and such a time until the last look."""
        self._threads: dict[tuple[int, int], float] = {}
        """Seconds in which each thread ran, or waited for a processor, until the last look."""
        self._look(0.0)

    def exceeded(self) -> str:
        """Return the limit that the command exceeds, in words; empty if there is none."""
        now = self._clock.elapsed()
        if now < self._next:
            return ""
        self._look(now)
        left, limit = self._left(now)
        share = _GLANCE_SHARE if self._haste.hang is None else _GLANCE_OF_HANG
        self._next = now + max(_GLANCE, min(share * now, left))
        return limit if left < 0 else ""

    def members(self) -> list[int]:
        """Return the numbers of its processes."""
        return [pid for pid, _ in self.rows()]

    def spent(self) -> float:
        """Return the seconds that it took until now. Nobody must have waited for its first process; 0 if not known."""
        try:
            return max(self._spent, self._busiest, process_table.row(self._pid).processor)
        except (OSError, ValueError, IndexError):
            return max(self._spent, self._busiest)

    def passed(self) -> float:
        """Return the seconds until the last look, of processor time or without a wait for a processor: a time that
        stands still while the machine does something else."""
        return max(self._spent, self._looked - self._waited)

    def starved(self) -> float:
        """Return the seconds until the last look in which threads waited for a processor, as the limit on a watch
        leaves them out."""
        return min(self._waited, self._looked)

    def busiest(self) -> float:
        """Return an upper bound of one thread's processor seconds: all time since the last look may belong to one
        thread."""
        return self._busiest + max(0.0, self.spent() - self._spent)

    def idle(self) -> float:
        """Return the most seconds in a row in which nothing may have run or waited for a processor until now."""
        return max(self._idle, self._spell + self._clock.elapsed() - self._looked)

    def _left(self, now: float) -> tuple[float, str]:
        """Return the least number of seconds until a limit may be exceeded, and this limit in words. The number is
        below 0 for an exceeded limit."""
        haste, left = self._haste, [(math.inf, "")]
        if haste.watch is not None:
            rest = haste.watch + min(self._waited, (_MOST_STARVED - 1) * haste.watch) - now
            left.append((rest, f"the limit is {haste.watch:.1f} s"))
        if haste.thread is not None:
            left.append((haste.thread - self._busiest, f"a thread took {haste.thread:.1f} s of processor time"))
        if haste.processor is not None:
            rest = (haste.processor - self._spent) / cores()
            left.append((rest, f"it took {haste.processor:.1f} s of processor time"))
        if haste.patience is not None and self._threads:
            rest = self._active + haste.patience - now
            connected = rest < 0 and any(process_table.connected(pid) for pid in {pid for pid, _ in self._threads})
            left.append((math.inf if connected else rest, f"nothing of it ran for {haste.patience:.1f} s"))
        return min(left, key=lambda limit: limit[0])

    def _look(self, now: float) -> None:
        mine = list(self.rows())
        threads = {(pid, thread.number): thread for pid, _ in mine for thread in process_table.threads(pid)}
        took = {name: thread.processor + thread.waited for name, thread in threads.items()}
        spent = sum(row.processor for _, row in mine)
        waited = sum(thread.waited for thread in threads.values())  # all together: one often waits for another
        did = abs(spent + waited - self._spent - self._waited)  # less than before where a process has ended
        passed = now - self._looked
        if did > _IDLE * passed or any(thread.ready for thread in threads.values()):
            one_did = max((seconds - self._threads.get(name, 0.0) for name, seconds in took.items()), default=0.0)
            rest = max(0.0, passed - one_did)
            self._active, self._idle, self._spell = now, max(self._idle, self._spell + rest), rest
        else:
            self._spell += passed
        self._busiest = max(self._busiest, *(thread.processor for thread in threads.values()), 0.0)
        self._spent, self._waited, self._threads, self._looked = spent, waited, took, now

    def rows(self) -> Iterator[tuple[int, ProcessRow]]:
        """Yield the processes of the session and the family; each other one is asked once whose it is."""
        for pid in process_table.numbers():
            if pid in self._others:
                continue
            try:
                row = process_table.row(pid)
            except (OSError, ValueError, IndexError):
                continue  # gone
            if row.session == self._pid or pid == self._pid or has_mark(pid, self._mark):
                yield pid, row
            else:
                self._others.add(pid)


class RequestLimit:
    """The time limit of one request to the living process ``pid``, in seconds on a watch; None: there is none.

    As with :attr:`Haste.watch`, the time in which threads wait for a processor does not count, and no thread may use
    more processor time than the limit. The threads are looked at when the request begins, and once the time is over.
    """

    def __init__(self, pid: int, seconds: float | None) -> None:
        self._pid = pid
        self._seconds = seconds
        self._clock = AwakeClock()
        self._before = {} if seconds is None else self._threads()

    def elapsed(self) -> float:
        """Return the seconds until now, those without a processor as well."""
        return self._clock.elapsed()

    def passed(self) -> bool:
        """Return True if the time is over."""
        now = self.elapsed()
        if self._seconds is None or now <= self._seconds:
            return False
        waited = busiest = 0.0
        for number, (took, waits) in self._threads().items():
            took_before, waits_before = self._before.get(number, (0.0, 0.0))
            busiest, waited = max(busiest, took - took_before), waited + waits - waits_before
        return busiest > self._seconds or now > self._seconds + min(waited, (_MOST_STARVED - 1) * self._seconds)

    def _threads(self) -> dict[int, tuple[float, float]]:
        """Return the seconds of running and of waiting for a processor, by the number of the thread."""
        return {thread.number: (thread.processor, thread.waited) for thread in process_table.threads(self._pid)}
