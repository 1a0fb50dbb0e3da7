"""Shows one jar per bug: which failure is being reduced, and what came of all."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

from app.panels.form.run_panel import RunPanel
from app.window.bug_queue import BugQueue
from app.window.presenters.result_presenter import ResultPresenter
from app.window.presenters.run_presenter import RunPresenter
from core.protocol import events

LONG = 60.0
"""Seconds of a run from which on its end is told outside of the window."""

_SHOWN_MS = 15_000


class Notifier(QObject):
    """The teller of a window: the task bar marks the window, and the desktop shows a sentence where it can."""

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


class QueuePresenter(QObject):
    """A presenter of the queue, and of the ends of runs: those of the queue are told by the queue alone."""

    def __init__(
        self, queue: BugQueue, panel: RunPanel, running: RunPresenter, results: ResultPresenter, notifier: Notifier
    ) -> None:
        super().__init__(running)
        self._queue, self._results, self._notifier = queue, results, notifier
        queue.changed.connect(running.show_lists)
        queue.changed.connect(lambda: panel.show_about(queue.words))
        queue.ended.connect(self._ended)
        queue.told.connect(results.bugs_told)

    def run_finished(self, event: events.Finished) -> None:
        """Show the end of a run, unless the queue writes its result and goes on."""
        if not self._queue.running:
            self._results.run_finished(event)
            self._notifier.tell(self._results.words, event.seconds)

    def _ended(self, sentence: str) -> None:
        self._results.queue_ended(sentence, self._queue.folder, self._queue.complete)
        self._notifier.tell(sentence, LONG)
