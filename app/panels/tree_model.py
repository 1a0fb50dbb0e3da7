"""The jar as a tree: package > class, resources by folder. Filtered here, not by a proxy, to stay fast."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt

from app import text
from app.jar import Jar
from app.state import ItemState

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


@dataclass(slots=True)
class Group:
    """A package (or a folder of resources) and its items, in the order of their names."""

    title: str
    items: list[int]
    bytes: int
    resources: bool = False
    shown: list[int] = field(default_factory=list)
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """``items`` as an array."""


@dataclass(frozen=True, slots=True)
class Row:
    """What is painted of a row; ``item`` -1 = a group, ``state`` None = nothing to tell."""

    item: int
    name: str
    size: str
    state: ItemState | None
    share: float
    """Length of the size bar, 0 to 1."""


class TreeModel(QAbstractItemModel):
    """Two levels; internal id 0 = a group, otherwise the group's row + 1."""

    def __init__(self) -> None:
        super().__init__()
        self.jar: Jar | None = None
        self._groups: list[Group] = []
        self._shown: list[Group] = []
        self._states: np.ndarray | None = None
        self._largest = 1

    def set_jar(self, jar: Jar) -> None:
        """Another jar."""
        self.beginResetModel()
        self.jar, self._states = jar, None
        groups: dict[tuple[bool, str, str], Group] = {}
        for item in range(jar.items):
            resource = not jar.is_class[item]
            parent = int(jar.parents[item])
            outer = jar.names[parent] + " › " if parent >= 0 else ""
            if resource:
                name = jar.names[item].rpartition("/")[0] or self.tr("(top folder)")
            else:
                name = jar.packages[item] or self.tr("(unnamed package)")
            group = groups.setdefault((resource, outer, name), Group(outer + name, [], 0, resource))
            group.items.append(item)
            group.bytes += int(jar.sizes[item])
        self._groups = [groups[key] for key in sorted(groups)]
        for group in self._groups:
            group.items.sort(key=lambda item: jar.simple[item].lower())
            group.numbers = np.array(group.items, np.int64)
        self._largest = max(1, int(jar.sizes.max(initial=1)))
        self._choose("")
        self.endResetModel()

    def set_states(self, states: np.ndarray | None) -> None:
        """States of the items; the view repaints what it shows."""
        self._states = states

    def set_filter(self, wanted: str) -> int:
        """Show only items whose name contains ``wanted``; the number that do."""
        self.beginResetModel()
        count = self._choose(wanted)
        self.endResetModel()
        return count

    def _choose(self, wanted: str) -> int:
        if self.jar is None:
            return 0
        if not wanted.strip():
            for group in self._groups:
                group.shown = group.items
            self._shown = self._groups
            return self.jar.items
        found = set(self.jar.find(wanted).tolist())
        for group in self._groups:
            group.shown = [item for item in group.items if item in found]
        self._shown = [group for group in self._groups if group.shown]
        return len(found)

    def index_of(self, item: int) -> QModelIndex:
        """Where an item is; invalid if the filter hides it."""
        for row, group in enumerate(self._shown):
            if item in group.shown:
                return self.createIndex(group.shown.index(item), 0, row + 1)
        return QModelIndex()

    def item_at(self, index: Index) -> int:
        """The item of a row, -1 for a group."""
        if not index.isValid() or index.internalId() == 0:
            return -1
        return self._shown[index.internalId() - 1].shown[index.row()]

    # -- Qt's questions -----------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        if not index.isValid() or index.internalId() == 0:
            return QModelIndex()
        return self.createIndex(index.internalId() - 1, 0, 0)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self._shown)
        if parent.internalId() == 0 and parent.column() == 0:
            return len(self._shown[parent.row()].shown)
        return 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole and section:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return (self.tr("Class"), self.tr("Size"))[section]
        return None

    def row(self, index: Index) -> Row:
        """All that the delegate paints of a row."""
        assert self.jar is not None
        item = self.item_at(index)
        if item < 0:
            return self._group_row(self._shown[index.row()])
        octets = int(self.jar.sizes[item])
        state = None if self._states is None else ItemState(int(self._states[item]))
        return Row(item, self.jar.simple[item], text.size(octets), state, (octets / self._largest) ** 0.5)

    def _group_row(self, group: Group) -> Row:
        state = None
        if self._states is not None and not (self._states[group.numbers] != ItemState.GONE).any():
            state = ItemState.GONE  # a package is gone once all of it is
        name = self.tr("Resources in {0}").format(group.title) if group.resources else group.title
        return Row(-1, name, text.size(group.bytes), state, 0.0)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self.jar is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            row = self.row(index)
            return row.size if index.column() else row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            item = self.item_at(index)
            if item >= 0:
                return f"{self.jar.full[item]}\n{text.size(int(self.jar.sizes[item]))}"
            group = self._shown[index.row()]
            return f"{group.title}\n{text.plural(len(group.items), 'entry', 'entries')}"
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            state = self.row(index).state
            return state.name.lower() if state is not None else None
        return None
