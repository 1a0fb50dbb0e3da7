"""Pause, resume, stop and limits of a reduction: the only things that other threads may touch."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass


class ReductionStopped(Exception):  # noqa: N818 - not an error: the reduction ends with the best so far
    """The reduction ends before its algorithm does; ``reason`` is ``stopped``, ``time``, ``probes``,
    or ``check`` where a check beside the search ends it."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class PhaseOver(Exception):  # noqa: N818 - not an error: the phase ends with the best so far
    """One phase ends before its algorithm does; the next may begin. ``reason`` is ``patience``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Seconds and probes that a reduction may take; None = as many as it needs."""

    seconds: float | None = None
    probes: int | None = None


@dataclass(frozen=True, slots=True)
class Patience:
    """What a phase must bring: its last ``probes`` probes gain ``per_probe`` bytes each, on the average; else it is
    over. Before its first ``probes`` probes no phase ends so.

    Time does not count, so that neither the number of workers nor the load of the machine nor a resumed session changes
    the decision.
    """

    probes: int
    per_probe: float

    def __post_init__(self) -> None:
        if self.probes < 1:
            raise ValueError("a phase cannot end by less than one probe")


class Gain:
    """What the last probes of a phase gained, held against a :class:`Patience`."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._last: deque[int] = deque(maxlen=patience.probes)

    def note(self, gained: int) -> None:
        """Takes in a probe: bytes that the best became smaller by. Raises PhaseOver."""
        self._last.append(gained)
        if len(self._last) == self._patience.probes and sum(self._last) < self._patience.per_probe * len(self._last):
            raise PhaseOver("patience")


class Cancel(threading.Event):
    """A flag that is set when it is set itself or when ``parent`` is: one probe's end, or everybody's.

    Only :meth:`is_set` looks at the parent; nobody waits for this flag.
    """

    def __init__(self, parent: threading.Event) -> None:
        super().__init__()
        self._parent = parent

    def is_set(self) -> bool:
        return super().is_set() or self._parent.is_set()


class Until(Cancel):
    """A flag that is set as well once the monotonic clock has reached ``end``; None: never by the clock."""

    def __init__(self, parent: threading.Event, end: float | None) -> None:
        super().__init__(parent)
        self._end = end

    @property
    def late(self) -> bool:
        """Whether the time has come."""
        return self._end is not None and time.monotonic() >= self._end

    def is_set(self) -> bool:
        return super().is_set() or self.late


class Control:
    """Shared by the driver's thread and whoever watches it. ``cancel`` is set when all probes must end at once."""

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._go = threading.Event()
        self._go.set()

    @property
    def paused(self) -> bool:
        """Whether no probe may start at present."""
        return not self._go.is_set()

    def pause(self) -> None:
        """No probe starts; those under way are finished."""
        self._go.clear()

    def resume(self) -> None:
        """Probes go on."""
        self._go.set()

    def stop(self) -> None:
        """Ends the reduction now, and the probes under way with it."""
        self.cancel.set()
        self._go.set()

    def wait(self, on_pause: Callable[[], None], on_resume: Callable[[], None]) -> float:
        """Blocks while paused; the seconds that took. Raises Stop when the reduction was stopped."""
        waited = 0.0
        if not self._go.is_set():
            on_pause()
            start = time.monotonic()
            self._go.wait()
            waited = time.monotonic() - start
            on_resume()
        if self.cancel.is_set():
            raise ReductionStopped("stopped")
        return waited
