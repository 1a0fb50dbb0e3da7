"""All keyboard shortcuts on one page, read off the table of actions."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from app.widgets import closing, column_of


class ShortcutsDialog(QDialog):
    """Two columns: what, keys."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        rows = [
            *shortcuts_of(actions),
            ("Graph: select the next class in that direction", "Arrow keys"),
            ("Graph: pan", "Ctrl + arrow keys, drag"),
            ("Graph: zoom in, zoom out", "+, -, wheel"),
            ("Graph: actual size, fit to window", "0, F"),
            ("Graph: open a package, show a class", "Enter, double click"),
            ("Graph: open, close the selected package", "+, -"),
            ("Graph: path from the selected class", "Ctrl + click"),
            ("Graph: leave the path, the focus, the selection", "Esc"),
            ("Search field: next, previous match", "Enter, Shift+Enter"),
        ]
        table = self.table = QTableWidget(len(rows), 2)
        table.setHorizontalHeaderLabels(["Action", "Keys"])
        table.setAccessibleName("Keyboard shortcuts")
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(24)
        table.setShowGrid(False)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        for number, row in enumerate(rows):
            for column, words in enumerate(row):
                table.setItem(number, column, QTableWidgetItem(words))
        column_of(table, closing(self.reject), owner=self, margins=None)
        self.resize(520, 560)


def shortcuts_of(actions: Iterable[QAction]) -> list[tuple[str, str]]:
    """Return text and keys of the actions that have a shortcut."""
    return [
        (
            action.text().replace("&", "").rstrip("…"),
            ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()),
        )
        for action in actions
        if not action.shortcut().isEmpty()
    ]
