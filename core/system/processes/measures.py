"""Memory and processor time of this machine and of processes, by ``psutil``, and limits of their use, by
``resource``.

psutil is imported in the functions: the import takes 20 ms, which ``jarlet --version`` does without. Figures needed
many times during each probe are read from ``/proc`` instead: see :mod:`core.system.processes.process_table`.
"""

from __future__ import annotations

import contextlib
import resource
from collections.abc import Iterable


def free_memory() -> int | None:
    """Return the bytes of memory that this machine can still give; None where the system does not tell."""
    import psutil

    with contextlib.suppress(OSError, ValueError, psutil.Error):
        return int(psutil.virtual_memory().available)
    return None


def free_addresses() -> int | None:
    """Return the bytes of addresses that this process may still take; None = any number."""
    import psutil

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if most == resource.RLIM_INFINITY else int(most) - int(psutil.Process().memory_info().vms)


def machine_seconds() -> float:
    """Return the CPU seconds of all processes since the start of the system; 0 where the system does not tell."""
    import psutil

    with contextlib.suppress(OSError, ValueError, psutil.Error):
        times = psutil.cpu_times()
        return float(sum(getattr(times, kind, 0.0) for kind in ("user", "nice", "system", "irq", "softirq")))
    return 0.0


def descendants(pid: int) -> list[int]:
    """Return the living descendants of a process, without those whose parent has ended."""
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
    """Return the bytes of memory of each living one of the processes."""
    import psutil

    found = []
    for pid in processes:
        with contextlib.suppress(OSError, psutil.Error):
            found.append(int(psutil.Process(pid).memory_info().rss))
    return found


def children_seconds() -> float:
    """Return the CPU seconds of all processes that were waited for."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(usage.ru_utime + usage.ru_stime)


def children_peak() -> int:
    """Return the most bytes of memory that one of them held."""
    return int(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) * 1024


def own_peak() -> int:
    """Return the most bytes of memory that this process held."""
    return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) * 1024


def page_bytes() -> int:
    """Return the size of a page of memory."""
    return resource.getpagesize()


def limit_own_seconds(seconds: int) -> None:
    """Let the system end this process after so many CPU seconds."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def limit_files(pid: int, size: int) -> None:
    """Let the system stop a process that writes a file of more than ``size`` bytes, if it can (Linux)."""
    if hasattr(resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            _, most = resource.prlimit(pid, resource.RLIMIT_FSIZE)
            allowed = size if most == resource.RLIM_INFINITY else min(size, most)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (allowed, most))


class Mark:
    """A limit that Linux hands down to children and does not look at otherwise: ``RLIMIT_LOCKS``, which Python has no
    name for (see :mod:`core.system.processes.families`)."""

    KIND = 10

    @staticmethod
    def own() -> tuple[int, int] | None:
        """Return the limit of this process, soft and hard, where both are unlimited; None if anybody uses it
        already."""
        soft, hard = resource.getrlimit(Mark.KIND)
        return (soft, hard) if soft == hard == resource.RLIM_INFINITY else None

    @staticmethod
    def set(limits: tuple[int, int]) -> None:
        """Set the limit of this process."""
        resource.setrlimit(Mark.KIND, limits)

    @staticmethod
    def of(pid: int) -> int | None:
        """Return the limit of a process; None = unlimited. Raise OSError and ValueError as ``prlimit`` does."""
        soft = int(resource.prlimit(pid, Mark.KIND)[0])
        return None if soft == resource.RLIM_INFINITY else soft
