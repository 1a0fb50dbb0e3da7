"""Processes that a run which was killed left behind (Linux)."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.system.processes import process_table


def kill_leftovers(folders: Sequence[Path]) -> int:
    """Kills the processes whose ``JARLET_WORK`` lies in one of ``folders``; how many there were.

    Every command of a predicate is started with that variable, and so is all that it starts. A process is
    looked at and killed by a handle of it, so that a number that is used again hits nobody.
    """
    if not folders or not hasattr(os, "pidfd_open") or not process_table.listed():
        return 0
    marks = tuple(b"JARLET_WORK=" + os.fsencode(folder) + b"/" for folder in folders)
    killed = 0
    for _ in range(5):  # what starts processes faster than one look takes
        found = sum(_kill_marked(pid, marks) for pid in process_table.numbers())
        if not found:
            break
        killed += found
    return killed


def _kill_marked(pid: int, marks: tuple[bytes, ...]) -> bool:
    if pid == os.getpid():
        return False
    with suppress(OSError):  # gone meanwhile, or another user's
        handle = os.pidfd_open(pid)
        try:
            if any(text.startswith(marks) for text in process_table.environment(pid)):
                signal.pidfd_send_signal(handle, signal.SIGKILL)
                return True
        finally:
            os.close(handle)
    return False
