"""The processes of this machine, as Linux's ``/proc`` lists them; nobody where there is none.

This is our own code and not psutil because the table is read several times a second during each probe, and the marks
of all processes at the end of each probe. psutil takes 9.0 ms for the table of 88 processes, this module 2.0; for the
marks 2.8 and 0.2 (``tests/bench/results/libraries.md``). psutil also does not tell the session of a process. It
gives no handle (``pidfd``) by which a process is killed even if another one has its number by then.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from typing import NamedTuple

_PROC = "/proc"

_TICKS = os.sysconf("SC_CLK_TCK")
"""Units of processor time in a second."""


class ProcessRow(NamedTuple):
    """One process: its state, its parent, its session, its terminal (0 = none), its pages in memory, and the seconds of
    processor time of it and of its ended children."""

    state: str
    parent: int
    session: int
    terminal: int
    pages: int
    processor: float


_READY = (b"R", b"D")
"""States of a thread that runs, waits for a processor, or waits for a disk."""


class ThreadRow(NamedTuple):
    """One thread of a process."""

    number: int
    ready: bool
    """True if it runs, or waits for nothing but a processor or a disk."""
    processor: float
    """Seconds of processor time."""
    waited: float
    """Seconds in which it was ready and got no processor; 0 if the system does not count them."""


def listed() -> bool:
    """Return True if the system has a list of processes."""
    return os.path.isdir(f"{_PROC}/self")


def numbers() -> list[int]:
    """Return the numbers of all processes, in ascending order of their start as far as numbers tell."""
    try:
        return [int(name) for name in os.listdir(_PROC) if name.isdigit()]
    except OSError:
        return []


def row(pid: int) -> ProcessRow:
    """Return the row of a process. Raise OSError if the process is gone."""
    with open(f"{_PROC}/{pid}/stat", "rb") as file:
        words = file.read().rpartition(b")")[2].split()
    processor = sum(map(int, words[11:15])) / _TICKS
    return ProcessRow(words[0].decode(), int(words[1]), int(words[3]), int(words[4]), int(words[21]), processor)


def threads(pid: int) -> Iterator[ThreadRow]:
    """Yield the threads of a process; none where it is gone."""
    folder = f"{_PROC}/{pid}/task"
    with contextlib.suppress(OSError):
        for thread in os.listdir(folder):
            with contextlib.suppress(OSError), open(f"{folder}/{thread}/stat", "rb") as file:
                words = file.read().rpartition(b")")[2].split()
                processor = sum(map(int, words[11:13])) / _TICKS
                yield ThreadRow(int(thread), words[0] in _READY, processor, _waited(f"{folder}/{thread}"))


def _waited(thread: str) -> float:
    try:
        with open(f"{thread}/schedstat", "rb") as file:
            return int(file.read().split()[1]) / 1e9
    except (OSError, IndexError):
        return 0.0


def connected(pid: int) -> bool:
    """Return True if a process has a socket or a named pipe, by which another process may work for it; False where it
    is gone, or another user's."""
    folder = f"{_PROC}/{pid}/fd"
    with contextlib.suppress(OSError):
        for number in os.listdir(folder):
            with contextlib.suppress(OSError):
                mode, to = os.stat(f"{folder}/{number}").st_mode, os.readlink(f"{folder}/{number}")
                if stat.S_ISSOCK(mode) or (stat.S_ISFIFO(mode) and not to.startswith("pipe:")):
                    return True
    return False


def environment(pid: int) -> list[bytes]:
    """Return the environment that a process was started with, ``NAME=value`` each. Raise OSError, also for another
    user's."""
    with open(f"{_PROC}/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")


def place(pid: int) -> bytes:
    """Return the working directory of a process, even a removed one. Raise OSError."""
    return os.readlink(f"{_PROC}/{pid}/cwd".encode()).removesuffix(b" (deleted)")
