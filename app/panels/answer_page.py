"""Answers to an explorer as rows, and the page of the inspector that shows one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from app import text
from app.panels.lists.row_table import Column, NameLook, RecordModel, RowTable
from app.panels.lists.tie_tree import TieTree, tie_row
from app.shortening import short_pair
from app.widgets import beside, button, column_of, made, row_of

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

    def cells(self, row: int) -> list[str]:
        """Return the texts of a row."""
        return [
            cell if isinstance(cell, str) else text.size(cell) if column in self.sizes else text.count(cell)
            for column, cell in enumerate(self.rows[row])
        ]

    def name_at(self, row: int, column: int) -> str:
        """Return the item that a cell names; empty = none."""
        names = self.names[row] if row < len(self.names) else ()
        return names[column] if column < len(names) else ""


def answer_model(answer: AnswerList) -> RecordModel[int]:
    """Return a model of the rows of an answer, by their numbers."""
    model = RecordModel(answer.columns, answer.cells, key=int)
    model.show(range(len(answer.rows)))
    return model


_HALF = 10_000
"""More pixels than the column of reasons gets: it is as wide as that of names."""
_KEPT = 20
"""Answers to which one can go back."""


class AnswerPage(QWidget):
    """One answer at a time. Those before it are a click away."""

    item_wanted = Signal(str)
    """A cell that names an item was double-clicked."""
    emptied = Signal()
    """There is no answer before the one that was left."""

    def __init__(self) -> None:
        super().__init__()
        self.answers: list[AnswerList] = []
        self.title = made(QLabel(), heading=True)
        self.facts = made(QLabel(), muted=True, wordWrap=True)
        for label in (self.title, self.facts):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.back = button("Back", "Show the answer, or the item, before this one", self.go_back)
        self.buttons = made(QHBoxLayout(), spacing=6)
        self.table: RowTable | None = None
        self._rows = QVBoxLayout()
        self._rows.setContentsMargins(0, 0, 0, 0)
        left = made(QWidget(), layout=self._rows)
        self.detail = made(
            TieTree("Needs", _HALF, short_pair),
            accessibleName="Reasons of the selected row",
            rootIsDecorated=False,
            item_wanted=self.item_wanted,
        )
        column_of(
            column_of(
                row_of((self.title, 1), self.buttons, self.back, spacing=8),
                self.facts,
                margins=(12, 6, 12, 4),
                spacing=2,
            ),
            (beside(left, self.detail, sizes=[640, 420]), 1),
            owner=self,
            spacing=0,
        )

    @property
    def shown(self) -> AnswerList | None:
        """The answer that is shown."""
        return self.answers[-1] if self.answers else None

    def show_answer(self, answer: AnswerList) -> None:
        """Show an answer to another question."""
        self.answers = [*(one for one in self.answers if one.key != answer.key), answer][-_KEPT:]
        self._show()

    def improve(self, answer: AnswerList) -> None:
        """Take a better answer to an earlier question. It is ignored if nobody can go back to that question."""
        if self.shown is not None and self.shown.key == answer.key:
            self.answers[-1] = answer
            self._show()
        else:
            self.answers = [answer if one.key == answer.key else one for one in self.answers]

    def forget(self) -> None:
        """Forget all answers: they are about another input."""
        self.answers.clear()

    def go_back(self) -> None:
        """Show the answer before this one."""
        self.answers = self.answers[:-1]
        if self.answers:
            self._show()
        else:
            self.emptied.emit()

    def show_detail(
        self, key: str, heads: tuple[str, str], rows: Sequence[tuple[str, str, str]], more: int = 0
    ) -> None:
        """Show more of the selected row: the item to which each row leads, and texts of two columns under ``heads``."""
        if self.shown is None or self.shown.key != key:
            return
        self.detail.clear()
        self.detail.setHeaderLabels(heads)
        for name, words, reason in rows:
            item = tie_row(words, reason, name, words)
            self.detail.addTopLevelItem(item)
            item.setFirstColumnSpanned(not reason)
        if more:
            self.detail.addTopLevelItem(tie_row(f"and {more:,} more"))
        self.detail.show()

    def _show(self) -> None:
        answer = self.answers[-1]
        self.title.setText(answer.title)
        self.facts.setText(answer.facts)
        self.detail.clear()
        self.detail.setVisible(answer.choose_row is not None)
        while (item := self.buttons.takeAt(0)) is not None:
            if (shown := item.widget()) is not None:
                shown.deleteLater()
        for action in answer.actions:
            self.buttons.addWidget(button(action.words, action.tip, action.do))
        self._make_table(answer)

    def _make_table(self, answer: AnswerList) -> None:
        before = self.table
        focused = before is not None and before.hasFocus()
        self.model = answer_model(answer)
        self.table = table = RowTable(self.model, answer.title)
        table.setTextElideMode(Qt.TextElideMode.ElideLeft)  # names: their ends tell them apart
        last = len(answer.columns) - 1
        table.setItemDelegate(NameLook(table))
        header = table.horizontalHeader()
        if answer.columns[last].width is None:  # a sentence: its beginning says most
            look = NameLook(table, lambda words, fits: words, Qt.TextElideMode.ElideRight)
            table.setItemDelegateForColumn(last, look)
            table.leave_room_for_last()
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)  # until a head is clicked
        header.sortIndicatorChanged.connect(self._sort)
        table.activated.connect(self._activated)
        table.selectionModel().currentRowChanged.connect(self._chosen)
        self._rows.addWidget(table)
        table.setVisible(bool(answer.rows))  # the facts say it all
        if before is not None:
            before.hide()
            before.deleteLater()
        if focused:
            table.setFocus()
        self._choose_first()

    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        """Sort by a column. Qt turns the order with each click on the same head."""
        assert self.table is not None
        self.table.horizontalHeader().setSortIndicatorShown(True)
        cells = [row[column] for row in self.answers[-1].rows]
        worth = [cell.lower() if isinstance(cell, str) else cell for cell in cells]
        down = order is Qt.SortOrder.DescendingOrder
        self.model.show(sorted(self.model.rows, key=worth.__getitem__, reverse=down))
        self._choose_first()

    def _choose_first(self) -> None:
        if self.table is not None and self.answers[-1].rows and self.answers[-1].choose_row is not None:
            self.table.selectRow(0)

    def _activated(self, index: QModelIndex) -> None:
        answer, row = self.answers[-1], self.model.rows[index.row()]
        if name := answer.name_at(row, index.column()):
            self.item_wanted.emit(name)
        elif answer.open_row is not None:
            answer.open_row(row)

    def _chosen(self, index: QModelIndex) -> None:
        choose = self.answers[-1].choose_row
        if choose is not None and index.isValid():
            choose(self.model.rows[index.row()])
