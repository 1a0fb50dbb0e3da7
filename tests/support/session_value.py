"""The value by which Linux shares the processors between sessions."""

from __future__ import annotations

import contextlib
from pathlib import Path


def session_value(pid: int) -> int | None:
    """Return the value of the session that a process is in, -20 to 19; None where sessions have none."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{pid}/autogroup").read_text(encoding="ascii").split()[-1])
    return None
