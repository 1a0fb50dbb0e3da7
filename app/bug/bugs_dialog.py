"""Which failures are one bug: a table of what the queue of reductions found."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.panels.lists.row_table import Column, RowModel, RowTable


class BugModel(RowModel):
    """A row for each bug."""

    def __init__(self, rows: list[list[str]]) -> None:
        head, *self._rows = rows
        super().__init__([Column(title.capitalize(), 0, right=False) for title in head])

    def count(self) -> int:
        return len(self._rows)

    def words(self, row: int, column: int) -> str:
        return self._rows[row][column]


class BugsDialog(QDialog):
    """The dialog with the bugs. It does not block the window."""

    def __init__(self, rows: list[list[str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Bugs")
        self.model = BugModel(rows)
        self.table = RowTable(self.model, "Bugs behind the failures")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.addWidget(self.table, 1)
        column.addWidget(buttons)
        self.resize(720, 360)
