"""The strongly connected components, largest first: classes that stay or go together."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QTableView, QVBoxLayout, QWidget

from app import text
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.scene.scene import component_title

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()


class ComponentModel(QAbstractTableModel):
    """One row a component; titles are worked out when they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.jar: OpenedJar | None = None
        self.order = np.zeros(0, np.int64)
        self._bytes = np.zeros(0, np.int64)
        self._left: np.ndarray | None = None
        self._titles: dict[int, str] = {}

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar."""
        self.beginResetModel()
        self.jar, self._left = jar, None
        placed = jar.components >= 0
        sums = np.bincount(jar.components[placed], jar.sizes[placed], jar.component_count)
        self._bytes = sums.astype(np.int64)
        self.order = np.lexsort((-self._bytes, -np.diff(jar.members.starts)))
        self._titles.clear()
        self.endResetModel()

    def set_states(self, states: np.ndarray | None) -> None:
        """States of the items; the view repaints what it shows."""
        jar = self.jar
        if jar is None or states is None:
            self._left = None
            return
        alive = (jar.components >= 0) & (states != ItemState.GONE)
        self._left = np.bincount(jar.components[alive], minlength=jar.component_count)

    def component_at(self, row: int) -> int:
        """The component of a row."""
        return int(self.order[row])

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.order)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 3

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return ("Component", "Classes", "Size")[section]
            if role == Qt.ItemDataRole.TextAlignmentRole and section:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if self.jar is None or not index.isValid():
            return None
        component = self.component_at(index.row())
        count = self.jar.members.degree(component)
        if role == Qt.ItemDataRole.DisplayRole:
            if index.column() == 0:
                if component not in self._titles:
                    self._titles[component] = component_title(self.jar, component)
                return self._titles[component]
            if index.column() == 1:
                left = None if self._left is None else int(self._left[component])
                return text.count(count) if left is None or left == count else f"{left} of {text.count(count)}"
            return text.size(int(self._bytes[component]))
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column():
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            names = [self.jar.full[item] for item in self.jar.members.of(component)[:15].tolist()]
            return "\n".join(names + (["…"] if count > 15 else []))
        if role == Qt.ItemDataRole.ForegroundRole and self._left is not None and not self._left[component]:
            return self._gone_colour
        return None

    _gone_colour: Any = None

    def set_gone_colour(self, colour: Any) -> None:
        """Colour of components of which nothing is left."""
        self._gone_colour = colour


class ComponentList(QWidget):
    """Clicking a component shows it in the graph."""

    component_selected = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = ComponentModel()
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Strongly connected components")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.setWordWrap(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(22)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 74), (2, 68)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.count.setContentsMargins(10, 4, 10, 5)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.table, 1)
        layout.addWidget(self.count)
        # Not currentChanged: merely tabbing into the list must not move the graph.
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.clicked.connect(self._clicked)
        self._fresh = False

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar."""
        self.model.set_jar(jar)
        cycles = int((np.diff(jar.members.starts) > 1).sum())
        words = (text.plural(jar.component_count, "component"), text.plural(cycles, "cycle"))
        self.count.setText(", ".join(words))

    def set_states(self, states: np.ndarray | None) -> None:
        """New states: what is visible is painted anew."""
        self.model.set_states(states)
        self.table.viewport().update()

    def set_gone_colour(self, colour: Any) -> None:
        """Colour of components of which nothing is left."""
        self.model.set_gone_colour(colour)
        self.table.viewport().update()

    def _selected(self) -> None:
        rows = self.table.selectionModel().selectedRows()
        if rows:
            self._fresh = True
            self.component_selected.emit(self.model.component_at(rows[0].row()))

    def _clicked(self, index: QModelIndex) -> None:
        if not self._fresh:  # a click on what is selected already: show it once more
            self.component_selected.emit(self.model.component_at(index.row()))
        self._fresh = False
