"""One jar per bug: reductions of the same input one after another, each for one failure; how they end."""

from __future__ import annotations

import itertools
import os
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from app import text
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.form.run_panel import RunPanel
from app.window.presenters.result_presenter import ResultPresenter
from core.protocol import events
from core.protocol.questions.bug import TellBugs
from core.protocol.questions.exports import Export
from core.protocol.run_words import EndReason
from core.protocol.settings import Settings

_BUG = ", bug "
"""Text before the number of a bug in a result."""
_BESIDE = {"report": ".json", "markdown": ".md"}
"""The files that are written beside each jar, with the endings of their names."""


class BugQueue(QObject):
    """A queue that starts the next reduction when the one before ends, and writes each result. A stop ends them all."""

    changed = Signal()
    ended = Signal(str)
    """A sentence on the result."""
    told = Signal(str, list)
    """Sentences on the bugs behind the failures, and a table of them."""

    def __init__(self, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._settings = Settings()
        self.folder = Path()
        """The folder that the results are written to."""
        self._waiting: list[str] = []
        self.current = ""
        self.results: dict[str, str] = {}
        """Results of the failures, in words."""
        self._written = 0
        self.begun = self.count = 0
        """Number of the present failure, and of all failures of the queue."""
        self.taken = False
        """True if the user took the best so far. The next failure then begins."""
        self._writing: set[str] = set()
        self._stopped = False
        self._jars: dict[str, str] = {}
        """The jars that were written, by failure."""
        controller.run_finished.connect(self._finished)
        controller.run_failed.connect(self._failed)

    @property
    def running(self) -> bool:
        """Return True if a reduction of the queue runs, or more wait."""
        return bool(self.current or self._waiting or self._writing)

    @property
    def complete(self) -> bool:
        """Return True if each failure of the queue has its jar."""
        return self._written == self.count

    @property
    def words(self) -> str:
        """``Failure 5 of 13: NAME``, with the work on its result between two reductions; empty while nothing of the
        queue runs."""
        if self.current:
            return f"Failure {self.begun} of {self.count}: {self.current}"
        return f"Failure {self.begun} of {self.count}: writing its jar and report" if self._writing else ""

    def add(self, names: list[str], settings: Settings, folder: Path) -> None:
        """Add a reduction for each of these failures, with these settings, into that folder. The first one begins once
        nothing runs.
        """
        self._settings, self.folder = settings, folder
        if not self.running:
            self._written = self.begun = self.count = 0
        fresh = [name for name in names if name != self.current and name not in self._waiting]
        self._waiting += fresh
        self.count += len(fresh)
        for name in fresh:
            self.results[name] = "waiting"
        self.changed.emit()
        self.next()

    def clear(self) -> None:
        """Forget the waiting failures of the previous jar."""
        self._waiting.clear()
        self.results.clear()
        self._writing.clear()
        self._jars.clear()
        self.current = ""
        self._written = self.begun = self.count = 0
        self.changed.emit()

    def next(self) -> None:
        """Begin the next failure if nothing runs."""
        if self.current or self._writing or not self._waiting or self._controller.state.phase is not EngineState.READY:
            return
        self.current = self._waiting.pop(0)
        self.begun += 1
        self.results[self.current] = "being reduced"
        self.changed.emit()
        self._controller.reduce(replace(self._settings, failures=f"chosen {self.current}"))

    def _finished(self, event: events.Finished) -> None:
        name, self.current = self.current, ""
        if not name:
            self.next()  # another run has ended; now it is the queue's turn
            return
        self._stopped = event.reason == EndReason.STOPPED and not self.taken
        runs = self._controller.state.runs
        if not runs or not runs[-1].reduced:  # nothing smaller was accepted: there is no result to write
            accepted = bool(runs) and len(runs[-1].steps) > 1
            none = "smaller jars did not fail again" if accepted else "no smaller jar found"
            self.results[name] = "stopped before a smaller jar was found" if self._stopped else none
            QTimer.singleShot(0, self._go_on)  # once all have heard of the end of this one
            return
        self._written += 1
        place = self._free()
        files = {"jar": str(place)} | {what: str(place.with_suffix(ending)) for what, ending in _BESIDE.items()}
        self._jars[name] = str(place)
        self._writing = set(files.values())  # the next run would change the files being written
        for what, path in files.items():
            put_down = partial(self._put_down, path)
            self._controller.ask(Export(what, path), put_down, put_down, each=True)
        size = f"{text.classes(event.classes)}, {text.size(event.bytes)}"
        self.results[name] = f"{size}: {place.name}"
        self.changed.emit()

    def _free(self) -> Path:
        """Return the place of the next jar. Nothing that is there is replaced, be it of an earlier queue or the user's
        own.
        """
        for number in itertools.count(self._written):
            place = self.folder / f"{number}.jar"
            if not any(map(os.path.lexists, (place, *map(place.with_suffix, _BESIDE.values())))):
                break
        return place

    def _put_down(self, path: str, said: events.Exported | str) -> None:
        """Go on with the queue once all files were written, or could not be for the reason that is ``said``."""
        if isinstance(said, str):
            self._controller.told.emit(said, "error")
        if path in self._writing:
            self._writing.remove(path)
            if not self._writing:
                self._go_on()

    def _failed(self, sentence: str) -> None:
        name, self.current = self.current, ""
        if name:
            self.results[name] = sentence.splitlines()[0]
            self._stopped = False
            self._go_on()

    def _go_on(self) -> None:
        self.taken = False
        if self._stopped:
            for name in self._waiting:
                self.results[name] = "not started"
            self._waiting.clear()
        self.changed.emit()
        if self._waiting:
            self.next()
        else:
            count = text.counted(self._written, "reduced jar") if self._written else "No reduced jar was"
            of = f", for {self._written} of {self.count} failures" if 0 < self._written < self.count else ""
            self.ended.emit(f"{count} written to {self.folder}{of}.")
            if len(self._jars) > 1:
                self.ask_bugs()

    def ask_bugs(self, known: str = "") -> None:
        """Ask for the failures that are one bug, and for the bugs in a file of ``known`` ones."""
        jars = (tuple(self._jars), tuple(self._jars.values()))
        self._controller.ask(
            TellBugs(self._settings, *jars, known), self._tell, lambda problem: self.told.emit(problem, [])
        )

    def _tell(self, event: events.BugsTold) -> None:
        """Tell which failures are one bug, in their results too."""
        if len(event.bugs) != len(self._jars):
            return  # another input was opened meanwhile
        for name, number in zip(self._jars, event.bugs, strict=True):
            if number and name in self.results:
                self.results[name] = f"{self.results[name].partition(_BUG)[0]}{_BUG}{number}"
        self.changed.emit()
        if any(event.bugs):
            self.told.emit(" ".join(filter(None, (f"{event.title}.", event.untold))), event.rows)


LONG = 60.0
"""Seconds of a run from which on its end is told outside of the window."""

_SHOWN_MS = 15_000


class Notifier(QObject):
    """The teller of a window: the task bar marks the window, and the desktop shows a sentence if it can."""

    told = Signal(str)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def tell(self, sentence: str, seconds: float) -> None:
        """Tell the end of a run that took so long, unless the window is in front."""
        if seconds < LONG or self._window.isActiveWindow():
            return
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._tray is None:
                self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
                self._tray.messageClicked.connect(self._come)
            self._tray.show()
            self._tray.showMessage("Jarlet", sentence, self._window.windowIcon(), _SHOWN_MS)
        self.told.emit(sentence)

    def _come(self) -> None:
        self._window.activateWindow()
        if self._tray is not None:
            self._tray.hide()


@dataclass(eq=False)
class QueuePresenter:
    """A presenter of the queue, and of the ends of runs: those of the queue are told by the queue alone."""

    _queue: BugQueue
    _panel: RunPanel
    _results: ResultPresenter
    _notifier: Notifier

    def changed(self) -> None:
        """Show which failure is reduced now."""
        self._panel.show_about(self._queue.words)

    def run_finished(self, event: events.Finished) -> None:
        """Show the end of a run, unless the queue writes its result and goes on."""
        if not self._queue.running:
            self._results.run_finished(event)
            self._notifier.tell(self._results.words, event.seconds)

    def ended(self, sentence: str) -> None:
        """Show the end of all reductions of the queue."""
        self._results.queue_ended(sentence, self._queue.folder, self._queue.complete)
        self._notifier.tell(sentence, LONG)
