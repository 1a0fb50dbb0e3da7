"""Locks on open files and on folders, by ``flock``: they end with whoever holds them, however that ends."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def take(handle: int) -> None:
    """Take the lock, as soon as nobody else holds it. Raise OSError where the file system has no locks."""
    fcntl.flock(handle, fcntl.LOCK_EX)


def try_take(handle: int) -> None:
    """Take the lock now. Raise BlockingIOError while another one holds it, OSError where there are no locks."""
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder within a ``with`` statement: between reading a file in it and writing the file anew, no
    other process writes."""
    handle = -1
    with suppress(OSError):  # told by who reads the file
        handle = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        if handle >= 0:
            with suppress(OSError):  # a file system without locks
                take(handle)
        yield
    finally:
        if handle >= 0:
            os.close(handle)


NAME = "lock"

_NO_PROCESS = 1 << 31
"""No process has a number as large; one that is read is damaged."""

_PATIENCE = 0.5
"""Seconds to wait for a holder that is on its way out: a child between fork and exec holds its dead parent's lock."""


class FolderLock:
    """Held from construction to :meth:`close`. The file names the holder, for others to tell of.

    Raises BlockingIOError while another one holds it, OSError when there can be no lock.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = os.open(folder / NAME, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o644)
        try:
            deadline = time.monotonic() + _PATIENCE
            while not _taken(self._handle):
                if time.monotonic() > deadline:
                    raise BlockingIOError
                time.sleep(0.02)
        except BaseException:
            os.close(self._handle)
            raise
        with suppress(OSError):  # a full disk: then nobody is named
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Give the lock up; the file stays, since a lock on a file that is gone would keep nobody out."""
        if self._handle >= 0:
            with suppress(OSError):
                os.ftruncate(self._handle, 0)
            os.close(self._handle)
            self._handle = -1


def holder(folder: Path) -> int | None:
    """Return the process that says it holds the lock of ``folder``, if it lives."""
    try:
        pid = int((folder / NAME).read_text())
    except (OSError, ValueError):
        return None
    return pid if 0 < pid < _NO_PROCESS and alive(pid) else None


def alive(pid: int) -> bool:
    """Return True if there is a process of that number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _taken(handle: int) -> bool:
    try:
        try_take(handle)
    except BlockingIOError:
        return False
    return True
