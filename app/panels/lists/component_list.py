"""The strongly connected components, largest first: classes that stay or go together."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from app import text
from app.engine.opened_jar import NO_JAR, OpenedJar
from app.engine.run_state import ItemState
from app.graph.scene.scene import hub_title
from app.panels.lists.row_table import Column, RecordModel, RowTable
from app.theme.theme import worn
from app.widgets import column_of, made

_NAMES_MOST = 15
"""Classes that a tool tip names."""


_COLUMNS = (Column("Component"), Column("Classes", 70), Column("Size", 62))


class ComponentList(QWidget):
    """Clicking a component shows it in the graph."""

    component_selected = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._jar = NO_JAR
        self._bytes = np.zeros(0, np.int64)
        self._left: np.ndarray | None = None
        """Number of remaining classes of each component; None before a run."""
        self.model = RecordModel(_COLUMNS, self._cells, self._tip, self._ink)
        self.table = RowTable(self.model, "Strongly connected components")
        self.count = made(QLabel(), muted=True)
        self.count.setContentsMargins(10, 4, 10, 5)
        column_of((self.table, 1), self.count, owner=self, spacing=0)
        # Not currentChanged: merely tabbing into the list must not move the graph.
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.clicked.connect(self._clicked)
        self._fresh = False

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self._jar, self._left = jar, None
        placed = jar.components >= 0
        self._bytes = np.bincount(jar.components[placed], jar.sizes[placed], jar.component_count).astype(np.int64)
        self.model.show([])
        self.model.show(np.lexsort((-self._bytes, -np.diff(jar.members.starts))).tolist())
        cycles = int((np.diff(jar.members.starts) > 1).sum())
        words = (text.counted(jar.component_count, "component"), text.counted(cycles, "cycle"))
        self.count.setText(", ".join(words))

    def set_states(self, states: np.ndarray | None) -> None:
        """Set the states of the items, and repaint what is visible."""
        self._left = None
        if states is not None and self._jar.opened:
            alive = (self._jar.components >= 0) & (states != ItemState.GONE)
            self._left = np.bincount(self._jar.components[alive], minlength=self._jar.component_count)
        self.table.viewport().update()

    def _cells(self, component: int) -> tuple[str, str, str]:
        count = self._jar.members.degree(component)
        left = count if self._left is None else int(self._left[component])
        many = text.count(count) if left == count else f"{left} of {text.count(count)}"
        return hub_title(self._jar, component), many, text.size(int(self._bytes[component]))

    def _tip(self, component: int, _: int) -> str:
        members = self._jar.members.of(component).tolist()
        names = [self._jar.full[item] for item in members[:_NAMES_MOST]]
        return "\n".join(names + (["…"] if len(members) > _NAMES_MOST else []))

    def _ink(self, component: int, _: int) -> QColor | None:
        return worn().muted if self._left is not None and not self._left[component] else None

    def _selected(self) -> None:
        rows = self.table.selected_rows()
        if rows:
            self._fresh = True
            self.component_selected.emit(self.model.rows[rows[0]])

    def _clicked(self, index: QModelIndex) -> None:
        if not self._fresh:  # a click on the selected row: show it once more
            self.component_selected.emit(self.model.rows[index.row()])
        self._fresh = False
