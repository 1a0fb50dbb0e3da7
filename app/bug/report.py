"""The report of the last reduction: to look at, to copy into an issue, to export."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QDialog, QWidget

from app import text
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.panels.markdown_page import MarkdownPage
from app.presenter import Presenter
from app.widgets import ElidedLabel, button, closing, column_of, made, row_of
from core.protocol import events
from core.protocol.questions.bug import ShowReport

NO_REPORT = "The bug report comes here at the end of a reduction."
MAKING = "Decompiling the result and writing the report…"
_EMPTY_HEAD, _RULE = "| | |", "|---|---|"
_ROW = re.compile(r"\| (.*?) \| (.*) \|")


class ReportPage(QWidget):
    """The bug report with its buttons. The page is filled once the engine has the report; a ``low`` one has small
    headings."""

    folder_wanted = Signal()
    copied = Signal()
    became_visible = Signal()

    def __init__(self, low: bool = False) -> None:
        super().__init__()
        self.page = made(MarkdownPage(low), accessibleName="Report")
        self.note = made(ElidedLabel(), muted=True)
        self._issue = ""
        tip = "Copy the report as Markdown, short enough for an issue tracker"
        self.copy = button("Copy as issue", tip, self.copy_issue)
        tip = "Write the reduced jar, a script that repeats the failure, the report and the source"
        self.folder = button("Export folder…", tip, self.folder_wanted)
        self.row = row_of((self.note, 1), self.copy, self.folder, margins=(10, 4, 10, 6), spacing=6)
        column_of((self.page, 1), self.row, owner=self, spacing=0)
        self.clear()

    def clear(self, words: str = NO_REPORT) -> None:
        """Show no report, and the reason."""
        self._issue = ""
        self.page.setPlainText(words)
        self._enable("")

    def show_report(self, event: events.ReportShown) -> None:
        """Show the report."""
        self._issue = event.issue
        self.page.show_markdown(_readable(event.issue))
        self._enable(f"As an issue: {text.count(len(event.issue))} characters." if event.issue else "")

    def copy_issue(self) -> None:
        """Copy the Markdown to the clipboard."""
        if self._issue:
            QGuiApplication.clipboard().setText(self._issue)
            self.copied.emit()
            self.note.set_text(f"Copied: {text.count(len(self._issue))} characters of Markdown.")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.became_visible.emit()

    def _enable(self, note: str) -> None:
        self.note.set_text(note)
        self.copy.setEnabled(bool(self._issue))
        self.folder.setEnabled(bool(self._issue))


class ReportDialog(QDialog):
    """A dialog with the page of the bug report. The dialog does not block the window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bug report")
        self.report = ReportPage()
        self.report.row.addWidget(closing(self.close))
        column_of(self.report, owner=self)
        self.resize(820, 640)


def _readable(markdown: str) -> str:
    """Return the Markdown without folds, which are for web pages, and without empty table heads: rows become lines."""
    lines: list[str] = []
    rows = False
    for line in markdown.splitlines():
        row = _ROW.fullmatch(line) if rows else None
        if line in (_EMPTY_HEAD, _RULE):
            rows = True
        elif row is not None:
            lines += [f"**{row[1]}**: {row[2]}", ""]
        elif line.startswith("<details><summary><code>"):
            title = line.removeprefix("<details><summary><code>").removesuffix("</code></summary>")
            lines.append(f"**{title}**")
        elif line != "</details>":
            rows = False
            lines.append(line)
    return "\n".join(lines)


class ReportPresenter(Presenter):
    """A presenter of the report, which asks the engine for it once for each result."""

    _controller: Controller
    _page: ReportPage

    def _set_up(self) -> None:
        self._pages = [self._page]
        self._ended = False
        """True if there is a result that was not asked about."""
        self.dialog: ReportDialog | None = None
        self._controller.on(OpenedJar).connect(self.forget)
        self._controller.run_started.connect(self.forget)
        self._controller.run_finished.connect(lambda _: self.run_finished())
        self._page.became_visible.connect(self._seen)

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
            self.dialog = ReportDialog(self._page.window())
            self.dialog.report.folder_wanted.connect(self._page.folder_wanted)
            self.dialog.report.copied.connect(self._page.copied)
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
