"""Memory and processor time of this machine and of processes, by ``psutil``, on every system that it knows.

Each function imports psutil when it is called: the import takes 20 ms, which ``jarlet --version`` does without. What
is looked at many times during each probe is read from ``/proc`` instead: see
:mod:`core.system.processes.process_table`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable


def free_memory() -> int | None:
    """Return the bytes of memory that this machine can still give; None where the system does not tell."""
    import psutil

    with contextlib.suppress(OSError, ValueError, psutil.Error):
        return int(psutil.virtual_memory().available)
    return None


def machine_seconds() -> float:
    """Return the CPU seconds of all processes since the start of the system; 0 where the system does not tell."""
    import psutil

    with contextlib.suppress(OSError, ValueError, psutil.Error):
        times = psutil.cpu_times()
        return float(sum(getattr(times, kind, 0.0) for kind in ("user", "nice", "system", "irq", "softirq")))
    return 0.0


def descendants(pid: int) -> list[int]:
    """Return the living processes that came of a process, without those whose parent has ended."""
    import psutil

    try:
        return [child.pid for child in psutil.Process(pid).children(recursive=True)]
    except (OSError, psutil.Error):
        return []


def cpu_seconds(processes: Iterable[int]) -> dict[int, float]:
    """Return the CPU seconds of those of the processes that live, each with those of the children it waited for."""
    import psutil

    found = {}
    for pid in processes:
        with contextlib.suppress(OSError, psutil.Error):
            times = psutil.Process(pid).cpu_times()
            found[pid] = float(sum(times[:4]))  # user and system: its own, and its children's
    return found


def memory_held(processes: Iterable[int]) -> list[int]:
    """Return the bytes of memory that each of the processes holds which live."""
    import psutil

    found = []
    for pid in processes:
        with contextlib.suppress(OSError, psutil.Error):
            found.append(int(psutil.Process(pid).memory_info().rss))
    return found


def kill_tree(pid: int) -> None:
    """Kill a process and its descendants, for systems without groups of processes."""
    import psutil

    for number in (pid, *descendants(pid)):
        with contextlib.suppress(OSError, psutil.Error):
            psutil.Process(number).kill()
