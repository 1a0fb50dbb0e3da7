"""The number of processors for us, and the number of parallel runs of a command that suits this machine."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from core.system.processes.measures import (
    children_peak,
    children_seconds,
    cpu_seconds,
    descendants,
    free_memory,
    machine_seconds,
    memory_held,
)

T = TypeVar("T")

_MOST_RUNS = 32
"""Largest number of parallel runs, unless the user asks for more."""

_SHARE = 0.5
"""Largest share of the free memory that parallel runs may use. See decisions/035-probes-at-a-time.md."""


def cores() -> int:
    """Return the number of processors that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_SPARE = 0.25
"""Idle cores from which on no process had to wait for a core. With fewer, a run might have used more cores than it got,
so the load of other processes counts as lasting. A second resident Java process on two cores doubles the processor time
and gains nothing, since compilers work beside each of them (``tests/bench/results/processes.md``). See
decisions/035-probes-at-a-time.md.
"""


@dataclass
class Busy:
    """Processor time during runs of a command, in seconds, by the processes that used it.

    ``cpu`` is the command's, ``ours`` this process's, ``everybody`` that of the whole machine. ``hosts`` is the time of
    the resident processes in place of the command, and ``beside`` that of all other living children. ``resident``: True
    if resident processes made the runs.
    """

    wall: float = 0.0
    cpu: float = 0.0
    ours: float = 0.0
    beside: float = 0.0
    everybody: float = 0.0
    hosts: float = 0.0
    resident: bool = False

    def during(self, run: Callable[[], T], hosts: Callable[[], Iterable[int]] = tuple) -> T:
        """Return the result of ``run``, and note the processor time of the call. ``hosts`` gives the numbers of
        processes that stay."""
        beside, before, everybody = _beside(), cpu_seconds(hosts()), machine_seconds()
        wall, cpu, ours = time.monotonic(), children_seconds(), time.process_time()
        found = run()
        self.wall += time.monotonic() - wall
        self.cpu += children_seconds() - cpu
        self.ours += time.process_time() - ours
        self.everybody += machine_seconds() - everybody
        self.beside += _grown(_beside(), beside)
        self.hosts += _grown(cpu_seconds(hosts()), before)
        return found

    def was_resident(self) -> None:
        """Count the time of the resident process as the command's, and the rest as time beside: it made all runs until
        now."""
        self.cpu, self.beside = self.hosts, max(0.0, self.cpu + self.beside - self.hosts)
        self.resident = True

    @property
    def jobs(self) -> int:
        """Return the number of parallel runs for which this machine has cores."""
        return max(1, int(cores() / self._each + 0.5)) if self.wall else 1

    @property
    def automatic(self) -> int:
        """Return the number of parallel runs that suits this machine, by its cores, by the load of other programs, and
        by its free memory."""
        if not self.wall:
            return 1
        others = max(0.0, self.everybody - self.cpu - self.ours) / self.wall
        if (os.cpu_count() or 1) - self.everybody / self.wall >= _SPARE:
            others = max(0.0, others - self.beside / self.wall)
        free = min(cores(), (os.cpu_count() or 1) - others) / self._each
        peak = max(children_peak(), *memory_held(descendants(os.getpid())), 1)
        memory = free_memory()
        part = 0.0 if self.resident else 0.5  # each more of them has compilers to warm up, which needs whole cores
        room = math.inf if memory is None else _SHARE * memory / peak
        return max(1, min(_MOST_RUNS, int(min(free + part, room))))

    @property
    def _each(self) -> float:
        return max(1.0, self.cpu / self.wall)


def _beside() -> dict[int, float]:
    """Return the CPU seconds of each living descendant of this process, with those of the children it waited for."""
    return cpu_seconds(descendants(os.getpid()))


def _grown(after: Mapping[int, float], before: Mapping[int, float]) -> float:
    """Return the CPU seconds that the processes in ``after`` used since ``before``."""
    return sum(max(0.0, seconds - before.get(pid, 0.0)) for pid, seconds in after.items())
