"""The failures that were met: keep only one of them, reduce another too, or make one jar of each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QWidget

from app.panels.lists.row_table import Column, NameLook, RecordModel, RowTable, button_column
from app.shortening import Fits, without_middle
from app.widgets import button, column_of, made, row_of


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A failure: its name, its first place, the result of its own reduction (empty = none). ``reducible``: the whole
    input shows it."""

    name: str
    where: str
    result: str = ""
    reducible: bool = True


_UNNAMED = "Failures have no names here. Choose under “More conditions” how to tell them apart."


_COLUMNS = (Column("Failure"), Column("First seen", 0), Column("Reduced jar", 0))


def _cells(row: FailureRow) -> tuple[str, ...]:
    return row.name, row.where, row.result


class FailureList(QWidget):
    """The list of failures, by their names."""

    chosen = Signal(str)
    """Only this failure is to stay."""
    queued = Signal(list)
    """These failures are to be reduced, each to a jar of its own."""
    each_wanted = Signal(list)
    """Of these failures one of each kind is to be reduced, each to a jar of its own."""

    looked_at = Signal(list)
    """These failures were double-clicked."""

    def __init__(self) -> None:
        super().__init__()
        self._stale = False
        self.model = RecordModel(_COLUMNS, _cells, key=lambda row: row.name)
        self.table = RowTable(self.model, "Failures", several=True)
        self.table.setItemDelegateForColumn(0, NameLook(self.table, self.shortened))
        self.note = made(QLabel(), wordWrap=True, muted=True, margin=8)
        self.keep = button(
            "Keep this failure",
            "The next reduction keeps the selected failure and may lose all others",
            lambda: self.chosen.emit(self.selected()[0]),
        )
        self.too = button(
            "Reduce this too…",
            "Reduce the input once more for each selected failure, after this run",
            lambda: self.queued.emit(self.selected()),
        )
        self.each = button(
            "One jar per bug…",
            "Reduce the input once for each kind of failure, one after another",
            lambda: self.each_wanted.emit(self._reducible()),
        )
        table = column_of(self.note, (self.table, 1), spacing=0)
        row_of((table, 1), button_column(self.keep, self.too, self.each), owner=self, spacing=0)
        self.table.selectionModel().selectionChanged.connect(self._enable)
        self.table.doubleClicked.connect(lambda _: self.looked_at.emit(self.selected()))
        self.show_rows([], True)

    def shortened(self, name: str, fits: Fits) -> str:
        """Return a name as there is room for it: the words that no other failure has stay."""
        others = [row.name for row in self.model.rows if row.name != name]
        return without_middle(
            name, fits, lambda begin, end: not any(one.startswith(begin) and one.endswith(end) for one in others)
        )

    def selected(self) -> list[str]:
        """Return the names of the selected failures."""
        return [self.model.rows[row].name for row in self.table.selected_rows()]

    def show_rows(self, rows: list[FailureRow], named: bool, stale: str = "") -> None:
        """Show the known failures. ``named``: failures are identified at all. ``stale``: the reason why the rows do not
        hold for the form's settings; rows with such a reason are disabled."""
        unknown = "Run the check to list the failures." if named else _UNNAMED
        self.note.setText(stale if rows else unknown)
        self.note.setVisible(not rows or bool(stale))
        self._stale = bool(stale and rows)
        self.table.setEnabled(not self._stale)
        if rows != self.model.rows:
            self.model.show(rows)
        self._enable()

    def _enable(self) -> None:
        selected, reducible = self.selected(), self._reducible()
        fine = bool(selected) and set(selected) <= set(reducible) and not self._stale
        self.keep.setEnabled(fine and len(selected) == 1)
        self.too.setEnabled(fine)
        self.each.setEnabled(bool(reducible) and not self._stale)

    def _reducible(self) -> list[str]:
        return [row.name for row in self.model.rows if row.reducible]
