"""Compares our reading of ``/proc`` with psutil, for what is asked many times during each probe.

``python -m tests.bench.process_table`` prints the least CPU milliseconds of 50 runs of each question.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable

import psutil

from core.system.processes import process_table
from core.system.processes.usage import Mark

_RUNS = 50


def _table_of_psutil() -> dict[int, tuple[object, ...]]:
    rows = {}
    for process in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError), process.oneshot():
            session = os.getsid(process.pid)
            rows[process.pid] = (process.status(), process.ppid(), session, process.memory_info(), process.cpu_times())
    return rows


def _marks() -> list[int | None]:
    found = []
    for pid in process_table.numbers():
        with contextlib.suppress(OSError):
            found.append(Mark.of(pid))
    return found


def _marks_of_psutil() -> list[int]:
    found = []
    for pid in psutil.pids():
        with contextlib.suppress(psutil.Error):
            found.append(psutil.Process(pid).rlimit(Mark.KIND)[0])
    return found


def _row_of_psutil() -> tuple[object, ...]:
    process = psutil.Process(os.getpid())
    with process.oneshot():
        return process.status(), process.ppid(), os.getsid(process.pid), process.cpu_times()


QUESTIONS: dict[str, tuple[Callable[[], object], Callable[[], object]]] = {
    "table of all processes": (lambda: dict(process_table.rows()), _table_of_psutil),
    "marks of all processes": (_marks, _marks_of_psutil),
    "row of one process": (lambda: process_table.row(os.getpid()), _row_of_psutil),
}
"""Question -> our answer, psutil's answer."""


def _least(question: Callable[[], object]) -> float:
    """Return the least CPU milliseconds that the question took."""
    times = []
    for _ in range(_RUNS):
        began = time.thread_time()
        question()
        times.append(time.thread_time() - began)
    return min(times) * 1000


def main() -> None:
    """Print a line for each question."""
    print(f"{len(process_table.numbers())} processes; psutil {psutil.__version__}")
    for name, (ours, other) in QUESTIONS.items():
        print(f"{name:24} ours {_least(ours):7.3f} ms   psutil {_least(other):7.3f} ms")


if __name__ == "__main__":
    main()
