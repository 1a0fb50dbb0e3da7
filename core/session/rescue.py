"""Where a run without an output file keeps its best so far: found again after a crash.

The files lie in ``$XDG_STATE_HOME/jarlet`` (``~/.local/state/jarlet``), named after the input
and the process that writes them. A run that ends well removes its file.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

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
        if match and not _alive(int(match[1])):
            found.append(path)
    return sorted(found, key=lambda path: path.stat().st_mtime)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
