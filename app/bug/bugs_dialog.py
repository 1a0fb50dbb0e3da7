"""Which failures are one bug: a table of what the queue of reductions found."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QLabel, QWidget

from app.panels.lists.row_table import Column, RowModel, RowTable
from app.widgets import button, closing, column_of, made


class BugModel(RowModel):
    """A row for each bug."""

    def __init__(self, rows: list[list[str]]) -> None:
        head, *self._rows = rows
        widths = {"failure": None}
        super().__init__([Column(title.capitalize(), widths.get(title, 0), right=False) for title in head])

    def count(self) -> int:
        return len(self._rows)

    def words(self, row: int, column: int) -> str:
        return self._rows[row][column]


class BugsDialog(QDialog):
    """The dialog with the bugs. It does not block the window."""

    known_wanted = Signal()
    """A file of known bugs is to be chosen and compared with the bugs."""

    def __init__(self, sentence: str, rows: list[list[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bugs")
        self.sentence = made(QLabel(sentence), textFormat=Qt.TextFormat.PlainText, wordWrap=True)
        self.model = BugModel(rows)
        self.table = RowTable(self.model, "Bugs behind the failures")
        self.known = button(
            "Known bugs…",
            "Choose a file of known bugs (jarlet known add); the table then says which they are",
            self.known_wanted,
        )
        column_of(self.sentence, (self.table, 1), closing(self.close, self.known), owner=self, margins=None)
        self.resize(720, 360)

    def show_bugs(self, sentence: str, rows: list[list[str]]) -> None:
        """Show another sentence and another table."""
        self.sentence.setText(sentence)
        self.model = BugModel(rows)
        self.table.setModel(self.model)
