"""The accepted steps: look at one, compare two, export one, go on from there."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QSplitter, QVBoxLayout, QWidget

from app import text
from app.engine.run_state import RunState, StepSummary
from app.panels.lists.row_table import Column, GrowingModel, RowTable, button_column, list_button
from core.protocol import events

_HINT = "Select a step to show it in graph and tree, or two steps to compare them."
_LINES_MOST = 2000
"""Differences that are listed."""


class StepModel(GrowingModel[StepSummary]):
    """One row per accepted step; row 0 is the input."""

    def __init__(self) -> None:
        titles = (("Step", 46), ("Probes", 54), ("Time", 80), ("Classes", 58), ("Size", 66))
        super().__init__([Column(title, width) for title, width in titles])

    def words(self, row: int, column: int) -> str:
        step = self.rows[row]
        return (
            text.count(row) if row else "input",
            text.count(step.probes),
            text.seconds(step.at) if step.at else "",
            text.count(step.classes),
            text.size(step.bytes),
        )[column]


class StepList(QWidget):
    """One selected step is shown in graph and tree, two are compared."""

    looked = Signal(object, object)
    """A step alone, or two steps, older first; (None, None) = the best so far again."""
    export_wanted = Signal(object)
    go_on_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = StepModel()
        self.table = RowTable(self.model, "Accepted steps", several=True)
        self.table.setToolTip(_HINT)
        self.words = QPlainTextEdit()
        self.words.setReadOnly(True)
        self.words.setProperty("flat", True)
        self.words.setTabChangesFocus(True)
        self.words.setAccessibleName("Differences between the selected steps")
        self.words.setPlaceholderText(_HINT)
        self.now = list_button("Show best so far", "Show the best so far in graph and tree again", self._back)
        self.export = list_button(
            "Export step…", "Write the selected step as a jar", lambda: self._tell(self.export_wanted)
        )
        self.go_on = list_button(
            "Reduce from this step",
            "Open the selected step as the input of another reduction",
            lambda: self._tell(self.go_on_wanted),
        )
        buttons = button_column(self.now, self.export, self.go_on)
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

    def show_state(self, state: RunState) -> None:
        """What the model holds now."""
        self.model.show(state.steps)
        if state.phase.reducing != self._busy:
            self._busy = state.phase.reducing
            self._enable()

    def chosen(self) -> list[StepSummary]:
        """The selected steps, oldest first."""
        return [self.model.rows[row] for row in self.table.selected_rows()]

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
        head = "{} removed, {} changed".format(text.plural(gone, "entry", "entries"), text.count(len(lines) - gone))
        head += "\n" + "Half a disc in the tree, hatched in the graph: removed between the two steps."
        self.words.setPlainText("\n".join([head, "", *lines[:_LINES_MOST]]))

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

    def _tell(self, signal: SignalInstance) -> None:
        steps = self.chosen()
        if steps:
            signal.emit(steps[-1])
