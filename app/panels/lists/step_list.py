"""The accepted steps: look at one, compare two, export one, go on from there."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app import text
from app.engine.run_state import RunState, StepSummary
from core.protocol import events

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_WIDTHS = (46, 54, 80, 58, 66)


class StepModel(QAbstractTableModel):
    """Rows are appended, never changed; row 0 is the input."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[StepSummary] = []

    def show(self, steps: list[StepSummary]) -> None:
        """Takes over what is new in a list that only grows, or starts again."""
        if len(steps) < len(self.steps) or (self.steps and steps[0] is not self.steps[0]):
            self.beginResetModel()
            self.steps = []
            self.endResetModel()
        if len(steps) > len(self.steps):
            self.beginInsertRows(QModelIndex(), len(self.steps), len(steps) - 1)
            self.steps.extend(steps[len(self.steps) :])
            self.endInsertRows()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.steps)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_WIDTHS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:
        if orientation is Qt.Orientation.Horizontal:
            if role == Qt.ItemDataRole.DisplayRole:
                return ("Step", "Probes", "Time", "Classes", "Size")[section]
            if role == Qt.ItemDataRole.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        step = self.steps[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (
                "input" if not index.row() else text.count(index.row()),
                text.count(step.probes),
                text.seconds(step.at) if step.at else "",
                text.count(step.classes),
                text.size(step.bytes),
            )[index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None


class StepList(QWidget):
    """One selected step is shown in graph and tree, two are compared."""

    looked = Signal(object, object)
    """A step alone, or two steps, older first; (None, None) = the best so far again."""
    export_wanted = Signal(object)
    go_on_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = StepModel()
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName("Accepted steps")
        self.table.setToolTip("Select one to look at it, two to compare them")
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.table.verticalHeader().setDefaultSectionSize(21)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            header.resizeSection(column, width)
        header.setStretchLastSection(True)
        self.words = QPlainTextEdit()
        self.words.setReadOnly(True)
        self.words.setProperty("flat", True)
        self.words.setTabChangesFocus(True)
        self.words.setAccessibleName("What differs between the steps")
        self.words.setPlaceholderText("Select a step to look at it, two to compare them.")
        self.now = self._button("Back to now", "Show the best so far again", self._back)
        self.export = self._button(
            "Export step…", "Write the selected step as a jar", lambda: self._tell(self.export_wanted)
        )
        self.go_on = self._button(
            "Go on from here",
            "Open the selected step as the input of another reduction",
            lambda: self._tell(self.go_on_wanted),
        )
        buttons = QVBoxLayout()
        buttons.setContentsMargins(8, 6, 8, 6)
        buttons.setSpacing(5)
        for button in (self.now, self.export, self.go_on):
            buttons.addWidget(button)
        buttons.addStretch(1)
        side = QWidget()
        row = QHBoxLayout(side)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.words, 1)
        row.addLayout(buttons)
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.table)
        splitter.addWidget(side)
        splitter.setSizes([310, 370])
        splitter.setStretchFactor(0, 1)
        splitter.setStretchFactor(1, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(splitter)
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self._busy = False
        self._selected()

    def _button(self, words: str, tip: str, slot: object) -> QPushButton:
        button = QPushButton(words)
        button.setToolTip(tip)
        button.setAccessibleName(words.rstrip("…"))
        button.clicked.connect(slot)
        return button

    def show_state(self, state: RunState) -> None:
        """What the model holds now."""
        self.model.show(state.steps)
        if state.phase.reducing != self._busy:
            self._busy = state.phase.reducing
            self._enable()

    def chosen(self) -> list[StepSummary]:
        """The selected steps, oldest first."""
        rows = sorted(index.row() for index in self.table.selectionModel().selectedRows())
        return [self.model.steps[row] for row in rows]

    def show_changes(self, event: events.Compared) -> None:
        """What differs between the two selected steps."""
        if event.problem:
            self.words.setPlainText(event.problem)
            return
        lines = []
        for name, before, after in zip(event.names, event.before, event.after, strict=True):
            if after < 0:
                lines.append(f"- {name} ({text.size(before)})")
            elif before < 0:
                lines.append(f"+ {name} ({text.size(after)})")
            else:
                lines.append(f"  {name}: {text.size(before)} → {text.size(after)}")
        gone = sum(after < 0 for after in event.after)
        head = "{} gone, {} changed".format(text.plural(gone, "entry", "entries"), text.count(len(lines) - gone))
        head += "\n" + "Half a disc in the tree, hatched in the graph: gone between the two."
        self.words.setPlainText("\n".join([head, "", *lines[:2000]]))

    def _selected(self) -> None:
        steps = self.chosen()
        self._enable()
        if not steps:
            self.words.clear()
            self.looked.emit(None, None)
        elif len(steps) == 1:
            step = steps[0]
            self.words.setPlainText(
                "{}, {}\nafter {} and {}.\nThe graph and the tree show this step.".format(
                    text.plural(step.classes, "class", "classes"),
                    text.size(step.bytes),
                    text.plural(step.probes, "probe"),
                    text.seconds(step.at),
                )
            )
            self.looked.emit(step, None)
        else:
            self.words.setPlainText("Comparing…")
            self.looked.emit(steps[0], steps[-1])

    def _enable(self) -> None:
        steps = self.chosen()
        one = len(steps) == 1 and steps[0].probe != 0
        self.now.setEnabled(bool(steps))
        self.export.setEnabled(one)
        self.go_on.setEnabled(one and not self._busy)

    def _back(self) -> None:
        self.table.clearSelection()

    def _tell(self, signal: Any) -> None:
        steps = self.chosen()
        if steps:
            signal.emit(steps[-1])
