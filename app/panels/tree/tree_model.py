"""The jar as a tree: package > class > member. Filtered here, not by a proxy, to stay fast."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt

from app import text
from app.engine.members import ClassMembers
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.panels.tree.tree_rows import MEMBER, PACKAGE, Group, Loaded, MemberNode, TreeRow, groups_of
from app.shortening import TitleIndex
from app.widgets import Index
from app.words import STATE_WORDS
from core.protocol.java_names import title

_ROOT = QModelIndex()


def _jars(shown: Sequence[Group]) -> list[Group]:
    """Return the rows of the jars of packages, and give the packages their places there; empty if there is one jar."""
    starts = [at for at, group in enumerate(shown) if not at or group.jar != shown[at - 1].jar]
    found = []
    for number, span in enumerate(map(range, starts, [*starts[1:], len(shown)])):
        groups = [shown[at] for at in span]
        for row, group in enumerate(groups):
            group.place = (number, row)
        items = [item for group in groups for item in group.items]
        seen = [item for group in groups for item in group.shown]
        numbers = np.concatenate([group.numbers for group in groups])
        octets = sum(group.bytes for group in groups)
        found.append(Group(groups[0].jar, items, octets, shown=seen, numbers=numbers, inside=span))
    return found if shown and shown[0].jar else []


_NAMES = {0: Qt.AlignmentFlag.AlignLeft, 1: Qt.AlignmentFlag.AlignRight}


class TreeModel(QAbstractItemModel):
    """Internal id: 0 = a package, or a jar if there are several; from 1 on the number + 1 of a class's package; from
    PACKAGE on the row + PACKAGE of the jar of a package; from MEMBER on a node's place + MEMBER."""

    def __init__(self) -> None:
        super().__init__()
        self.jar: OpenedJar | None = None
        self.pinned: frozenset[str] = frozenset()
        """Names that are pinned."""
        self.first: frozenset[str] = frozenset()
        """Names that are to be dropped first."""
        self.proved = False
        """True if a proof shows which items are needed."""
        self._unfolds: list[bool] = []
        """True for each item that may have parts yet to be loaded."""
        self._groups: list[Group] = []
        self._shown: list[Group] = []
        self.jars: list[Group] = []
        """The shown rows of jars, if there are several."""
        self._places: dict[int, tuple[int, int]] | None = {}
        """Group and row of each shown item; None = not looked up yet."""
        self._nodes: list[MemberNode] = []
        self._loaded: dict[int, Loaded] = {}
        self._states: np.ndarray | None = None
        self._gone: dict[int, bool] = {}
        """True for each package of which nothing is left, by the identity of its group; since the last change of the
        states."""
        self._largest = 1
        self._left: Sequence[int] | None = None
        self._merges: Mapping[int, str] = {}
        """Bytes of each item in the best so far; None = all of it."""
        self._best = True
        """True if the states are those of the best so far."""
        self.chosen: np.ndarray | None = None
        """Items that may be shown, whatever the text of the filter; None = all."""

    # -- content ------------------------------------------------------------------------

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar."""
        self.beginResetModel()
        self.jar, self._states, self._left, self.chosen = jar, None, None, None
        self._merges = {}
        self._nodes, self._loaded = [], {}
        self._gone.clear()
        self._unfolds = (jar.is_class & ~jar.pinned).tolist()
        self._groups = groups_of(jar, "(top folder)", "(unnamed package)")
        self._largest = max(1, int(jar.sizes.max(initial=1)))
        self._choose("")
        self.endResetModel()

    def set_states(self, states: np.ndarray | None, best: bool = True) -> None:
        """Set the states of the items, in the best so far or in another step. The view repaints what it shows."""
        self._states, self._best = states, best
        self._gone.clear()

    def set_left(self, sizes: Sequence[int] | None, merges: Mapping[int, str]) -> None:
        """Set the bytes of each item in the best so far, None for all of them, and lines on classes that were merged
        there. The view repaints what it shows.
        """
        self._merges = merges
        self._left = sizes if sizes is not None and self.jar is not None and len(sizes) == self.jar.items else None

    def set_filter(self, wanted: str) -> int:
        """Show only items with ``wanted`` in their name. Return their number."""
        self.beginResetModel()
        count = self._choose(wanted)
        self.endResetModel()
        return count

    def set_members(self, found: ClassMembers) -> None:
        """Set the parts of a class: the rows the first time, later the kept parts."""
        item = self.item_of(found.owner)
        if item < 0:
            return
        before = self._loaded.get(item)
        if before is not None and before.members.names == found.names:
            before.members = found
            return
        above, top = self.index_of(item), found.children.get(-1, [])
        if before is None and top and above.isValid():
            self.beginInsertRows(above, 0, len(top) - 1)
            self._load(item, found)
            self.endInsertRows()
        else:
            self._load(item, found)

    def members_loaded(self, item: int) -> bool:
        """Return True if the parts of a class are known."""
        return item in self._loaded

    @property
    def loaded_classes(self) -> list[int]:
        """The classes with known parts."""
        return list(self._loaded)

    def _load(self, item: int, found: ClassMembers) -> None:
        loaded = self._loaded[item] = Loaded(found)
        for parent in (-1, *range(len(found.names))):
            for row, number in enumerate(found.children.get(parent, [])):
                loaded.nodes[number] = len(self._nodes)
                self._nodes.append(MemberNode(item, number, row))

    def _choose(self, wanted: str) -> int:
        if self.jar is None:
            return 0
        count = self.jar.items
        if wanted.strip() or self.chosen is not None:
            here = self.jar.find(wanted) if wanted.strip() else np.arange(self.jar.items)
            found = set((here if self.chosen is None else here[self.chosen[here]]).tolist())
            for group in self._groups:
                group.shown = [item for item in group.items if item in found]
            self._shown = [group for group in self._groups if group.shown]
            count = len(found)
        else:
            for group in self._groups:
                group.shown = group.items
            self._shown = self._groups
        self._places = None
        self._gone.clear()
        self.jars = _jars(self._shown)
        return count

    # -- places -------------------------------------------------------------------------

    def index_of(self, item: int) -> QModelIndex:
        """Return the index of an item; invalid if the filter hides it."""
        if self._places is None:
            self._places = {i: (g, row) for g, group in enumerate(self._shown) for row, i in enumerate(group.shown)}
        place = self._places.get(item)
        return self.createIndex(place[1], 0, place[0] + 1) if place is not None else QModelIndex()

    def item_of(self, name: str) -> int:
        """Return the item of a class's name, -1 = there is none."""
        item = self.jar.numbers.get(name, -1) if self.jar is not None else -1
        return item if item >= 0 and self.jar is not None and self.jar.is_class[item] else -1

    def index_of_member(self, item: int, name: str) -> QModelIndex:
        """Return the index of a part of a class; that of the class if the part is not known."""
        loaded = self._loaded.get(item)
        if loaded is not None and self.index_of(item).isValid() and name in loaded.members.names:
            place = loaded.nodes[loaded.members.names.index(name)]
            return self.createIndex(self._nodes[place].row, 0, MEMBER + place)
        return self.index_of(item)

    def item_at(self, index: Index) -> int:
        """Return the item of a row, for a member its class; -1 for a package or a jar."""
        if not index.isValid() or self._group(index) is not None:
            return -1
        node = self._node(index)
        return node.item if node else self._shown[index.internalId() - 1].shown[index.row()]

    def name_at(self, index: Index) -> str:
        """Return the name of a row's class or member, as the engine has it; empty for a package."""
        item, node = self.item_at(index), self._node(index)
        if node is not None:
            return self._loaded[node.item].members.names[node.number]
        return self.jar.names[item] if self.jar is not None and item >= 0 else ""

    def items_at(self, index: Index) -> list[int]:
        """Return the items of a row: for a package or a jar all that it shows."""
        group = self._group(index)
        return [self.item_at(index)] if group is None else list(group.shown)

    def _group(self, index: Index) -> Group | None:
        """Return the package or the jar of a row; None for a class or a member."""
        number = index.internalId()
        if number == 0:
            return (self.jars or self._shown)[index.row()]
        if PACKAGE <= number < MEMBER:
            return self._shown[self.jars[number - PACKAGE].inside[index.row()]]
        return None

    def _node(self, index: Index) -> MemberNode | None:
        if not index.isValid() or index.internalId() < MEMBER:
            return None
        return self._nodes[index.internalId() - MEMBER]

    # -- Qt's questions -----------------------------------------------------------------

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        # Qt asks this of every row of an open package whenever one is opened: few calls, and none of hasIndex.
        if row < 0 or not 0 <= column < 2:
            return QModelIndex()
        if not parent.isValid():
            return self.createIndex(row, column, 0) if row < len(self.jars or self._shown) else QModelIndex()
        if parent.column() or row >= self.rowCount(parent):
            return QModelIndex()
        number = parent.internalId()
        if number == 0 and self.jars:
            return self.createIndex(row, column, PACKAGE + parent.row())
        if number == 0 or PACKAGE <= number < MEMBER:
            above = self.jars[number - PACKAGE].inside[parent.row()] if number else parent.row()
            return self.createIndex(row, column, above + 1)
        item, below = self._below(parent)
        return self.createIndex(row, column, MEMBER + self._loaded[item].nodes[below[row]])

    def _below(self, index: Index) -> tuple[int, list[int]]:
        """Return the class of a row, and the numbers of the parts right below the row."""
        node, item = self._node(index), self.item_at(index)
        loaded = self._loaded.get(item)
        if loaded is None:
            return item, []
        return item, loaded.members.children.get(node.number if node else -1, [])

    def parent(self, index: Index = _ROOT) -> QModelIndex:  # type: ignore[override]
        number = index.internalId() if index.isValid() else 0
        if number == 0:
            return QModelIndex()
        if number < PACKAGE:
            jar, row = self._shown[number - 1].place
            return self.createIndex(row, 0, PACKAGE + jar if self.jars else 0)
        if number < MEMBER:
            return self.createIndex(number - PACKAGE, 0, 0)
        node = self._nodes[number - MEMBER]
        loaded = self._loaded[node.item]
        above = loaded.members.parents[node.number]
        if above < 0:
            return self.index_of(node.item)
        place = loaded.nodes[above]
        return self.createIndex(self._nodes[place].row, 0, MEMBER + place)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return len(self.jars or self._shown)
        if parent.column():
            return 0
        group = self._group(parent)
        return len(self._below(parent)[1]) if group is None else len(group.inside or group.shown)

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        number = parent.internalId() if parent.isValid() else 0
        if 0 < number < PACKAGE:
            item = self._shown[number - 1].shown[parent.row()]
            if item not in self._loaded:
                return self._unfolds[item] and parent.column() == 0
        return self.rowCount(parent) > 0

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _NAMES[min(section, 1)] | Qt.AlignmentFlag.AlignVCenter
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return ("Class", "Size" if self._left is None else "Left / size")[section]
        return None

    def row(self, index: Index) -> TreeRow:
        """Return all that the delegate paints of a row."""
        assert self.jar is not None
        node, item = self._node(index), self.item_at(index)
        if node is not None:
            return self._member_row(node)
        if (group := self._group(index)) is not None:
            return self._group_row(group)
        octets = int(self.jar.sizes[item])
        share = (octets / self._largest) ** 0.5
        pinned = self.jar.names[item] in self.pinned
        first = self.jar.names[item] in self.first
        state, size, part = self._state(item), text.size(octets), 1.0
        left = octets if self._left is None or not self._best else self._left[item]
        if state not in (None, ItemState.GONE) and left < octets:
            size, part = text.part_of_size(left, octets), left / octets
        alone = partial(self._alone, self._shown[index.internalId() - 1])
        return TreeRow(item, self.jar.simple[item], size, state, share, pinned, first=first, left=part, alone=alone)

    def _alone(self, group: Group, begin: str, end: str) -> bool:
        """Return True if no two items of a package have names that begin and end so."""
        assert self.jar is not None
        if group.names is None:
            group.names = TitleIndex(self.jar.simple[item] for item in group.items)
        return group.names.only_one(begin, end)

    def _state(self, item: int) -> ItemState | None:
        return None if self._states is None else ItemState(int(self._states[item]))

    def _member_row(self, node: MemberNode) -> TreeRow:
        members = self._loaded[node.item].members
        state, name, octets = self._state(node.item), members.names[node.number], members.sizes[node.number]
        if state is not None and state is not ItemState.GONE:
            state = members.state(node.number, self.proved)
        share = (octets / self._largest) ** 0.5
        words = title(members.kinds[node.number], name, members.owner)
        size = text.size(octets) if octets else ""
        return TreeRow(node.item, words, size, state, share, name in self.pinned, True, name in self.first)

    def _group_row(self, group: Group) -> TreeRow:
        gone = self._gone.get(id(group))
        if gone is None:  # a package is gone once all of it is
            gone = self._states is not None and bool((self._states[group.numbers] == ItemState.GONE).all())
            self._gone[id(group)] = gone
        name = f"Resources in {group.title}" if group.resources else group.title
        state, size = ItemState.GONE if gone else None, text.size(group.bytes)
        left = group.bytes if gone else self._bytes_left(group)
        if left < group.bytes:
            size = text.part_of_size(left, group.bytes)
        return TreeRow(-1, name, size, state, 0.0, folded=group.folded)

    def _bytes_left(self, group: Group) -> int:
        """Return the bytes of a package in the best so far; all of them in another step."""
        if self._left is None or not self._best or self._states is None:
            return group.bytes
        there = group.numbers[self._states[group.numbers] != ItemState.GONE]
        return int(np.asarray(self._left)[there].sum())

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or self.jar is None:
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
        node, item = self._node(index), self.item_at(index)
        assert self.jar is not None
        if node is not None:
            members = self._loaded[node.item].members
            kind, name = members.kinds[node.number], members.names[node.number]
            words = [title(kind, name, members.owner, False), kind, text.size(members.sizes[node.number])]
        elif item >= 0:
            words = [self.jar.full[item], text.size(int(self.jar.sizes[item]))]
            if self._left is not None and self._best and self._state(item) is not None:
                words[1] += f", {text.size(self._left[item])} in the smallest jar so far"
                words += filter(None, [self._merges.get(item)])
        else:
            group = self._group(index)
            assert group is not None
            return f"{group.title}\n{text.plural(len(group.items), 'entry', 'entries')}"
        name = self.name_at(index)
        words += ["Pinned: always kept"] * (name in self.pinned)
        return "\n".join(words + ["To be dropped first"] * (name in self.first))

    def set_pinned(self, names: Iterable[str], first: Iterable[str] = ()) -> None:
        """Mark the items that the user wants kept, and those to be dropped first."""
        self.pinned, self.first = frozenset(names), frozenset(first)
