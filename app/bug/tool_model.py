"""The table of the tools and the classes that they fail on."""

from __future__ import annotations

from collections import Counter
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont

from app import text
from app.panels.lists.row_table import Column, RecordModel
from app.theme.theme import worn
from app.widgets import Index
from core.protocol import events

_MOST_FAILURES = 12
"""Failures that the tool tip of a cell lists."""
_NOWHERE = "(no class named)"
_UNKNOWN, _BRIEF = "no answer", "?"
"""Words for a tool without an answer, and their short form for narrow columns. The tip has the reason."""


class ToolModel(RecordModel[int]):
    """A row with the sums, then one per class; a column per tool."""

    def __init__(self) -> None:
        super().__init__([Column("Class")], lambda row: (), self.tip, self.ink)
        self.tools: list[events.ToolRan] = []
        self.places: list[str] = []
        self._brief = False

    def show_tools(self, tools: list[events.ToolRan]) -> None:
        """Show the answers of these tools. The classes with most failures come first."""
        self.beginResetModel()
        self.tools = tools
        counts = Counter(place for ran in tools for _, place in set(zip(ran.failures, ran.places, strict=True)))
        self.places = [place for place, _ in sorted(counts.items(), key=lambda pair: (not pair[0], -pair[1], pair[0]))]
        heads = (f"{ran.title}\n{ran.version}".strip() for ran in tools)
        self.columns = (Column("Class"), *(Column(head, 0, right=True) for head in heads))
        self.rows = list(range(len(self.places) + 1)) if tools else []
        self.endResetModel()

    def show_brief(self, brief: bool) -> None:
        """Show what has no answer in short, for narrow columns, or in words."""
        if brief is not self._brief:
            self._brief = brief
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.tools))  # they are of another height
            self.dataChanged.emit(self.index(0, 1), self.index(0, len(self.tools)))

    def failures(self, row: int, column: int) -> list[str]:
        """Return the failures of a cell, each once."""
        if column < 1 or column > len(self.tools):
            return []
        ran = self.tools[column - 1]
        if row == 0:
            return list(dict.fromkeys(ran.failures))
        place = self.places[row - 1]
        pairs = zip(ran.failures, ran.places, strict=True)
        return list(dict.fromkeys(name for name, where in pairs if where == place))

    def words(self, row: int, column: int) -> str:
        if column == 0:
            return (self.places[row - 1] or _NOWHERE) if row else "All failures"
        ran = self.tools[column - 1]
        if ran.problem:
            return (_BRIEF if self._brief else _UNKNOWN) if row == 0 else ""
        found = len(self.failures(row, column))
        return text.count(found) if found or row == 0 else "·"

    def tip(self, row: int, column: int) -> str:
        """Return the failures of a cell, or the reason why it has none."""
        if column == 0:
            return self.words(row, 0)
        ran = self.tools[column - 1]
        names = self.failures(row, column)
        shown = names[:_MOST_FAILURES] + (
            [f"and {len(names) - _MOST_FAILURES} more"] if len(names) > _MOST_FAILURES else []
        )
        if row == 0 and names:
            shown.insert(0, f"{ran.counts}:")
        return ran.problem or "\n".join(shown) or f"{ran.title} does not fail here ({text.seconds(ran.seconds)})"

    def ink(self, row: int, column: int) -> QColor | None:
        """Return the colour of a cell: failures stand out."""
        if column and self.words(row, column) in ("·", "0"):
            return worn().muted
        return worn().bad if column and self.tools else None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if role == Qt.ItemDataRole.ToolTipRole and 0 < section <= len(self.tools):
            ran = self.tools[section - 1]
            return f"{ran.title} {ran.version}".strip()
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if role == Qt.ItemDataRole.FontRole and index.isValid() and index.row() == 0:
            font = QFont()
            font.setBold(True)
            return font
        return super().data(index, role)
