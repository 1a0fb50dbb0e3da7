"""The search field of the tool bar: finds classes and members as one types, Enter takes the best."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget

from app import text
from app.engine.opened_jar import NO_JAR, Ints, OpenedJar
from app.panels.hit_list import Hit, HitList
from app.widgets import RIGHT, Soon, control, made, row_of
from core.protocol import events
from core.protocol.java_names import hump_pattern, item_title, java_name, package_of


def ranked(jar: OpenedJar, wanted: str) -> Ints:
    """Return the items with ``wanted`` in their Java name, upper and lower case alike, or with its camel humps in the
    class name (``SessLoc`` finds ``SessionLocal``). The order: class name equal, beginning, humps, inside; then the
    package; among equals classes before files, short names before long ones, then as in the jar."""
    wanted = wanted.strip()
    if not wanted:
        return np.zeros(0, np.int32)
    lowered, humps = wanted.lower(), hump_pattern(wanted) if wanted[0].isupper() else None
    ways = [
        [small == lowered or full == lowered for small, full in zip(jar.small, jar.lowered, strict=True)],
        [small.startswith(lowered) for small in jar.small],
        [humps.search(simple) is not None for simple in jar.simple] if humps else [],
        [lowered in small for small in jar.small],
        [lowered in full for full in jar.lowered],
    ]
    rank = np.full(jar.items, len(ways))
    for place in range(len(ways) - 1, -1, -1):
        if ways[place]:
            rank[np.array(ways[place], np.bool_)] = place
    found = np.flatnonzero(rank < len(ways))
    lengths = np.array([len(jar.simple[item]) for item in found.tolist()], np.int32)
    order = np.lexsort((found, lengths, ~jar.is_class[found], rank[found]))
    return found[order].astype(np.int32)


_TYPING_MS = 120
_CLASSES, _MEMBERS = 200, 60
"""Classes and members that are listed."""


class SearchBox(QWidget):
    """A search field that emits its hits; ``went_to`` is the class that Enter leads to, ``member_wanted`` the
    member."""

    found = Signal(object)
    went_to = Signal(int)
    member_wanted = Signal(str)
    members_wanted = Signal(str)
    """Request for the members with this text in their names (:meth:`show_members`)."""
    left = Signal()
    """Escape: back to the graph."""

    def __init__(self) -> None:
        super().__init__()
        self.field = control(_Field(), "search", stepped=self._step, moved=self._move, escaped=self._escape)
        self.count = made(QLabel(), muted=True)
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance("1,000 of 1,000"))
        row_of(self.count, (self.field, 1), owner=self)
        self.count.setAlignment(RIGHT)
        self.matches: Ints = np.zeros(0, np.int32)
        self.hits: list[Hit] = []
        """Hits in the list, the best first."""
        self.list = HitList(self)
        self._members: events.MembersFound | None = None
        self._at = -1
        self._jar = NO_JAR
        self._timer = Soon(self, _TYPING_MS, self._search)
        self.field.textChanged.connect(lambda _: self._timer.start())
        self.field.unfocused.connect(self.list.hide)
        self.list.taken.connect(self._take)

    def set_jar(self, jar: OpenedJar) -> None:
        """Set the jar to search."""
        self._jar = jar
        self.field.clear()
        self._search()

    def focus(self) -> None:
        """Take the focus, ready to type."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def show_members(self, event: events.MembersFound) -> None:
        """Show the members that the engine found."""
        if event.text == self.field.text().strip() and event.found:
            self._members = event
            self._show(self._at)

    def _search(self) -> None:
        self._timer.stop()
        wanted = self.field.text().strip()
        self.matches = ranked(self._jar, wanted)
        self._members = None
        self._show(-1)
        self.found.emit(self.matches)
        if self._jar.opened and len(wanted) > 1:
            self.members_wanted.emit(wanted)

    def _show(self, at: int) -> None:
        """List the known hits; ``at`` is the row that was taken last."""
        wanted = self.field.text().strip()
        taken = self.hits[at] if 0 <= at < len(self.hits) else None
        self.hits = self._listed(wanted)
        self._at = self.hits.index(taken) if taken in self.hits else -1
        total = len(self.matches) + (len(self._members.found) + self._members.more if self._members else 0)
        if not wanted:
            self.count.setText("")
        elif self._at >= 0:
            self.count.setText(f"{self._at + 1} of {text.count(total)}")
        else:
            self.count.setText(text.counted(total, "match") if total else "No match")
        self.list.show_hits(self.hits, total - len(self.hits))
        if self.hits and self.field.hasFocus() and self._at < 0:
            self.list.place(self.field)
        elif not self.hits:
            self.list.hide()

    def _listed(self, wanted: str) -> list[Hit]:
        """Return the classes and members in one list: names with the wanted beginning, members with the wanted name,
        the others."""
        jar, members = self._jar, self._members
        lowered = wanted.lower()
        classes = [
            Hit(jar.simple[item], package_of(jar.names[item]), item) for item in self.matches[:_CLASSES].tolist()
        ]
        first = [hit for hit in classes if hit.title.lower().startswith(lowered)]
        rest = [hit for hit in classes if not hit.title.lower().startswith(lowered)]
        if members is None:
            return [*first, *rest]
        found = [Hit(_member(name, owner), java_name(owner), -1, name) for name, owner in members.found[:_MEMBERS]]
        word = lowered.removesuffix("()").rpartition(".")[2]
        same = [hit for hit in found if _word(hit) == word]
        return [*first, *same, *rest, *(hit for hit in found if _word(hit) != word)]

    def _step(self, way: int) -> None:
        """Enter: the marked hit while the list is open, then from hit to hit."""
        if self._timer.isActive():
            self._search()
        if not self.hits:
            return
        if self.list.isVisible() and way > 0:
            self._take(max(0, self.list.rows.currentRow()))
        else:
            self._take((self._at + way) % len(self.hits) if self._at >= 0 or way > 0 else len(self.hits) - 1)

    def _move(self, way: int) -> None:
        """Mark another hit: Up and Down."""
        if self._timer.isActive():
            self._search()
        if self.hits and not self.list.isVisible():
            self.list.place(self.field)
        elif self.hits:
            self.list.rows.setCurrentRow((self.list.rows.currentRow() + way) % len(self.hits))

    def _take(self, row: int) -> None:
        if not 0 <= row < len(self.hits):
            return
        self._at = row
        self.list.rows.setCurrentRow(row)
        self.list.hide()
        hit = self.hits[row]
        more = self._members.more if self._members is not None else 0
        total = max(len(self.hits), len(self.matches)) + more
        self.count.setText(f"{row + 1} of {text.count(total)}")
        if hit.member:
            self.member_wanted.emit(hit.member)
        else:
            self.went_to.emit(hit.item)

    def _escape(self) -> None:
        self.field.clear()
        self._search()
        self.list.hide()
        self.left.emit()


def _member(name: str, owner: str) -> str:
    """Return a member's own name: ``reciprocal()``."""
    title = item_title(name)
    return title.removeprefix(f"{java_name(owner)}.")


def _word(hit: Hit) -> str:
    """Return the name alone, in lower case."""
    return hit.title.partition("(")[0].partition(":")[0].lower()


class _Field(QLineEdit):
    stepped = Signal(int)
    moved = Signal(int)
    escaped = Signal()
    unfocused = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(-1 if back else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.moved.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.unfocused.emit()
