"""All keyboard shortcuts on one page, read off the table of actions."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)


class ShortcutsDialog(QDialog):
    """Two columns: what, keys."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        rows = [
            (
                action.text().replace("&", "").rstrip("…"),
                ", ".join(k.toString(QKeySequence.SequenceFormat.NativeText) for k in action.shortcuts()),
            )
            for action in actions
            if not action.shortcut().isEmpty()
        ]
        rows += [
            ("In the graph: next class that way", "Arrow keys"),
            ("In the graph: move the picture", "Ctrl + arrow keys, drag"),
            ("In the graph: closer, farther", "+, -, wheel"),
            ("In the graph: natural size, fit", "0, F"),
            ("In the graph: open a package, go to a class", "Enter, double click"),
            ("In the graph: open, close the selected package", "+, -"),
            ("In the graph: path from the selected class", "Ctrl + click"),
            ("In the graph: end a path, a focus, a selection", "Esc"),
            ("In the search field: next, previous match", "Enter, Shift+Enter"),
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
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column_ = QVBoxLayout(self)
        column_.addWidget(table)
        column_.addWidget(buttons)
        self.resize(520, 560)
