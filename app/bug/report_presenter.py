"""Keeps the bug report in step with the last reduction: in a tab beside the chart, and in a dialog."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from app.bug.report_dialog import MAKING, NO_REPORT, ReportDialog, ReportPage
from app.engine.controller import Controller
from core.protocol import events
from core.protocol.questions.bug import ShowReport


class ReportPresenter(QObject):
    """A presenter of the report, which asks the engine for it once for each result."""

    folder_wanted = Signal()
    copied = Signal()

    def __init__(self, controller: Controller, page: ReportPage, parent: QWidget) -> None:
        super().__init__(parent)
        self._controller, self._parent = controller, parent
        self._pages = [page]
        self._ended = False
        """True if there is a result that was not asked about."""
        self.dialog: ReportDialog | None = None
        controller.opened.connect(self.forget)
        controller.run_started.connect(self.forget)
        controller.run_finished.connect(lambda _: self.run_finished())
        page.folder_wanted.connect(self.folder_wanted)
        page.copied.connect(self.copied)
        page.became_visible.connect(self._seen)

    def forget(self) -> None:
        """Forget the last result: an input was opened, or another reduction begins."""
        self._controller.forget(ShowReport)
        self._ended = False
        self._clear(NO_REPORT)

    def run_finished(self) -> None:
        """Ask for the report of the reduction that has ended, if it is seen."""
        self._ended = self._controller.state.reduced
        if any(page.isVisible() for page in self._pages):
            self._seen()

    def show(self) -> None:
        """Show the report of the last reduction in a dialog."""
        if self.dialog is None:
            self.dialog = ReportDialog(self._parent)
            self.dialog.report.folder_wanted.connect(self.folder_wanted)
            self.dialog.report.copied.connect(self.copied)
            self._pages.append(self.dialog.report)
        self._ask()
        self.dialog.show()
        self.dialog.activateWindow()

    def _seen(self) -> None:
        if self._ended:
            self._ask()

    def _ask(self) -> None:
        self._ended = False
        self._clear(MAKING)
        self._controller.ask(ShowReport(), self._show_report, self._clear)

    def _clear(self, words: str) -> None:
        for page in self._pages:
            page.clear(words)

    def _show_report(self, event: events.ReportShown) -> None:
        for page in self._pages:
            page.show_report(event)
