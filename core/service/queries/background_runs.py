"""The list of runs beside check and reduction: tools, versions, the user's command on a small jar, Graphviz."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from threading import Event as Flag

from core.protocol.questions.background import BackgroundRun, BackgroundRuns

LAYOUT = "layout"
"""The first word of the kinds that draw. A stop of the reduction leaves them: they run nothing on the input."""


class BackgroundList:
    """The runs that go on now. ``emit`` is told the list when one begins or ends."""

    def __init__(self, emit: Callable[[BackgroundRuns], None]) -> None:
        self._emit = emit
        self._lock = threading.Condition()
        self._runs: dict[Flag, BackgroundRun] = {}
        self._closed = False

    @contextmanager
    def run(self, kind: str, title: str, limit: float, *, alone: bool = True) -> Iterator[Flag]:
        """Begin a run; with ``alone`` an earlier one of its kind ends. Whatever it starts ends with the flag, which is
        set by a stop, after ``limit`` seconds, or by a newer run."""
        cancel = Flag()
        timer = threading.Timer(limit, cancel.set)
        timer.daemon = True
        if alone:
            self.stop(kind)
        self._change(lambda: self._runs.update({cancel: BackgroundRun(kind, title, time.time(), limit)}))
        if self._closed:
            cancel.set()
        timer.start()
        try:
            yield cancel
        finally:
            timer.cancel()
            self._change(lambda: self._runs.pop(cancel))

    def stop(self, *kinds: str, but: str = "") -> None:
        """End the runs of some kinds, by default of all ``but`` one."""
        with self._lock:
            runs = list(self._runs.items())
        for cancel, run in runs:
            if run.kind in kinds or not (kinds or (but and run.kind.startswith(but))):
                cancel.set()

    def close(self, seconds: float = 0.0) -> None:
        """End all runs, and those that begin from now on. Wait so many seconds for what they have started to end."""
        self._closed = True
        self.stop()
        with self._lock:
            self._lock.wait_for(lambda: not self._runs, seconds)

    def _change(self, change: Callable[[], object]) -> None:
        with self._lock:
            change()
            self._lock.notify_all()
            self._emit(BackgroundRuns([asdict(run) for run in self._runs.values()]))
