"""The report of the last reduction: to look at, to copy into an issue, to export as a folder."""

from __future__ import annotations

import re

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QPushButton, QVBoxLayout, QWidget

from app import text
from app.panels.markdown_page import MarkdownPage
from core.protocol import events

_EMPTY_HEAD, _RULE = "| | |", "|---|---|"
_ROW = re.compile(r"\| (.*?) \| (.*) \|")


class ReportDialog(QDialog):
    """The dialog of the bug report. The dialog does not block the window, and is filled once the engine has the
    report."""

    folder_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bug report")
        self.page, self.note = MarkdownPage(), QLabel()
        self.page.setAccessibleName("Report")
        self.note.setProperty("muted", True)
        self._issue = ""
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.copy, self.folder = QPushButton("Copy as issue"), QPushButton("Export folder…")
        self.copy.setToolTip("Copy the report as Markdown, short enough for an issue tracker")
        self.folder.setToolTip("Write the reduced jar, a script that repeats the failure, the report and the source")
        for button in (self.copy, self.folder):
            buttons.addButton(button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.close)
        self.copy.clicked.connect(lambda _=False: self.copy_issue())
        self.folder.clicked.connect(lambda _=False: self.folder_wanted.emit())
        column = QVBoxLayout(self)
        column.addWidget(self.page, 1)
        column.addWidget(self.note)
        column.addWidget(buttons)
        self.resize(820, 640)
        self.wait()

    def wait(self) -> None:
        """Show that the report is being made."""
        self._issue = ""
        self.page.setPlainText("Decompiling the result and writing the report…")
        self.copy.setEnabled(False)
        self.folder.setEnabled(False)
        self.note.setText("")

    def show_report(self, event: events.ReportShown) -> None:
        """Show the report."""
        self._issue = event.issue
        if event.problem:
            self.page.setPlainText(event.problem)
        else:
            self.page.show_markdown(_readable(event.issue))
        self.copy.setEnabled(bool(event.issue))
        self.folder.setEnabled(bool(event.issue))
        self.note.setText(f"As an issue: {text.count(len(event.issue))} characters." if event.issue else "")

    def copy_issue(self) -> None:
        """Copy the Markdown to the clipboard."""
        if self._issue:
            QGuiApplication.clipboard().setText(self._issue)
            self.note.setText(f"Copied: {text.count(len(self._issue))} characters of Markdown.")


def _readable(markdown: str) -> str:
    """Return the Markdown without the folds that only a web page has, and without the empty heads that Markdown wants
    of a table: their rows become lines."""
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
