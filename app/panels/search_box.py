"""The search field of the tool bar: finds classes as one types, Enter walks through them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QKeyEvent, Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from app import text
from app.engine.opened_jar import Ints, OpenedJar
from app.panels.class_search import ranked
from app.theme.theme import Theme

_TYPING_MS = 120


class SearchBox(QWidget):
    """Emits what it found; ``went_to`` is the match that Enter leads to."""

    found = Signal(object)
    went_to = Signal(int)
    left = Signal()
    """Escape: back to the graph."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.field = _Field()
        self.field.setPlaceholderText("Find class (Ctrl+F)")
        self.field.setAccessibleName("Find class")
        self.field.setToolTip("Part of a class or package name, or its camel humps; Enter goes from match to match")
        self.field.setClearButtonEnabled(True)
        self.field.setMinimumWidth(170)
        self.field.setMaximumWidth(280)
        self.count = QLabel()
        self.count.setProperty("muted", True)
        self.count.setMinimumWidth(self.count.fontMetrics().horizontalAdvance("1,000 of 1,000"))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.count)
        row.addWidget(self.field, 1)
        self.count.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.matches: Ints = np.zeros(0, np.int32)
        self._at = -1
        self._jar: OpenedJar | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_TYPING_MS)
        self._timer.timeout.connect(self._search)
        self.field.textChanged.connect(lambda _: self._timer.start())
        self.field.stepped.connect(self._step)
        self.field.escaped.connect(self._escape)

    def set_jar(self, jar: OpenedJar) -> None:
        """Another jar to search."""
        self._jar = jar
        self._search()

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""

    def focus(self) -> None:
        """Ready to type."""
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()

    def _search(self) -> None:
        self._timer.stop()
        self.matches = ranked(self._jar, self.field.text()) if self._jar else np.zeros(0, np.int32)
        self._at = -1
        if not self.field.text().strip():
            self.count.setText("")
        elif len(self.matches):
            self.count.setText(text.plural(len(self.matches), "match", "matches"))
        else:
            self.count.setText("No match")
        self.found.emit(self.matches)

    def _step(self, way: int) -> None:
        if self._timer.isActive():
            self._search()
        if len(self.matches):
            self._at = 0 if self._at < 0 and way > 0 else (self._at + way) % len(self.matches)
            self.count.setText(f"{self._at + 1} of {text.count(len(self.matches))}")
            self.went_to.emit(int(self.matches[self._at]))

    def _escape(self) -> None:
        self.field.clear()
        self._search()
        self.left.emit()


class _Field(QLineEdit):
    stepped = Signal(int)
    escaped = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.stepped.emit(-1 if back else 1)
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self.stepped.emit(1 if key == Qt.Key.Key_Down else -1)
        elif key == Qt.Key.Key_Escape:
            self.escaped.emit()
        else:
            super().keyPressEvent(event)
