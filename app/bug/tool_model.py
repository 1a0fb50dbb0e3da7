"""The table of the tools and the classes that they fail on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont

from app import text
from app.panels.lists.row_table import Column, RowModel
from app.theme.theme import worn
from app.widgets import Index
from core.protocol import events

_MOST_FAILURES = 12
"""Failures that the tool tip of a cell lists."""
_NOWHERE = "(no class named)"
_UNKNOWN, _BRIEF = "no answer", "?"
"""Words for a tool without an answer, and their short form for narrow columns. The tip has the reason."""
_LONG_WORD = 6
"""Letters of a word that stays whole in the narrowest head."""
Head = Callable[[events.ToolRan], str]
"""Returns the head of a tool's column."""


class ToolModel(RowModel):
    """A row with the sums, then one per class; a column per tool."""

    def __init__(self) -> None:
        super().__init__([Column("Class")])
        self.tools: list[events.ToolRan] = []
        self.places: list[str] = []
        self._unknown = _UNKNOWN

    def show(self, tools: list[events.ToolRan]) -> None:
        """Show the answers of these tools. The classes with most failures come first."""
        self.beginResetModel()
        self.tools = tools
        counts = Counter(place for ran in tools for _, place in set(zip(ran.failures, ran.places, strict=True)))
        self.places = [place for place, _ in sorted(counts.items(), key=lambda pair: (not pair[0], -pair[1], pair[0]))]
        self.columns = self._titles(with_version)
        self.endResetModel()

    def show_heads(self, head: Head) -> None:
        """Show other heads of the columns. The head's tips always show the versions."""
        if self.columns != (titles := self._titles(head)):
            self.columns = titles
            self._unknown = _BRIEF if head is in_short_lines else _UNKNOWN
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.tools))
            self.dataChanged.emit(self.index(0, 1), self.index(0, len(self.tools)))

    def _titles(self, head: Head) -> tuple[Column, ...]:
        return (Column("Class"), *(Column(head(ran), 0, right=True) for ran in self.tools))

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

    def count(self) -> int:
        return len(self.places) + 1 if self.tools else 0

    def words(self, row: int, column: int) -> str:
        if column == 0:
            return (self.places[row - 1] or _NOWHERE) if row else "All failures"
        ran = self.tools[column - 1]
        if ran.problem:
            return self._unknown if row == 0 else ""
        found = len(self.failures(row, column))
        return text.count(found) if found else ("none" if row == 0 else "·")

    def tip(self, row: int, column: int) -> str:
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
        if column and self.words(row, column) in ("·", "none"):
            return QColor(worn().muted)
        return QColor(worn().bad) if column and self.tools else None

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


def with_version(ran: events.ToolRan) -> str:
    """Return the title of a tool above its version."""
    return f"{ran.title}\n{ran.version}".strip()


def in_two_lines(ran: events.ToolRan) -> str:
    """Return the title of a tool with the line break that makes it narrowest; a single word has none."""
    words = ran.title.split(" ")
    ways = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
    return "\n".join(min(ways, key=lambda way: max(map(len, way)))) if ways else ran.title


def in_words(ran: events.ToolRan) -> str:
    """Return the title of a tool with a line for each word."""
    return ran.title.replace(" ", "\n")


def in_short_lines(ran: events.ToolRan) -> str:
    """Return the title of a tool with a line for each word, and two for a long one: ``Vinef-``, ``lower``."""
    return "\n".join(_halves(word) for word in ran.title.split(" "))


def _halves(word: str) -> str:
    if len(word) <= _LONG_WORD:
        return word
    humps = [at for at in range(2, len(word) - 1) if word[at].isupper() and word[at - 1].islower()]
    at = humps[0] if humps else (len(word) + 1) // 2
    return f"{word[:at]}-\n{word[at:]}"


HEADS = (with_version, in_two_lines, in_words, in_short_lines)
"""Heads of the columns, from the widest to the narrowest."""
