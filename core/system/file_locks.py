"""Locks on open files that end with whoever holds them, by ``flock``, or by Windows' own where there is none.

Windows locks bytes, and keeps others from reading these: the byte lies far behind all that is written. Where the
system has neither, nobody is kept out.
"""

from __future__ import annotations

import errno
import importlib
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

_PLACE = 1 << 30
_PAUSE = 0.02


def _module(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


_unix, _windows = _module("fcntl"), _module("msvcrt")


def take(handle: int) -> None:
    """Take the lock, as soon as nobody else holds it. Raise OSError where the file system has no locks."""
    if _unix is not None:
        _unix.flock(handle, _unix.LOCK_EX)
    else:
        while not _taken(try_take, handle):
            time.sleep(_PAUSE)


def try_take(handle: int) -> None:
    """Take the lock now. Raise BlockingIOError while another one holds it, OSError where there are no locks."""
    if _unix is not None:
        _unix.flock(handle, _unix.LOCK_EX | _unix.LOCK_NB)
    elif _windows is not None:
        before = os.lseek(handle, 0, os.SEEK_CUR)
        os.lseek(handle, _PLACE, os.SEEK_SET)
        try:
            _windows.locking(handle, _windows.LK_NBLCK, 1)
        except OSError as error:
            raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN)) from error
        finally:
            os.lseek(handle, before, os.SEEK_SET)


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder within a ``with`` statement, where the system locks folders: who reads a file in it and
    writes the file anew loses nothing that another one writes."""
    handle = -1
    with suppress(OSError):  # told by who reads the file; Windows opens no folder
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
    try:
        if handle >= 0:
            with suppress(OSError):  # a file system without locks
                take(handle)
        yield
    finally:
        if handle >= 0:
            os.close(handle)


def _taken(attempt: Callable[[int], None], handle: int) -> bool:
    try:
        attempt(handle)
    except BlockingIOError:
        return False
    return True
