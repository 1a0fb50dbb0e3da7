"""The jar tree: package > class > member with sizes, states and pins, and a box to filter by."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QTreeView,
    QWidget,
)

from app import text
from app.engine.opened_jar import OpenedJar
from app.graph.item_menu import ItemSignals, add_items
from app.graph.paint.graph_style import UsedItems
from app.graph.scene.relations import PackageSet
from app.panels.tree.tree_delegate import TreeDelegate
from app.panels.tree.tree_model import TreeModel
from app.panels.tree.use_filter import UseFilter
from app.widgets import LEFT, Soon, column_of, control, made, row_of

_FILTER_MS = 120
_EXPAND_MOST = 150
"""Up to this many classes in all, packages start out expanded."""
_FOUND_MOST = 400
"""Up to this many items found by the filter, packages are expanded."""
_JARS_MOST = 12
"""Up to this many jars start out expanded."""
_LEAST_WIDTH = 220
"""Pixels: most names of classes are told apart."""
_SIZES, _PARTS = 62, 92
"""Pixels of the column of sizes: ``99.9 kB`` before a reduction, then ``99.9 / 999 kB``."""
_ASKED_MOST = 60
"""Largest number of classes in one request for members."""


class ClassTree(QWidget):
    """The tree of classes, in item numbers and the engine's names. Its selection is in step with the graph."""

    item_selected = Signal(int)
    member_selected = Signal(int, str)
    """A part of a class is selected: the class, the part's name."""
    item_activated = Signal(int)
    members_wanted = Signal(list)
    """Classes (item numbers) with parts to be shown."""
    package_selected = Signal(PackageSet)
    used_wanted = Signal()
    """Request for the items that a run of the full input used."""

    def __init__(self) -> None:
        super().__init__()
        self.told = ItemSignals(self)
        self.model = TreeModel()
        self.filter = control(QLineEdit(), "tree_filter")
        self.tree = made(
            _TreeView(),
            model=self.model,
            uniformRowHeights=True,
            accessibleName="Packages, classes and members",
            selectionMode=QAbstractItemView.SelectionMode.ExtendedSelection,
            editTriggers=QAbstractItemView.EditTrigger.NoEditTriggers,
            indentation=14,
            allColumnsShowFocus=True,
            contextMenuPolicy=Qt.ContextMenuPolicy.CustomContextMenu,
        )
        self.delegate = TreeDelegate(self.tree)
        self.tree.setItemDelegate(self.delegate)
        header = made(self.tree.header(), stretchLastSection=False, defaultAlignment=LEFT)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, _SIZES)
        self.count = made(QLabel(), wordWrap=True, muted=True)
        self.count.setContentsMargins(10, 4, 10, 5)
        self.use = UseFilter()
        column_of(
            row_of((self.filter, 3), (self.use, 2), margins=(8, 6, 8, 6), spacing=6),
            (self.tree, 1),
            self.count,
            owner=self,
            spacing=0,
        )
        self._timer = Soon(self, _FILTER_MS, self._refilter)
        self.filter.textChanged.connect(lambda _: self._timer.start())
        self.filter.installEventFilter(self)
        self.use.wanted.connect(self.used_wanted)
        self.use.cleared.connect(lambda: self._choose(None))
        self.model.looks_changed.connect(self._repaint)
        self.tree.selectionModel().selectionChanged.connect(self._selected)
        self.tree.activated.connect(self._activated)
        self.tree.expanded.connect(self._expanded)
        self.tree.pressed_key.connect(self._wish)
        self.tree.customContextMenuRequested.connect(self._menu)
        self._quiet = False
        self.setMinimumWidth(_LEAST_WIDTH)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Lead from the filter into the tree by Down and Page down."""
        pressed = event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key()
        if watched is self.filter and pressed in (Qt.Key.Key_Down, Qt.Key.Key_PageDown):
            self._timer.stop()
            self._refilter()
            self.focus_tree()
            return True
        return super().eventFilter(watched, event)

    def focus_tree(self) -> None:
        """Move the keyboard focus to the tree, with a row to begin at."""
        self.tree.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if not self.tree.currentIndex().isValid():
            self.tree.setCurrentIndex(self.model.index(0, 0))

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self._quiet = True
        self.filter.clear()
        self.use.reset()
        self._timer.stop()
        self.model.set_jar(jar)
        self._quiet = False
        if jar.items <= _EXPAND_MOST or self.model.rowCount() == 1 or 0 < len(self.model.jars) <= _JARS_MOST:
            self._expand(jar.items <= _EXPAND_MOST)
        self._tell()

    def _repaint(self) -> None:
        """Show other states, sizes, colours or wishes."""
        self.tree.header().resizeSection(1, _PARTS if self.model.reduced else _SIZES)
        for part in (self.tree, self.tree.header()):
            part.viewport().update()
        self._tell()

    def set_used(self, used: UsedItems) -> bool:
        """Filter by the items that a run of the full input used. Return True if the items asked for are known;
        otherwise show all items."""
        if not self.use.kind:
            return True
        mask = self.use.chosen(used)
        if mask is None:
            self.use.reset()
        self._choose(mask)
        return mask is not None

    def shown_members(self) -> list[int]:
        """Return the classes with visible parts."""
        found = [i for i in self.model.loaded_classes if self.tree.isExpanded(self.model.index_of(i))]
        return found[:_ASKED_MOST]

    # -- selection ----------------------------------------------------------------------

    def select_item(self, item: int) -> None:
        """Select an item chosen elsewhere, without a signal; -1 = nothing. A part of the item stays selected."""
        self._quiet = True
        current = self.tree.currentIndex()
        index = self.model.index_of(item) if item >= 0 else QModelIndex()
        if index.isValid():
            if self.model.item_at(current) != item or not self.tree.selectionModel().isSelected(current):
                self._go_to(index)
        else:
            self.tree.clearSelection()
        self._quiet = False

    def select_member(self, item: int, name: str) -> None:
        """Select a part of a class, without telling."""
        self._quiet = True
        self._go_to(self.model.index_of_member(item, name))
        self._quiet = False

    def selected_names(self) -> list[str]:
        """Return the names of the selected classes and parts; of a package those of its classes."""
        jar = self.model.jar
        found: dict[str, None] = {}
        for index in self.tree.selectionModel().selectedRows():
            name = self.model.name_at(index)
            for one in [name] if name else [jar.names[item] for item in self.model.items_at(index)]:
                found[one] = None
        return list(found)

    def _wish(self, key: Qt.Key) -> None:
        """Pin the selected items or drop them first, or no longer: the keys K and D."""
        if names := self.selected_names():
            (self.told.pins if key == Qt.Key.Key_K else self.told.first).emit(names)

    def _go_to(self, index: QModelIndex) -> None:
        if index.isValid():
            flags = QItemSelectionModel.SelectionFlag
            self.tree.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.tree.scrollTo(index, QAbstractItemView.ScrollHint.EnsureVisible)

    def _selected(self) -> None:
        rows = self.tree.selectionModel().selectedRows()
        if self._quiet or not rows:
            return
        current = self.tree.currentIndex().siblingAtColumn(0)
        index = current if current in rows else rows[0]
        item, name = self.model.item_at(index), self.model.name_at(index)
        jar = self.model.jar
        if item >= 0:
            if name != jar.names[item]:
                self.member_selected.emit(item, name)
            else:
                self.item_selected.emit(item)
        elif items := self.model.items_at(index):
            classes = tuple(one for one in items if jar.is_class[one])
            self.package_selected.emit(PackageSet(str(index.data() or ""), classes))

    def _activated(self, index: QModelIndex) -> None:
        item = self.model.item_at(index)
        if item >= 0:
            self.item_activated.emit(item)

    def _expanded(self, index: QModelIndex) -> None:
        item = self.model.item_at(index)
        if self.model.hasChildren(index) and item >= 0 and not self.model.members_loaded(item):
            self.members_wanted.emit([item])

    def _expand(self, packages: bool) -> None:
        """Open all rows of the top level, and with ``packages`` those of the packages in jars."""
        for row in range(self.model.rowCount()):
            top = self.model.index(row, 0)
            self.tree.expand(top)
            for inside in range(self.model.rowCount(top)) if packages and self.model.jars else ():
                self.tree.expand(self.model.index(inside, 0, top))

    def _choose(self, mask: np.ndarray | None) -> None:
        """Show these items, and those alone."""
        before = self.model.chosen
        if mask is before or (mask is not None and before is not None and np.array_equal(mask, before)):
            return
        self.model.chosen = mask
        self._refilter()

    def _refilter(self) -> None:
        wanted = self.filter.text()
        self._quiet = True
        self.model.set_filter(wanted)
        self._quiet = False
        if (wanted.strip() or self.model.chosen is not None) and self.model.shown <= _FOUND_MOST:
            self._expand(True)
        self._tell()

    def _tell(self) -> None:
        jar = self.model.jar
        if not jar.opened:
            return
        if self.filter.text().strip() or self.model.chosen is not None:
            self.count.setText(f"{text.count(self.model.shown)} of {text.count(jar.items)} match")
            return
        words = [text.classes(jar.classes), text.size(jar.bytes)]
        if jar.items > jar.classes:
            words.append(text.counted(jar.items - jar.classes, "other file"))
        if self.model.pinned:
            words.append(f"{len(self.model.pinned)} pinned")
        if self.model.first:
            words.append(f"{len(self.model.first)} to drop first")
        self.count.setText(", ".join(words))

    def _classes_by_row(self) -> list[list[int]]:
        """Return the classes of each selected row: of a package all, of a member the one that has it."""
        found = []
        for index in self.tree.selectionModel().selectedRows():
            item = self.model.item_at(index)
            found.append([item] if item >= 0 else list(self.model.items_at(index)))
        return found

    def _menu(self, where: QPoint) -> None:
        index = self.tree.indexAt(where)
        menu, model = QMenu(self), self.model
        wishes = (model.pinned, model.first)
        add_items(menu, self.told, self.selected_names(), self._classes_by_row(), model.item_at(index), wishes)
        if not menu.isEmpty():
            menu.popup(self.tree.viewport().mapToGlobal(where))


class _TreeView(QTreeView):
    pressed_key = Signal(Qt.Key)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the selected row in sight when the room gets lower."""
        at, before = self.currentIndex(), event.oldSize().height()
        inside = self.selectionModel().isSelected(at) and 0 <= self.visualRect(at).top() < before
        super().resizeEvent(event)
        if inside and event.size().height() < before:
            self.scrollTo(at)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_K, Qt.Key.Key_D) and not event.modifiers():
            self.pressed_key.emit(Qt.Key(event.key()))
        else:
            super().keyPressEvent(event)
