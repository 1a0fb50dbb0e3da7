"""A lock on a folder that ends with its holder, however that ends."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from core.system.file_locks import try_take

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
