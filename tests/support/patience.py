"""The time that a test waits before it gives up: a deadline only ends what will never come."""

from __future__ import annotations

import os


def patience(alone: float = 120.0) -> float:
    """Return seconds: those for a machine without other work, times the processes that share a processor now."""
    return alone * max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
