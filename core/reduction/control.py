"""Pause, resume, stop and limits of a reduction: the only parts that other threads may touch."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from core.protocol.run_words import EndReason


class _Over(Exception):  # noqa: N818 - not an error: what ends has the best so far
    """An end with a ``reason``."""

    def __init__(self, reason: EndReason) -> None:
        super().__init__(reason)
        self.reason = reason


class ReductionStopped(_Over):
    """The end of a reduction before the end of its algorithm, because of a stop or a limit."""


class PhaseOver(_Over):
    """The end of a phase before the end of its algorithm; the next phase may begin."""


@dataclass(frozen=True, slots=True)
class RunLimits:
    """Most seconds and probes of a reduction; None: no limit."""

    seconds: float | None = None
    probes: int | None = None


CountGain = Callable[[int], None]
"""Function of the bytes that a probe of a phase gained. Raise PhaseOver."""


@dataclass(frozen=True, slots=True)
class Patience:
    """The gain that a phase must bring: ``per_probe`` bytes a probe, as the mean of the last ``probes`` probes.

    A phase with less gain ends, though not before its first ``probes`` probes. Time does not count, so that the end of
    a phase depends neither on the number of workers nor on the load of the machine nor on resumption.
    """

    probes: int
    per_probe: float

    def __post_init__(self) -> None:
        if self.probes < 1:
            raise ValueError("a phase cannot end by less than one probe")

    def counted(self) -> CountGain:
        last: deque[int] = deque(maxlen=self.probes)

        def count(gained: int) -> None:
            last.append(gained)
            if len(last) == self.probes and sum(last) < self.per_probe * self.probes:
                raise PhaseOver(EndReason.PATIENCE)

        return count


@dataclass(frozen=True, slots=True)
class TargetGain:
    """The gain, in ``bytes``, with which a phase ends early: something else may free more now."""

    bytes: int

    def counted(self) -> CountGain:
        left = self.bytes

        def count(gained: int) -> None:
            nonlocal left
            left -= gained
            if left <= 0:
                raise PhaseOver(EndReason.ENOUGH)

        return count


class Cancel(threading.Event):
    """A flag that is set when somebody sets the flag itself or ``parent``.

    Only :meth:`is_set` looks at the parent. Nobody may wait for this flag.
    """

    def __init__(self, parent: threading.Event) -> None:
        super().__init__()
        self._parent = parent

    def is_set(self) -> bool:
        return super().is_set() or self._parent.is_set()


class Until(Cancel):
    """A flag that is also set once ``ended`` returns True, as a clock does."""

    def __init__(self, parent: threading.Event, ended: Callable[[], bool]) -> None:
        super().__init__(parent)
        self._ended = ended

    @property
    def late(self) -> bool:
        """True once the clock has reached the end."""
        return self._ended()

    def is_set(self) -> bool:
        return super().is_set() or self.late


class Control:
    """Pause and stop, shared by the driver's thread and other threads. ``cancel`` is set when all probes must end at
    once."""

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._go = threading.Event()
        self._go.set()

    @property
    def paused(self) -> bool:
        """True if no probe may start at present."""
        return not self._go.is_set()

    def pause(self) -> None:
        """Let no further probe start. Running probes go on to their end."""
        self._go.clear()

    def resume(self) -> None:
        """Let probes start again."""
        self._go.set()

    def stop(self) -> None:
        """End the reduction now, together with the running probes."""
        self.cancel.set()
        self._go.set()

    def wait(self, on_pause: Callable[[], None], on_resume: Callable[[], None]) -> float:
        """Block while paused; return the seconds of the pause. Raises ReductionStopped after a stop."""
        waited = 0.0
        if not self._go.is_set():
            start = time.monotonic()
            on_pause()
            self._go.wait()
            waited = time.monotonic() - start
            on_resume()
        self.heed_stop()
        return waited

    def heed_stop(self) -> None:
        """Raise ReductionStopped after a stop."""
        if self.cancel.is_set():
            raise ReductionStopped(EndReason.STOPPED)
