"""Where a run without an output file keeps its best so far: found again after a crash.

The files lie in ``$XDG_STATE_HOME/jarlet`` (``~/.local/state/jarlet``), named after the input
and the process that writes them. A run that ends well removes its file.
"""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from core.session.lock import alive

_NAME = re.compile(r"best-(\d+)-.*\.jar")


def folder() -> Path:
    """The folder for best-so-far jars of this user (it may not exist yet)."""
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local" / "state") / "jarlet"


def place(title: str) -> Path:
    """The file of this process for an input of that title; its folder is made. Raises OSError."""
    folder().mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"[^\w.+-]", "_", title).removesuffix(".jar")
    return folder() / f"best-{os.getpid()}-{stem}.jar"


def left_behind() -> list[Path]:
    """Files of processes that are gone, oldest first."""
    found = []
    for path in folder().glob("best-*.jar"):
        match = _NAME.fullmatch(path.name)
        if match and not _writes(int(match[1]), path):
            found.append(path)
    return sorted(found, key=lambda path: path.stat().st_mtime)


def _writes(pid: int, path: Path) -> bool:
    """Whether the process lives and is the one that wrote the file, not a younger one of the same number."""
    if not alive(pid):
        return False
    started = _started(pid)
    return started is None or started <= path.stat().st_mtime


def _started(pid: int) -> float | None:
    """When a process began, in seconds of the clock; None where the system does not tell (not Linux)."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return time.time() - time.clock_gettime(time.CLOCK_BOOTTIME) + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None
