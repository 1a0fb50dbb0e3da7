"""A tree of items with the reason for each: the dependencies of the inspected item, or its dependents."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from app.panels.lists.row_table import NameLook
from app.shortening import Fits, short_item
from app.widgets import LEFT, made

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
"""Pixels of the column of reasons: most reasons are short, names are not."""


class TieTree(QTreeWidget):
    """Two columns: names, which lose whole words if there is no room, and reasons of ``wide`` pixels, at most half of
    the tree."""

    item_wanted = Signal(str)
    """A row that stands for an item was chosen."""

    def __init__(self, title: str, wide: int = _REASON_WIDTH, shorten: Callable[[str, Fits], str] = short_item) -> None:
        super().__init__()
        self._wide = wide
        made(
            self,
            columnCount=2,
            headerLabels=[title, "Reason"],
            accessibleName=title,
            uniformRowHeights=True,
            editTriggers=QAbstractItemView.EditTrigger.NoEditTriggers,
            indentation=14,
            itemActivated=lambda row: self._chosen(row),
        )
        self.setItemDelegateForColumn(0, NameLook(self, shorten))
        made(self.header(), stretchLastSection=False, defaultAlignment=LEFT)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)

    def _chosen(self, row: QTreeWidgetItem) -> None:
        if name := item_of(row):
            self.item_wanted.emit(name)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.header().resizeSection(1, min(self._wide, self.viewport().width() // 2))

    def add_line(self, words: str) -> None:
        """Add a row of one text that has the room of both columns."""
        row = tie_row(words)
        self.addTopLevelItem(row)
        row.setFirstColumnSpanned(True)
        row.setToolTip(0, words)


def tie_row(words: str, reason: str = "", name: str = "", tip: str = "") -> QTreeWidgetItem:
    """Return a row that stands for the item ``name``, if there is one. An empty second cell says the same as the first
    one to a screen reader.
    """
    row = QTreeWidgetItem([words, reason])
    row.setData(0, Qt.ItemDataRole.UserRole, name)
    row.setToolTip(0, tip)
    row.setToolTip(1, reason)
    if not reason:
        row.setData(1, Qt.ItemDataRole.AccessibleTextRole, words)
    return row


def item_of(row: QTreeWidgetItem) -> str:
    """Return the item that a row stands for; empty = none."""
    return str(row.data(0, Qt.ItemDataRole.UserRole) or "")
