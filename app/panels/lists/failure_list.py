"""The failures that were met: keep only one of them, reduce another too, or make one jar of each."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)


@dataclass(frozen=True, slots=True)
class FailureRow:
    """A failure: its name, where it was met, what came of its own reduction (empty = none was asked for), and whether
    the whole input shows it, so that it can be reduced for it."""

    name: str
    where: str
    result: str = ""
    reducible: bool = True


class FailureList(QWidget):
    """Speaks in the failures' names."""

    chosen = Signal(str)
    """Only this failure is to stay."""
    queued = Signal(list)
    """These failures are to be reduced, each to a jar of its own."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.table = QTreeWidget()
        self.table.setRootIsDecorated(False)
        self.table.setColumnCount(3)
        self.table.setHeaderLabels(["Failure", "Met", "Its own jar"])
        self.table.setAccessibleName("Failures")
        self.table.setUniformRowHeights(True)
        self.table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        header = self.table.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.note = QLabel()
        self.note.setWordWrap(True)
        self.note.setProperty("muted", True)
        self.keep = self._button("Keep this one", "The next reduction keeps the selected failure, whatever else goes")
        self.too = self._button(
            "Reduce this too…",
            "Reduce the input once more, for each selected failure, after this run",
        )
        self.each = self._button("One jar a bug…", "Reduce the input once for each failure, one after another")
        buttons = QVBoxLayout()
        buttons.setContentsMargins(8, 6, 8, 6)
        buttons.setSpacing(5)
        for button in (self.keep, self.too, self.each):
            buttons.addWidget(button)
        buttons.addWidget(self.note)
        buttons.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.table, 1)
        row.addLayout(buttons)
        self._rows: list[FailureRow] = []
        self.keep.clicked.connect(lambda: self.chosen.emit(self.selected()[0]))
        self.too.clicked.connect(lambda: self.queued.emit(self.selected()))
        self.each.clicked.connect(lambda: self.queued.emit(self._reducible()))
        self.table.itemSelectionChanged.connect(self._enable)
        self.show_rows([], True)

    def _button(self, words: str, tip: str) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(tip)
        button.setAccessibleName(words.rstrip("…"))
        return button

    def selected(self) -> list[str]:
        """The names of the selected failures."""
        return [str(row.data(0, Qt.ItemDataRole.UserRole)) for row in self.table.selectedItems()]

    def show_rows(self, rows: list[FailureRow], named: bool) -> None:
        """What is known now; ``named``: whether failures are named at all."""
        note = "" if rows else "The check lists them." if named else "Failures are not named."
        self.note.setText(note)
        self.note.setVisible(bool(note))
        if rows != self._rows:
            known = [row.name for row in rows[: len(self._rows)]] == [row.name for row in self._rows]
            self._rows = rows
            if not known:
                self.table.clear()
            for number, row in enumerate(rows):
                self._show_row(number, row)
        self._enable()

    def _show_row(self, number: int, row: FailureRow) -> None:
        item = self.table.topLevelItem(number)
        if item is None:
            item = QTreeWidgetItem()
            self.table.addTopLevelItem(item)
        for column, words in enumerate((row.name, row.where, row.result)):
            if item.text(column) != words:
                item.setText(column, words)
                item.setToolTip(column, words)
        item.setData(0, Qt.ItemDataRole.UserRole, row.name)

    def _enable(self) -> None:
        selected, reducible = self.selected(), self._reducible()
        fine = bool(selected) and set(selected) <= set(reducible)
        self.keep.setEnabled(fine and len(selected) == 1)
        self.too.setEnabled(fine)
        self.each.setEnabled(bool(reducible))

    def _reducible(self) -> list[str]:
        return [row.name for row in self._rows if row.reducible]
