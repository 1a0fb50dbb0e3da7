"""The jar as a tree: package > class > member. Filtered here, not by a proxy, to stay fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal

from app import text
from app.engine.members import ClassMembers
from app.engine.opened_jar import NO_JAR, OpenedJar
from app.engine.run_state import ItemState
from app.panels.tree.tree_rows import Group, TreeNode, TreeRow, groups_of, jar_row
from app.shortening import TitleIndex
from app.widgets import LEFT, RIGHT, Index
from app.words import STATE_WORDS
from core.protocol.java_names import artifact_names, title

_ROOT = QModelIndex()


class TreeModel(QAbstractItemModel):
    """A model of nodes, each made when its row is first asked for."""

    looks_changed = Signal()
    """The shown rows are to be painted anew."""

    def __init__(self) -> None:
        super().__init__()
        self.jar = NO_JAR
        self.pinned: frozenset[str] = frozenset()
        """Names that are pinned."""
        self.first: frozenset[str] = frozenset()
        """Names that are to be dropped first."""
        self.proved = False
        """True if a proof shows which items are needed."""
        self._unfolds: list[bool] = []
        """True for each item that may have parts yet to be loaded."""
        self._groups: list[Group] = []
        self.jars: list[Group] = []
        """The shown rows of jars, if there are several."""
        self._top = self._before = TreeNode(None, 0, Group("", [], 0), below=[])
        """The tree, and the tree before it: Qt may still hold its rows."""
        self._packages: list[TreeNode] = []
        self._places: dict[int, tuple[TreeNode, int]] | None = {}
        """Package and row of each shown item; None = not looked up yet."""
        self._members: dict[int, ClassMembers] = {}
        self._states: np.ndarray | None = None
        self._tints: np.ndarray | None = None
        """Colour of each item; None = by state."""
        self._largest = 1
        self._left: np.ndarray | None = None
        """Bytes of each item in the best so far; None = all of it."""
        self._merges: Mapping[int, str] = {}
        """Lines on the classes that were merged in the best so far."""
        self._best = True
        """True if the states are those of the best so far."""
        self.shown = 0
        """Number of the shown items."""
        self.chosen: np.ndarray | None = None
        """Items that may be shown, whatever the text of the filter; None = all."""

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self.beginResetModel()
        self.jar, self._states, self._left, self.chosen, self._tints = jar, None, None, None, None
        self._merges = {}
        self._members = {}
        self._unfolds = (jar.is_class & ~jar.pinned).tolist()
        self._groups = groups_of(jar)
        self._largest = max(1, int(jar.sizes.max(initial=1)))
        self._choose("")
        self.endResetModel()

    def set_states(self, states: np.ndarray | None, best: bool = True) -> None:
        """Set the states of the items, in the best so far or in another step."""
        self._states, self._best = states, best
        self.looks_changed.emit()

    def set_left(self, sizes: Sequence[int] | None, merges: Mapping[int, str]) -> None:
        """Set the bytes of each item in the best so far, None before a reduction, and lines on merged classes."""
        self._merges = merges
        self._left = np.array(sizes) if sizes is not None and len(sizes) == self.jar.items else None
        self.looks_changed.emit()

    def set_tints(self, tints: np.ndarray | None) -> None:
        """Mark the classes in these colours, as the graph has them; None: by state."""
        self._tints = tints
        self.looks_changed.emit()

    def set_pins(self, names: Iterable[str], first: Iterable[str]) -> None:
        """Mark the items that the user wants kept, and those to be dropped first."""
        self.pinned, self.first = frozenset(names), frozenset(first)
        self.looks_changed.emit()

    @property
    def reduced(self) -> bool:
        """True if the bytes of the items in the best so far are known."""
        return self._left is not None

    def set_filter(self, wanted: str) -> None:
        """Show only items with ``wanted`` in their name."""
        self.beginResetModel()
        self._choose(wanted)
        self.endResetModel()

    def set_members(self, found: Iterable[ClassMembers]) -> None:
        """Set the parts of classes: the rows the first time, later the kept parts."""
        for members in found:
            self._set_members(members)
        self.looks_changed.emit()

    def _set_members(self, found: ClassMembers) -> None:
        item = self.item_of(found.owner)
        if item < 0:
            return
        before = self._members.get(item)
        if before is not None and before.names == found.names:
            self._members[item] = found
            return
        above, top = self.index_of(item), found.children.get(-1, [])
        fresh = before is None and bool(top) and above.isValid()
        if fresh:
            self.beginInsertRows(above, 0, len(top) - 1)
        self._members[item] = found
        if above.isValid():
            self._node(above).below = None
        if fresh:
            self.endInsertRows()

    def members_loaded(self, item: int) -> bool:
        """Return True if the parts of a class are known."""
        return item in self._members

    @property
    def loaded_classes(self) -> list[int]:
        """The classes with known parts."""
        return list(self._members)

    def _choose(self, wanted: str) -> None:
        found = self.jar.find(wanted) if wanted.strip() else np.arange(self.jar.items)
        there = set((found if self.chosen is None else found[self.chosen[found]]).tolist())
        self.shown = len(there)
        for group in self._groups:
            group.shown = group.items if self.shown == self.jar.items else [i for i in group.items if i in there]
        self._places = None
        self._grow([group for group in self._groups if group.shown])

    def _grow(self, shown: Sequence[Group]) -> None:
        """Make the nodes of packages, below those of their jars if there are several."""
        self._before, self._top = self._top, TreeNode(None, 0, Group("", [], 0))
        by_jar = [list(groups) for _, groups in groupby(shown, lambda group: group.jar)]
        short = artifact_names(group.jar for group in self._groups)
        self.jars = [jar_row(groups, short) for groups in by_jar] if shown and shown[0].jar else []
        self._top.below = [TreeNode(self._top, row, jar) for row, jar in enumerate(self.jars)]
        self._packages = []
        for above, groups in zip(self._top.below or [self._top], by_jar, strict=False):
            above.below = [TreeNode(above, row, group) for row, group in enumerate(groups)]
            self._packages += above.below

    # -- places -------------------------------------------------------------------------

    def index_of(self, item: int) -> QModelIndex:
        """Return the index of an item; invalid if the filter hides it."""
        if self._places is None:
            self._places = {i: (node, row) for node in self._packages for row, i in enumerate(node.group.shown)}
        place = self._places.get(item)
        return self._index(self._rows(place[0])[place[1]]) if place is not None else QModelIndex()

    def item_of(self, name: str) -> int:
        """Return the item of a class's name, -1 = there is none."""
        item = self.jar.numbers.get(name, -1)
        return item if item >= 0 and self.jar.is_class[item] else -1

    def index_of_member(self, item: int, name: str) -> QModelIndex:
        """Return the index of a part of a class; that of the class if the part is not known."""
        index, members = self.index_of(item), self._members.get(item)
        if members is None or not index.isValid() or name not in members.names:
            return index
        ways, part = [], members.names.index(name)
        while part >= 0:
            ways.append(members.children[members.parents[part]].index(part))
            part = members.parents[part]
        node = self._node(index)
        for row in reversed(ways):
            node = self._rows(node)[row]
        return self._index(node)

    def item_at(self, index: Index) -> int:
        """Return the item of a row, for a member its class; -1 for a package or a jar."""
        return self._node(index).item

    def name_at(self, index: Index) -> str:
        """Return the name of a row's class or member, as the engine has it; empty for a package."""
        node = self._node(index)
        if node.part >= 0:
            return self._members[node.item].names[node.part]
        return self.jar.names[node.item] if node.item >= 0 else ""

    def items_at(self, index: Index) -> list[int]:
        """Return the items of a row: for a package or a jar all that it shows."""
        node = self._node(index)
        return list(node.group.shown) if node.item < 0 else [node.item]

    def _node(self, index: Index) -> TreeNode:
        node: TreeNode = index.internalPointer() if index.isValid() else self._top
        return node

    def _index(self, node: TreeNode, column: int = 0) -> QModelIndex:
        return self.createIndex(node.row, column, node)

    def _rows(self, node: TreeNode) -> list[TreeNode]:
        """Return the rows right below a node."""
        if node.below is None:
            if node.item < 0:
                node.below = [TreeNode(node, row, node.group, item) for row, item in enumerate(node.group.shown)]
            elif (members := self._members.get(node.item)) is not None:
                parts = members.children.get(node.part, [])
                node.below = [TreeNode(node, row, node.group, node.item, part) for row, part in enumerate(parts)]
        return node.below or []

    # -- Qt's questions -----------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        if row < 0 or not 0 <= column < 2 or parent.column() > 0:
            return QModelIndex()
        rows = self._rows(self._node(parent))
        return self._index(rows[row], column) if row < len(rows) else QModelIndex()

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        above = self._node(index).above if index.isValid() else None
        return QModelIndex() if above is None or above.above is None else self._index(above)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.column() > 0 else len(self._rows(self._node(parent)))

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        node = self._node(parent)
        if parent.isValid() and node.part < 0 and node.item not in self._members:
            return parent.column() == 0 and (node.item < 0 or self._unfolds[node.item])
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return (LEFT, RIGHT)[section]
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Class", "Size" if self._left is None else "Left / size")[section]
        return None

    def row(self, index: Index) -> TreeRow:
        """Return all that the delegate paints of a row."""
        node = self._node(index)
        item = node.item
        if node.part >= 0:
            return self._member_row(node)
        if item < 0:
            return self._group_row(node.group)
        octets = int(self.jar.sizes[item])
        share = (octets / self._largest) ** 0.5
        pinned = self.jar.names[item] in self.pinned
        first = self.jar.names[item] in self.first
        state, size, part = self._state(item), text.size(octets), 1.0
        left = octets if self._left is None or not self._best else self._left[item]
        if state not in (None, ItemState.GONE) and left < octets:
            size, part = text.part_of_size(left, octets), left / octets
        alone = partial(self._alone, node.group)
        tint = -1 if self._tints is None else int(self._tints[item])
        name = self.jar.simple[item]
        return TreeRow(item, name, size, state, share, pinned, first=first, left=part, alone=alone, tint=tint)

    def _alone(self, group: Group, begin: str, end: str) -> bool:
        """Return True if no two items of a package have names that begin and end so."""
        if group.names is None:
            group.names = TitleIndex(self.jar.simple[item] for item in group.items)
        return group.names.only_one(begin, end)

    def _state(self, item: int) -> ItemState | None:
        return None if self._states is None else ItemState(int(self._states[item]))

    def _member_row(self, node: TreeNode) -> TreeRow:
        members, part = self._members[node.item], node.part
        state, name, octets = self._state(node.item), members.names[part], members.sizes[part]
        if state is not None and state is not ItemState.GONE:
            state = members.state(part, self.proved)
        share = (octets / self._largest) ** 0.5
        words = title(members.kinds[part], name, members.owner)
        size = text.size(octets) if octets else ""
        return TreeRow(node.item, words, size, state, share, name in self.pinned, True, name in self.first)

    def _group_row(self, group: Group) -> TreeRow:
        """Return the row of a package or a jar, which is gone once all of it is."""
        there = None if self._states is None else group.numbers[self._states[group.numbers] != ItemState.GONE]
        name = f"Resources in {group.title}" if group.resources else group.title
        state, size = None, text.size(group.bytes)
        if there is not None and not len(there):
            state = ItemState.GONE
        elif there is not None and self._left is not None and self._best:
            left = int(self._left[there].sum())
            if left < group.bytes:
                size = text.part_of_size(left, group.bytes)
        return TreeRow(-1, name, size, state, 0.0, folded=group.folded)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            row = self.row(index)
            return row.size if index.column() else row.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            row = self.row(index)
            return row.size or "no size of its own" if index.column() else row.name
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(index)
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            row = self.row(index)
            words = [STATE_WORDS[row.state]] if row.state is not None else []
            words += ["pinned"] * row.pinned + ["to be dropped first"] * row.first
            return ", ".join(words) or None
        return None

    def _tip(self, index: Index) -> str:
        node = self._node(index)
        item, part, group = node.item, node.part, node.group
        if part >= 0:
            members = self._members[item]
            kind, name = members.kinds[part], members.names[part]
            words = [title(kind, name, members.owner, False), kind, text.size(members.sizes[part])]
        elif item >= 0:
            words = [self.jar.full[item], text.size(int(self.jar.sizes[item]))]
            if self._left is not None and self._best and self._state(item) is not None:
                words[1] += f", {text.size(self._left[item])} in the smallest jar so far"
                words += filter(None, [self._merges.get(item)])
        else:
            return f"{group.title}\n{text.counted(len(group.items), 'entry')}"
        name = self.name_at(index)
        words += ["Pinned: always kept"] * (name in self.pinned)
        return "\n".join(words + ["To be dropped first"] * (name in self.first))
