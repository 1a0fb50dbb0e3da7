"""The sessions of this computer: reductions that were interrupted, and those that have a result."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from app import text
from app.widgets import column_of, made
from core.protocol import events


class SessionsDialog(QDialog):
    """A list of sessions, newest first within interrupted and finished ones. Nothing of a session runs when it is
    opened."""

    open_wanted = Signal(str)
    folder_wanted = Signal(str)
    discard_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sessions and results")
        self.resize(560, 380)
        self.list = made(
            QListWidget(),
            accessibleName="Sessions",
            itemActivated=lambda _: self._emit(self.open_wanted),
            itemSelectionChanged=self._enable,
        )
        self.note = made(QLabel(), muted=True, wordWrap=True)
        self.open_button, self.folder_button = QPushButton("&Open"), QPushButton("Open &folder")
        self.discard_button, self.close_button = QPushButton("&Discard"), QPushButton("Close")
        self.open_button.setDefault(True)
        row = QHBoxLayout()
        for button, tip, signal in (
            (self.open_button, "Open the input with the session's settings; nothing is run", self.open_wanted),
            (self.folder_button, "Show the session's folder, which has best.jar and report.json", self.folder_wanted),
            (self.discard_button, "Remove the session and its result", self.discard_wanted),
        ):
            button.setToolTip(tip)
            button.clicked.connect(lambda _=False, signal=signal: self._emit(signal))
            row.addWidget(button)
        row.addStretch(1)
        row.addWidget(self.close_button)
        self.close_button.clicked.connect(self.close)
        column_of((self.list, 1), self.note, row, owner=self, margins=None)
        self._enable()

    def show_sessions(self, found: events.Sessions) -> None:
        """Show other sessions."""
        self.list.clear()
        for number, path in enumerate(found.paths):
            item = QListWidgetItem(session_title(found, number))
            item.setData(Qt.ItemDataRole.UserRole, path)
            item.setToolTip(path)
            self.list.addItem(item)
        self.note.setText("" if found.paths else "No reduction has been kept yet.")
        if found.paths:
            self.list.setCurrentRow(0)
        self._enable()

    def _emit(self, signal: object) -> None:
        item = self.list.currentItem()
        if item is not None:
            signal.emit(str(item.data(Qt.ItemDataRole.UserRole)))  # type: ignore[attr-defined]
            if signal is not self.folder_wanted:
                self.close()

    def _enable(self) -> None:
        for button in (self.open_button, self.folder_button, self.discard_button):
            button.setEnabled(self.list.currentItem() is not None)


def session_title(found: events.Sessions, number: int) -> str:
    """Return ``app.jar, 5.3 kB, 24 Nov 18:05, interrupted``."""
    when = time.strftime("%d %b %H:%M", time.localtime(found.times[number]))
    how = "finished" if found.finished[number] else "interrupted"
    return f"{found.titles[number]}, {text.size(found.bytes[number])}, {when}, {how}"
