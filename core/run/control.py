"""Pause, resume, stop and limits of a run: the only things that other threads may touch."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass


class Stop(Exception):  # noqa: N818 - not an error: the run ends with the best so far
    """The run ends before its algorithm does; ``reason`` is ``stopped``, ``time`` or ``probes``."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds and probes that a run may take; None = as many as it needs."""

    seconds: float | None = None
    probes: int | None = None


class Control:
    """Shared by the run's thread and whoever watches it. ``cancel`` is set when a probe must end at once."""

    def __init__(self) -> None:
        self.cancel = threading.Event()
        self._go = threading.Event()
        self._go.set()

    def pause(self) -> None:
        """No new probe starts; the one under way is finished."""
        self._go.clear()

    def resume(self) -> None:
        """Probes go on."""
        self._go.set()

    def stop(self) -> None:
        """Ends the run now, and the probe under way with it."""
        self.cancel.set()
        self._go.set()

    def wait(self, on_pause: Callable[[], None], on_resume: Callable[[], None]) -> float:
        """Blocks while paused; the seconds that took. Raises Stop when the run was stopped."""
        waited = 0.0
        if not self._go.is_set():
            on_pause()
            start = time.monotonic()
            self._go.wait()
            waited = time.monotonic() - start
            on_resume()
        if self.cancel.is_set():
            raise Stop("stopped")
        return waited
