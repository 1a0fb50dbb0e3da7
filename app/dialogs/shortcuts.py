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
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        rows = [
            (
                action.text().replace("&", "").rstrip("…"),
                ", ".join(k.toString(QKeySequence.SequenceFormat.NativeText) for k in action.shortcuts()),
            )
            for action in actions
            if not action.shortcut().isEmpty()
        ]
        rows += [
            (self.tr("In the graph: next class that way"), self.tr("Arrow keys")),
            (self.tr("In the graph: move the picture"), self.tr("Ctrl + arrow keys, drag")),
            (self.tr("In the graph: closer, farther"), self.tr("+, -, wheel")),
            (self.tr("In the graph: natural size, fit"), self.tr("0, F")),
            (self.tr("In the graph: open a package, go to a class"), self.tr("Enter, double click")),
            (self.tr("In the graph: open, close the selected package"), self.tr("+, -")),
            (self.tr("In the graph: path from the selected class"), self.tr("Ctrl + click")),
            (self.tr("In the graph: end a path, a focus, a selection"), self.tr("Esc")),
            (self.tr("In the search field: next, previous match"), self.tr("Enter, Shift+Enter")),
        ]
        table = self.table = QTableWidget(len(rows), 2)
        table.setHorizontalHeaderLabels([self.tr("Action"), self.tr("Keys")])
        table.setAccessibleName(self.tr("Keyboard shortcuts"))
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
