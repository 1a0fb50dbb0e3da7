"""The class tree: package > class with sizes and states, and a box to filter by."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, QTimer, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QLabel, QLineEdit, QTreeView, QVBoxLayout, QWidget

from app import text
from app.jar import Jar
from app.panels.tree_delegate import TreeDelegate
from app.panels.tree_model import TreeModel
from app.theme import LIGHT, Theme

_FILTER_MS = 120
_EXPAND_MOST = 150
"""Up to this many classes in all, packages start out expanded."""


class ClassTree(QWidget):
    """Speaks in item numbers; selection is in step with the graph."""

    item_selected = Signal(int)
    item_activated = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = TreeModel()
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Filter classes"))
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName(self.tr("Filter classes"))
        self.filter.setToolTip(self.tr("Show only classes whose name contains this text"))
        self.tree = QTreeView()
        self.tree.setModel(self.model)
        self.delegate = TreeDelegate(LIGHT, self.tree)
        self.tree.setItemDelegate(self.delegate)
        self.tree.setUniformRowHeights(True)
        self.tree.setAccessibleName(self.tr("Packages and classes"))
        self.tree.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setIndentation(14)
        self.tree.setAllColumnsShowFocus(True)
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, 76)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.count.setContentsMargins(10, 4, 10, 5)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        holder = QVBoxLayout()
        holder.setContentsMargins(8, 6, 8, 6)
        holder.addWidget(self.filter)
        column.addLayout(holder)
        column.addWidget(self.tree, 1)
        column.addWidget(self.count)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_FILTER_MS)
        self._timer.timeout.connect(self._refilter)
        self.filter.textChanged.connect(lambda _: self._timer.start())
        self.tree.selectionModel().selectionChanged.connect(self._selected)
        self.tree.activated.connect(self._activated)
        self._quiet = False

    def set_jar(self, jar: Jar) -> None:
        """Another jar."""
        self._quiet = True
        self.filter.clear()
        self._timer.stop()
        self.model.set_jar(jar)
        self._quiet = False
        if jar.items <= _EXPAND_MOST or self.model.rowCount() == 1:
            self.tree.expandAll()
        self._tell(jar.items)

    def set_states(self, states: np.ndarray | None) -> None:
        """New states: what is visible is painted anew."""
        self.model.set_states(states)
        self.tree.viewport().update()

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self.delegate.set_theme(theme)
        self.tree.viewport().update()

    def select_item(self, item: int) -> None:
        """Select what was chosen elsewhere, without telling; -1 = nothing."""
        self._quiet = True
        index = self.model.index_of(item) if item >= 0 else QModelIndex()
        if index.isValid():
            flags = QItemSelectionModel.SelectionFlag
            self.tree.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)
        else:
            self.tree.clearSelection()
        self._quiet = False

    def _refilter(self) -> None:
        wanted = self.filter.text()
        self._quiet = True
        count = self.model.set_filter(wanted)
        self._quiet = False
        if wanted.strip() and count <= 400:
            self.tree.expandAll()
        self._tell(count)

    def _tell(self, count: int) -> None:
        jar = self.model.jar
        if jar is None:
            return
        if self.filter.text().strip():
            self.count.setText(self.tr("{0} of {1} match").format(text.count(count), text.count(jar.items)))
        else:
            others = jar.items - jar.classes
            more = self.tr(", {0}").format(text.plural(others, "other file")) if others > 0 else ""
            self.count.setText(f"{text.plural(jar.classes, 'class', 'classes')}, {text.size(jar.bytes)}{more}")

    def _selected(self) -> None:
        rows = self.tree.selectionModel().selectedRows()
        if not self._quiet and rows:
            item = self.model.item_at(rows[0])
            if item >= 0:
                self.item_selected.emit(item)

    def _activated(self, index: QModelIndex) -> None:
        item = self.model.item_at(index)
        if item >= 0:
            self.item_activated.emit(item)
