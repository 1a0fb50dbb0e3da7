"""Use of resources by processes, and limits of that use, by ``resource``. Without ``resource`` (Windows) no use is
known and no limit is set."""

from __future__ import annotations

import contextlib
import importlib
import os
from typing import Any

try:
    _resource: Any = importlib.import_module("resource")
except ImportError:
    _resource = None


def children_seconds() -> float:
    """Return the CPU seconds of all processes that were waited for; 0 where nobody counts them."""
    if _resource is None:
        times = os.times()
        return times.children_user + times.children_system
    usage = _resource.getrusage(_resource.RUSAGE_CHILDREN)
    return float(usage.ru_utime + usage.ru_stime)


def children_peak() -> int:
    """Return the most bytes of memory that one of them held; 0 where nobody counts them."""
    if _resource is None:
        return 0
    return int(_resource.getrusage(_resource.RUSAGE_CHILDREN).ru_maxrss) * 1024


def own_peak() -> int:
    """Return the most bytes of memory that this process held; 0 where nobody counts them."""
    return 0 if _resource is None else int(_resource.getrusage(_resource.RUSAGE_SELF).ru_maxrss) * 1024


def page_bytes() -> int:
    """Return the size of a page of memory."""
    return int(_resource.getpagesize()) if _resource is not None else 4096


def address_space() -> int | None:
    """Return the most bytes of addresses that this process may have; None = any number."""
    if _resource is None:
        return None
    most, _ = _resource.getrlimit(_resource.RLIMIT_AS)
    return None if most == _resource.RLIM_INFINITY else int(most)


def limit_own_seconds(seconds: int) -> None:
    """Let the system end this process after so many CPU seconds, where it can."""
    if _resource is not None:
        _resource.setrlimit(_resource.RLIMIT_CPU, (seconds, seconds))


def limit_files(pid: int, size: int) -> None:
    """Let the system stop a process that writes a file of more bytes, where it can (Linux)."""
    if _resource is not None and hasattr(_resource, "prlimit"):
        with contextlib.suppress(OSError, ValueError):
            _, most = _resource.prlimit(pid, _resource.RLIMIT_FSIZE)
            allowed = size if most == _resource.RLIM_INFINITY else min(size, most)
            _resource.prlimit(pid, _resource.RLIMIT_FSIZE, (allowed, most))


class Mark:
    """A limit that Linux hands down to children and does not look at otherwise: ``RLIMIT_LOCKS``, which Python has no
    name for (see :mod:`core.system.processes.families`)."""

    KIND = 10

    @staticmethod
    def own() -> tuple[int, int] | None:
        """Return the limit of this process, soft and hard, where both are unlimited; None if anybody uses it
        already."""
        if _resource is None:
            return None
        soft, hard = _resource.getrlimit(Mark.KIND)
        return (soft, hard) if soft == hard == _resource.RLIM_INFINITY else None

    @staticmethod
    def set(limits: tuple[int, int]) -> None:
        """Set the limit of this process."""
        _resource.setrlimit(Mark.KIND, limits)

    @staticmethod
    def of(pid: int) -> int | None:
        """Return the limit of a process; None = unlimited. Raise OSError and ValueError as ``prlimit`` does."""
        soft = int(_resource.prlimit(pid, Mark.KIND)[0])
        return None if soft == _resource.RLIM_INFINITY else soft
