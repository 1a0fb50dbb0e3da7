"""A tree of items with the reason for each: the dependencies of the inspected item, or its dependents."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.panels.lists.row_table import NameLook
from app.widgets import LEFT

GROUPS = ("Code", "Hierarchy", "Signatures", "Bookkeeping")
"""Titles, in their order."""
FOLDED = "Bookkeeping"

_BOOKKEEPING = re.compile(r"\[(?:inner|bootstrap|enclosed|nest|lines|variables|sealed|component|final)\b")


def group_of(name: str) -> str:
    """Return the group of an item that needs another one, by its name."""
    if _BOOKKEEPING.search(name):
        return FOLDED
    if "!" in name:
        return "Code"
    if "<" in name.partition(".")[0]:
        return "Hierarchy"
    return "Signatures"


_REASON_WIDTH = 205
"""Pixels of the column of reasons, at most half of the tree: most reasons are short, names are not."""


class TieTree(QTreeWidget):
    """Two columns: names, which lose whole words if there is no room, and reasons."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self.setColumnCount(2)
        self.setHeaderLabels([title, "Reason"])
        self.setAccessibleName(title)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setIndentation(14)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.setItemDelegateForColumn(0, NameLook(self))
        self.header().setDefaultAlignment(LEFT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header().resizeSection(1, min(_REASON_WIDTH, self.viewport().width() // 2))

    def add_line(self, words: str) -> None:
        """Add a row of one text that has the room of both columns."""
        row = tie_row(words)
        self.addTopLevelItem(row)
        row.setFirstColumnSpanned(True)
        row.setToolTip(0, words)


def tie_row(words: str) -> QTreeWidgetItem:
    """Return a row of one text; its empty second cell says the same to a screen reader."""
    row = QTreeWidgetItem([words])
    row.setData(1, Qt.ItemDataRole.AccessibleTextRole, words)
    return row
