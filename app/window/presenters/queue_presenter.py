"""Shows one jar per bug: which failure is being reduced, and what came of all."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.panels.form.run_panel import RunPanel
from app.window.bug_queue import BugQueue
from app.window.notifier import LONG, Notifier
from app.window.presenters.result_presenter import ResultPresenter
from app.window.presenters.run_presenter import RunPresenter
from core.protocol import events


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
