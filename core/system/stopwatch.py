"""The distribution of wall time: at each moment it belongs to one part, so that the parts add up to the whole."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

_LONGEST_GAP = 0.25
"""Longest counted time, in seconds, between two looks at a clock that only counts while this process runs. See
decisions/025-limits-of-a-probe.md."""


class AwakeClock:
    """Seconds since its making, without those in which this process was stopped or the machine slept. For one thread,
    which looks at it some times a second: of a longer gap only :data:`_LONGEST_GAP` counts."""

    def __init__(self) -> None:
        self._last = time.monotonic()
        self._passed = 0.0

    def elapsed(self) -> float:
        """Return the seconds until now."""
        now = time.monotonic()
        self._passed += min(now - self._last, _LONGEST_GAP)
        self._last = now
        return self._passed


class Stopwatch:
    """Seconds a part since ``began`` (by the monotonic clock; by default now). Used by one thread at a time.

    A part within another one takes its time from it.
    """

    def __init__(self, part: str, began: float | None = None) -> None:
        now = time.monotonic()
        self.began = now if began is None else min(began, now)
        self._part, self._since = part, self.began
        self._spent: dict[str, float] = {}

    def turn(self, part: str) -> str:
        """Let time belong to ``part`` from now on. Return the part before."""
        now, before = time.monotonic(), self._part
        self._spent[before] = self._spent.get(before, 0.0) + now - self._since
        self._part, self._since = part, now
        return before

    @contextlib.contextmanager
    def during(self, part: str) -> Iterator[None]:
        """Time within belongs to ``part``."""
        before = self.turn(part)
        try:
            yield
        finally:
            self.turn(before)

    @property
    def spent(self) -> dict[str, float]:
        """Seconds of each part until now."""
        self.turn(self._part)
        return dict(self._spent)

    @property
    def elapsed(self) -> float:
        """Seconds of all parts until now."""
        return sum(self.spent.values())


def process_began() -> float:
    """Return when this process was started, by the monotonic clock; where the system does not tell, now."""
    now = time.monotonic()
    try:
        fields = Path("/proc/self/stat").read_bytes().rpartition(b")")[2].split()
        ago = time.clock_gettime(time.CLOCK_BOOTTIME) - int(fields[19]) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return now
    return now - max(0.0, ago)
