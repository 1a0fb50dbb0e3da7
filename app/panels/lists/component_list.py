"""The strongly connected components, largest first: classes that stay or go together."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from app import text
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.scene.scene import component_title
from app.panels.lists.row_table import Column, NameLook, RowModel, RowTable
from app.shortening import without_middle
from app.theme.theme import worn
from app.widgets import column_of, made

_NAMES_MOST = 15
"""Classes that a tool tip names."""


class ComponentModel(RowModel):
    """One row per component; titles are worked out when they are first asked for."""

    def __init__(self) -> None:
        super().__init__((Column("Component"), Column("Classes", 74), Column("Size", 68)))
        self.jar: OpenedJar | None = None
        self._order = np.zeros(0, np.int64)
        self._bytes = np.zeros(0, np.int64)
        self._left: np.ndarray | None = None
        self._titles: dict[int, str] = {}

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self.beginResetModel()
        self.jar, self._left = jar, None
        placed = jar.components >= 0
        sums = np.bincount(jar.components[placed], jar.sizes[placed], jar.component_count)
        self._bytes = sums.astype(np.int64)
        self._order = np.lexsort((-self._bytes, -np.diff(jar.members.starts)))
        self._titles.clear()
        self.endResetModel()

    def set_states(self, states: np.ndarray | None) -> None:
        """Set the states of the items. The view repaints what it shows."""
        jar = self.jar
        if jar is None or states is None:
            self._left = None
            return
        alive = (jar.components >= 0) & (states != ItemState.GONE)
        self._left = np.bincount(jar.components[alive], minlength=jar.component_count)

    def component_at(self, row: int) -> int:
        """Return the component of a row."""
        return int(self._order[row])

    def count(self) -> int:
        return len(self._order)

    def words(self, row: int, column: int) -> str:
        assert self.jar is not None
        component = self.component_at(row)
        if column == 0:
            if component not in self._titles:
                self._titles[component] = component_title(self.jar, component)
            return self._titles[component]
        if column == 1:
            count = self.jar.members.degree(component)
            left = None if self._left is None else int(self._left[component])
            return text.count(count) if left is None or left == count else f"{left} of {text.count(count)}"
        return text.size(int(self._bytes[component]))

    def tip(self, row: int, column: int) -> str:
        assert self.jar is not None
        members = self.jar.members.of(self.component_at(row)).tolist()
        names = [self.jar.full[item] for item in members[:_NAMES_MOST]]
        return "\n".join(names + (["…"] if len(members) > _NAMES_MOST else []))

    def ink(self, row: int, column: int) -> QColor | None:
        gone = self._left is not None and not self._left[self.component_at(row)]
        return QColor(worn().muted) if gone else None


class ComponentList(QWidget):
    """Clicking a component shows it in the graph."""

    component_selected = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.model = ComponentModel()
        self.table = RowTable(self.model, "Strongly connected components")
        self.table.setItemDelegateForColumn(0, NameLook(self.table, without_middle))
        self.count = made(QLabel(), muted=True)
        self.count.setContentsMargins(10, 4, 10, 5)
        column_of((self.table, 1), self.count, owner=self, spacing=0)
        # Not currentChanged: merely tabbing into the list must not move the graph.
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.clicked.connect(self._clicked)
        self._fresh = False

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self.model.set_jar(jar)
        cycles = int((np.diff(jar.members.starts) > 1).sum())
        words = (text.plural(jar.component_count, "component"), text.plural(cycles, "cycle"))
        self.count.setText(", ".join(words))

    def set_states(self, states: np.ndarray | None) -> None:
        """Set the states of the items, and repaint what is visible."""
        self.model.set_states(states)
        self.table.viewport().update()

    def _selected(self) -> None:
        rows = self.table.selected_rows()
        if rows:
            self._fresh = True
            self.component_selected.emit(self.model.component_at(rows[0]))

    def _clicked(self, index: QModelIndex) -> None:
        if not self._fresh:  # a click on the selected row: show it once more
            self.component_selected.emit(self.model.component_at(index.row()))
        self._fresh = False
