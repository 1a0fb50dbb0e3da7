"""The panel that finds a text in strings, bytecode or decompiled source: a field, a choice, and the places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QLabel,
    QLineEdit,
    QWidget,
)

from app import text
from app.panels.lists.row_table import Column, NameLook, RecordModel, RowTable
from app.shortening import Fits
from app.widgets import button, column_of, control, made, row_of
from core.protocol.java_names import item_title
from core.protocol.questions.explore import CodePlace

_COLUMNS = (Column("Where", 300, right=False), Column("Line"))
_ESCAPED = re.compile(r"""[\x00-\x1f…"'\\]""")
"""Characters that javap writes in another way, and the mark of a cut line."""


def _cells(place: CodePlace) -> tuple[str, str]:
    return item_title(place.name, True), place.line


_BEFORE = 8
"""Shown letters before the match in a line that is too long for its room."""


class FindPanel(QWidget):
    """A click on a place selects the class or member; a double click shows its code."""

    wanted = Signal(str, str)
    """A text, and where to find it: ``strings``, ``bytecode`` or ``source``."""
    chosen = Signal(str)
    """The class or member of the place that was clicked."""
    opened = Signal(str, str, str)
    """The class or member of a place, the kind of code, and the line: of bytecode offset and instruction, or a text
    that the line has."""

    def __init__(self) -> None:
        super().__init__()
        self.field = control(QLineEdit(), "find_code", returnPressed=self._ask)
        self.place = control(QComboBox(), "find_place")
        self.button = button("Find", "Start the search", self._ask)
        self.note = made(QLabel(), wordWrap=True, muted=True)
        self._model = RecordModel(_COLUMNS, _cells)
        self.table = RowTable(self._model, "Places of the text")
        self._sought = ""
        """Text of the last search, in lower case."""
        self.table.setItemDelegateForColumn(1, NameLook(self.table, self._from_match, Qt.TextElideMode.ElideRight))
        column_of(
            row_of((self.field, 2), self.place, self.button, (self.note, 3), margins=(8, 4, 8, 4), spacing=6),
            (self.table, 1),
            owner=self,
            spacing=0,
        )
        self.table.clicked.connect(self._clicked)
        self.table.activated.connect(self._activated)

    @property
    def kind(self) -> str:
        """The kind of code in which the text is looked for."""
        return str(self.place.currentData())

    def begin(self) -> None:
        """Forget the places: a search begins."""
        self._model.show([])
        self._sought = self.field.text().strip().lower()
        slow = self.kind == "source"
        self.note.setText("Decompiling all classes, once per jar; this may take minutes…" if slow else "Looking…")

    def add(self, places: Sequence[CodePlace]) -> None:
        """Add places."""
        self._model.show([*self._model.rows, *places])

    def tell(self, found: int, looked: int, over: bool) -> None:
        """Tell how far the search is."""
        words = text.counted(found, "place")
        if (listed := self._model.count()) < found:
            words += f", the first {listed:,} are listed"
        what = "file" if self.kind == "source" else "class"
        said = f"{words} in {text.counted(looked, what)}" if over else f"{words} so far…"
        if over and not found and self.kind == "strings":
            said += ". To look in the code, choose “Bytecode” or “Source”."
        self.note.setText(said)

    def forget(self) -> None:
        """Forget everything: another input."""
        self._model.show([])
        self.field.clear()
        self.note.setText("")

    def _from_match(self, line: str, fits: Fits) -> str:
        """Return a line that is too long from a few letters before the match on."""
        at = line.lower().find(self._sought)
        if at <= 0 or fits(line):
            return line
        end, begins = at + len(self._sought), range(max(0, at - _BEFORE), at)
        begin = next((one for one in begins if fits(f"…{line[one:end]}…")), at)
        return f"…{line[begin:]}" if begin else line

    def _ask(self) -> None:
        if self.field.text().strip():
            self.wanted.emit(self.field.text().strip(), self.kind)

    def _clicked(self, index: QModelIndex) -> None:
        self.chosen.emit(self._model.rows[index.row()].name)

    def _activated(self, index: QModelIndex) -> None:
        name, line = self._model.rows[index.row()]
        first, *others = _ESCAPED.split(line)
        string = f"String {first}" if first else max(others, key=len, default="")
        wanted = {"source": line, "bytecode": " ".join(line.split()[:2]), "strings": string}[self.kind]
        self.opened.emit(name, "source" if self.kind == "source" else "bytecode", wanted)
