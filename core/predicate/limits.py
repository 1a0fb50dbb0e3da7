"""The limits of a probe beside time, and a watch over the limits."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from core.entries import Entries
from core.system.processes import process_table
from core.system.processes.measures import descendants, limit_files, memory_held, page_bytes
from core.system.processes.process_table import ProcessRow
from core.system.removal import files_below

_PERIOD = 0.25
"""Seconds between two looks at the processes and files of a probe: each look reads ``/proc``.
See decisions/025-limits-of-a-probe.md."""

_PAGE = page_bytes()
_MEGA = 1 << 20

_TOO_LARGE = (-signal.SIGXFSZ, 128 + signal.SIGXFSZ)
"""Exit codes of a process ended for its too large file, and of a shell around it."""

_MEDIANS = 3
"""Number of classes that are run alone. See decisions/057-hangs.md."""


@dataclass(frozen=True)
class ProbeLimits:
    """Most bytes of memory, printed, and written, and most processes at a time; None = any number.

    Memory is what all processes of the probe hold together. Address space is not limited: a Java
    virtual machine reserves far more than it uses.
    """

    memory: int | None = None
    output: int | None = 1 << 30
    written: int | None = 4 << 30
    processes: int | None = 1000
    seconds: float | None = None
    """Most seconds, on a watch alone: a limit that the user set."""
    slower: float | None = None
    """Multiple of the processor time of the median class for which a slow run stands at one place; None: it hangs."""
    stands: float | None = None
    """Seconds of it, once they are known."""
    tells: bool = False
    """True if the command names the class that it works on: then a slow run prints nothing for so long."""

    @property
    def paced(self) -> bool:
        """True if the time of the median class is known, or not needed."""
        return self.slower is None or self.stands is not None

    def told_by(self, code: int) -> str:
        """Return the exceeded limit in words, by a command's exit code; empty if there is none. A file that grows too
        large ends its writer, and a shell around it passes this on."""
        if self.written is not None and code in _TOO_LARGE:
            return f"it wrote a file of more than {self.written / _MEGA:.0f} MB, or than its own limit of file size"
        return ""


def median_classes(entries: Entries) -> list[Entries]:
    """Return a few candidates of one class, not a nested one, in the middle by size. The median of the times of their
    runs is that of the *median class*: a slow run stands at one place for many times as long.
    """
    classes = (entry for entry in entries if entry[0].endswith(".class") and "$" not in entry[0])
    ordered = sorted(classes, key=lambda entry: len(entry[1]))
    begin = max(0, len(ordered) - _MEDIANS) // 2
    return [[entry] for entry in ordered[begin : begin + _MEDIANS]]


@dataclass(eq=False)
class Watch:
    """A watch over one running command: the process ``pid`` and all that ``rows`` returns, with the files of
    ``folder``."""

    limits: ProbeLimits
    pid: int
    folder: Path
    rows: Callable[[], Iterable[tuple[int, ProcessRow]]]

    def __post_init__(self) -> None:
        self._next = time.monotonic() + _PERIOD
        self._before = 0
        """Bytes that were there at the start: the candidate."""
        if self.limits.written is not None:  # a single file is stopped by the system itself
            limit_files(self.pid, self.limits.written)
            self._before = _size(self.folder)

    def exceeded(self, printed: int) -> str:
        """Return the limit that the command exceeds, in words; empty if there is none. ``printed``: bytes of output
        until now."""
        limits = self.limits
        if limits.output is not None and printed > limits.output:
            return f"it printed more than {limits.output / _MEGA:.0f} MB"
        if time.monotonic() < self._next:
            return ""
        if limits.memory is not None or limits.processes is not None:
            count, memory = self._family_now()
            if limits.processes is not None and count > limits.processes:
                return f"it has more than {limits.processes} processes"
            if limits.memory is not None and memory > limits.memory:
                return f"it uses more than {limits.memory / _MEGA:.0f} MB of memory"
        self._next = time.monotonic() + _PERIOD
        return self.written()

    def written(self) -> str:
        """Return the limit of written bytes if the command exceeds it, in words; otherwise an empty text. A quick
        command may end before the system enforces the limit."""
        most = self.limits.written
        if most is not None and _size(self.folder) - self._before > most:
            return f"it wrote more than {most / _MEGA:.0f} MB"
        return ""

    def _family_now(self) -> tuple[int, int]:
        """Return the number and the resident bytes of the command's processes. If the system has no list of sessions,
        only descendants are counted."""
        if not process_table.listed():
            known = [self.pid, *descendants(self.pid)]
            return len(known), sum(memory_held(known))
        pages = [row.pages for _, row in self.rows()]
        return len(pages), sum(pages) * _PAGE


def _size(folder: Path) -> int:
    """Return the present bytes of the files below ``folder``; 0 if the folder has become a link."""
    if os.path.islink(folder):
        return 0
    total = 0
    for entry in files_below(folder):
        with contextlib.suppress(OSError):
            total += entry.stat(follow_symlinks=False).st_blocks * 512
    return total
