"""Commands that lead a group of processes, which is ended whole: a session of POSIX, a tree of Windows."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from typing import Any

from core.system.processes.measures import kill_tree

_POSIX = hasattr(os, "killpg")


def own_group() -> dict[str, Any]:
    """Return the arguments of ``Popen`` for a command that leads a group of its own, away from the terminal."""
    if _POSIX:
        return {"start_new_session": True}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a group at once. Its leader must not have been waited for: its number is then nobody else's."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if _POSIX:
            os.killpg(process.pid, signal.SIGKILL)
        else:
            kill_tree(process.pid)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Return True if the leader has ended. Where possible the leader is not reaped, so that the group's id stays
    ours."""
    if hasattr(os, "waitid") and process.returncode is None:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None
