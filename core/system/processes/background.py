"""Commands that leave the processors to other work: for runs behind a window.

The engine itself keeps its priority: the window's questions wait for it, whatever else runs.

Linux shares the processors first between sessions (autogroups, sched(7)), and only then between the processes of one.
So the nice value of a command in a session of its own does nothing for a window in another one. There the session's own
value counts, in ``/proc/PID/autogroup``. Its owner may write it; all writers together may do so once in 0.1 s. If
control groups share the processors, as on most desktops, both are in one group, and the nice value counts. So both are
set. Other systems have the nice value or nothing.

On a crowded machine, where the window has to wait anyway, commands keep their weight: with a tenth of it the probes
would hardly run, and good ones would reach their time limit.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time

from core.system.processors import cores

NICE = 10
"""Default increase of ``nice``: a tenth of the share of a process with value 0."""

_CROWDED = 4.0
"""Threads per processor, running or ready, from which on commands keep their weight: our own probes are one or two of
them, with the threads of a virtual machine."""

_PAUSE = 0.11
"""Seconds until the kernel lets the next one write."""

_lock = threading.Lock()
_waiting: list[int] = []
"""Open ``autogroup`` files of sessions, still to be written: each belongs to its process, and cannot be written after
the end of that process."""

_for_window = False


def serve_window() -> None:
    """Let all families step back that this process starts from now on."""
    global _for_window  # a property of the process
    _for_window = True


def take(pid: int) -> None:
    """Lower the priority of the group and of the session that ``pid`` leads, if this process serves a window. The
    session's value follows once the kernel allows."""
    if not _for_window or is_crowded():
        return
    with contextlib.suppress(OSError, AttributeError):
        os.setpriority(os.PRIO_PGRP, pid, os.getpriority(os.PRIO_PROCESS, 0) + NICE)
    try:
        file = os.open(f"/proc/{pid}/autogroup", os.O_WRONLY)
    except OSError:
        return
    _write(file)


def is_crowded() -> bool:
    """Return True if many more threads than ours want a processor, in the mean of the last minute."""
    with contextlib.suppress(OSError, AttributeError):
        return os.getloadavg()[0] > _CROWDED * cores()
    return False


def _write(file: int) -> None:
    """Write the value now or as soon as possible; close the file."""
    if _written(file):
        return
    with _lock:
        _waiting.append(file)
        if len(_waiting) == 1:
            threading.Thread(target=_work, name="background", daemon=True).start()


def _written(file: int) -> bool:
    """Return True if the value is written, or never will be; close the file in both cases."""
    try:
        os.write(file, str(NICE).encode())
    except BlockingIOError:
        return False
    except OSError:
        pass  # the process is gone
    os.close(file)
    return True


def _work() -> None:
    while True:
        time.sleep(_PAUSE)
        with _lock:
            if _written(_waiting[0]):
                _waiting.pop(0)
            if not _waiting:
                return
