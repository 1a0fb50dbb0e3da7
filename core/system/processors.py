"""How many processors there are for us, and how many runs of a command at a time this machine is good for."""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from core.system.processes import process_table
from core.system.processes.usage import children_peak, children_seconds, page_bytes

T = TypeVar("T")

_MOST_RUNS = 32
"""Runs at a time at most, where nobody asked for more."""

_SHARE = 0.5
"""Of the free memory, so much may be used."""


_SWITCH = 0.0005
"""Seconds after which a busy thread makes way for another one, instead of Python's 0.005."""


def short_turns() -> None:
    """Let the threads of this process take turns ten times as often as by default.

    The threads that start and watch the predicate ask for the interpreter hundreds of times a run, while the main
    thread makes the next candidates. To be called where a program starts.
    """
    sys.setswitchinterval(_SWITCH)


def cores() -> int:
    """Processors that we may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


_SPARE = 0.25
"""Cores that were idle, from which on nothing waited for one. Below, a run might have used more of them than it got, so
what went on beside it is counted as if it stayed. With a resident Java process, whose compilers work beside it, a
second one on two cores doubles the processor time and gains nothing
(``tests/bench/results/2026-11-22-processes.md``)."""


@dataclass
class Busy:
    """Cores that runs of a command kept busy, and that everybody did meanwhile; seconds.

    ``ours`` is this process alone, ``beside`` what it started that has not ended, ``hosts`` those of them that stay
    and answer. ``resident``: whether these made the runs; then ``beside`` is what else was started."""

    wall: float = 0.0
    cpu: float = 0.0
    ours: float = 0.0
    beside: float = 0.0
    everybody: float = 0.0
    hosts: float = 0.0
    resident: bool = False

    def during(self, run: Callable[[], T], hosts: Callable[[], Iterable[int]] = tuple) -> T:
        """What ``run`` gives; what it took is noted. ``hosts`` gives the numbers of processes that stay."""
        wall, cpu, ours = time.monotonic(), children_seconds(), time.process_time()
        beside, everybody, before = _descendants(), _machine(), _of(hosts())
        found = run()
        self.wall += time.monotonic() - wall
        self.cpu += children_seconds() - cpu
        self.ours += time.process_time() - ours
        self.beside += _grown(_descendants(), beside)
        self.everybody += _machine() - everybody
        self.hosts += _grown(_of(hosts()), before)
        return found

    def was_resident(self) -> None:
        """The runs until now were made by a process that stays: what such ones took, the runs took."""
        self.cpu, self.beside = self.hosts, max(0.0, self.cpu + self.beside - self.hosts)
        self.resident = True

    @property
    def jobs(self) -> int:
        """How many runs at a time this machine has cores for."""
        return max(1, int(cores() / self._each + 0.5)) if self.wall else 1

    @property
    def automatic(self) -> int:
        """How many of them it is good for: by its cores, by what others leave of these, and by its free memory."""
        if not self.wall:
            return 1
        others = max(0.0, self.everybody - self.cpu - self.ours) / self.wall
        if (os.cpu_count() or 1) - self.everybody / self.wall >= _SPARE:
            others = max(0.0, others - self.beside / self.wall)
        free = min(cores(), (os.cpu_count() or 1) - others) / self._each
        peak = max(children_peak(), _largest())
        part = 0.0 if self.resident else 0.5  # each more of them has compilers to warm up, which needs whole cores
        return max(1, min(_MOST_RUNS, int(min(free + part, _SHARE * _memory() / max(1, peak)))))

    @property
    def _each(self) -> float:
        return max(1.0, self.cpu / self.wall)


def _descendants() -> dict[int, float]:
    """CPU seconds of the processes that came of this one and live, with those that they waited for."""
    return {pid: row.processor for pid, row in _below().items()}


def _of(processes: Iterable[int]) -> dict[int, float]:
    """CPU seconds of these processes, as far as they live."""
    found: dict[int, float] = {}
    for pid in processes:
        with contextlib.suppress(OSError):
            found[pid] = process_table.row(pid).processor
    return found


def _grown(after: Mapping[int, float], before: Mapping[int, float]) -> float:
    """CPU seconds that those that live ``after`` took since they were counted ``before``."""
    return sum(max(0.0, seconds - before.get(pid, 0.0)) for pid, seconds in after.items())


def _largest() -> int:
    """Bytes that the largest of them holds."""
    return max((row.pages for row in _below().values()), default=0) * page_bytes()


def _below() -> dict[int, process_table.ProcessRow]:
    rows = dict(process_table.rows())
    children: dict[int, list[int]] = {}
    for pid, row in rows.items():
        children.setdefault(row.parent, []).append(pid)
    found: dict[int, process_table.ProcessRow] = {}
    open_ = [os.getpid()]
    while open_:
        below = children.get(open_.pop(), [])
        found |= {pid: rows[pid] for pid in below}
        open_ += below
    return found


def _machine() -> float:
    """CPU seconds of all processes since the start of the system; 0 where it does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        words = Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
        user, nice, system, _, _, irq, soft = map(int, words[1:8])
        return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")
    return 0.0


def _memory() -> float:
    """Bytes of memory that are free; without end where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return float("inf")
