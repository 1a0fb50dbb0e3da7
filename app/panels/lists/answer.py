"""An answer to an explorer's question, as rows: class edges, packages, what goes with a class, places of a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt

from app import text
from app.panels.lists.row_table import Column, RowModel

Cell = int | str


@dataclass(frozen=True, slots=True)
class AnswerAction:
    """A button above the rows."""

    words: str
    tip: str
    do: Callable[[], object]


@dataclass(frozen=True, slots=True)
class AnswerList:
    """A title, facts and rows. ``key`` is the same for a later, better answer to the same question."""

    key: str
    title: str
    facts: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]] = ()
    names: Sequence[tuple[str, ...]] = ()
    """For each row the items that its cells name, by column; empty = none. A double click goes there."""
    sizes: frozenset[int] = frozenset()
    """Columns of bytes."""
    actions: tuple[AnswerAction, ...] = ()
    open_row: Callable[[int], object] | None = None
    """Called with the row of a double click on a cell that names no item."""
    choose_row: Callable[[int], object] | None = None
    """Called with the row that is selected."""

    def name_at(self, row: int, column: int) -> str:
        """Return the item that a cell names; empty = none."""
        names = self.names[row] if row < len(self.names) else ()
        return names[column] if column < len(names) else ""


class AnswerModel(RowModel):
    """The rows of one answer, which the user may sort."""

    def __init__(self, answer: AnswerList) -> None:
        super().__init__(answer.columns)
        self.answer = answer
        self.order = list(range(len(answer.rows)))
        """The row of the answer at each place."""

    def count(self) -> int:
        return len(self.order)

    def words(self, row: int, column: int) -> str:
        cell = self.answer.rows[self.order[row]][column]
        if isinstance(cell, str):
            return cell
        return text.size(cell) if column in self.answer.sizes else text.count(cell)

    def tip(self, row: int, column: int) -> str:
        return self.words(row, column)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        ordered = getattr(self.answer.rows, "ordered", None)
        if ordered is not None:  # rows that are made when they are shown know their order
            self.layoutAboutToBeChanged.emit()
            self.order = ordered(column, order is Qt.SortOrder.DescendingOrder)
            self.layoutChanged.emit()
            return
        rows, numbers = self.answer.rows, not self.answer.rows or isinstance(self.answer.rows[0][column], int)
        self.layoutAboutToBeChanged.emit()
        self.order.sort(
            key=lambda row: rows[row][column] if numbers else str(rows[row][column]).lower(),
            reverse=order is Qt.SortOrder.DescendingOrder,
        )
        self.layoutChanged.emit()
