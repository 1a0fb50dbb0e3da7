"""The accepted steps: look at one, compare two, export one, go on from there."""

from __future__ import annotations

from PySide6.QtCore import Signal, SignalInstance
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from app import text
from app.engine.run_state import RunState
from app.engine.runs import RunRecord, StepSummary
from app.panels.lists.row_table import Column, RecordModel, RowTable
from app.widgets import STRETCH, beside, button, column_of, control, made, row_of
from app.words import END_WORDS
from core.protocol import events

_LINES_MOST = 2000
"""Differences that are listed."""


_COLUMNS = tuple(
    Column(title, width)
    for title, width in (("Reduction", 72), ("Step", 48), ("Runs", 54), ("Time", 84), ("Classes", 58), ("Size", 60))
)


class StepList(QWidget):
    """One selected step is shown in graph and tree, two are compared."""

    looked = Signal(object, object)
    """A step alone, or two steps, older first; (None, None) = the best so far again."""
    export_wanted = Signal(object)
    go_on_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._runs: list[RunRecord] = []
        self._smallest: StepSummary | None = None
        """The smallest step of all runs about the failure of the last one."""
        self.model = RecordModel(_COLUMNS, self._cells, self._tip)
        self.words = control(QPlainTextEdit(), "step_changes")
        self.table = made(RowTable(self.model, "Accepted steps", several=True), toolTip=self.words.placeholderText())
        self.now = button(
            "Show smallest", "Show the smallest so far in graph and tree again", lambda: self.table.clearSelection()
        )
        self.export = button(
            "Export step…",
            "Write the selected step as a jar (Ctrl+S)",
            lambda: self._tell(self.export_wanted),
        )
        self.go_on = button(
            "Reduce from this step",
            "Open the selected step as the input of another reduction",
            lambda: self._tell(self.go_on_wanted),
        )
        column_of(
            row_of(self.now, self.export, self.go_on, STRETCH, margins=(8, 5, 8, 5), spacing=6),
            (beside(self.table, self.words, sizes=[420, 270], stretch=(1, 1)), 1),
            owner=self,
            spacing=0,
        )
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.model.modelReset.connect(self._selected)
        self._busy = False
        self._selected()

    def _cells(self, step: StepSummary) -> tuple[str, ...]:
        mark = " ◂" if step is self._smallest else ""
        name = "input" if step.probe == 0 else "end" if step.probe < 0 else text.count(step.probe)
        return (
            f"{step.run}",
            name + mark,
            text.count(step.probes),
            text.seconds(step.at) if step.at else "",
            text.count(step.classes),
            text.size(step.bytes),
        )

    def _tip(self, step: StepSummary, _: int) -> str:
        run = next((run for run in self._runs if run.number == step.run), None)
        if run is None:
            return ""
        end = END_WORDS.get(run.reason, run.reason) or "is under way"
        how = f"Reduction {run.number} {end}: {run.settings.algorithm}, granularity {run.settings.granularity}"
        best = "\nThe smallest result for this failure." if step is self._smallest else ""
        return how + best

    def show_state(self, state: RunState) -> None:
        """Show the steps of all runs of this input; the smallest of those about the present failure is marked."""
        self._runs = list(state.runs)
        best = state.smallest(state.settings) if state.settings is not None else None
        if best is not self._smallest:
            self._smallest = best
            self.table.viewport().update()
        self.model.show([step for run in state.runs for step in run.steps] or list(state.steps))
        self.table.setColumnHidden(0, len(state.runs) < 2)
        if state.phase.reducing != self._busy:
            self._busy = state.phase.reducing
            self._enable()

    def chosen(self) -> list[StepSummary]:
        """Return the selected steps, oldest first."""
        return [self.model.rows[row] for row in self.table.selected_rows()]

    def selected_step(self) -> StepSummary | None:
        """Return the one step that is selected, unless it is an input."""
        steps = self.chosen()
        return steps[0] if len(steps) == 1 and steps[0].probe != 0 else None

    def show_changes(self, event: events.Compared) -> None:
        """Show the differences between the two selected steps."""
        lines = []
        for name, before, after in event.entries:
            if after < 0:
                lines.append(f"- {name} ({text.size(before)})")
            elif before < 0:
                lines.append(f"+ {name} ({text.size(after)})")
            else:
                lines.append(f"  {name}: {text.size(before)} → {text.size(after)}")
        gone = sum(entry.after < 0 for entry in event.entries)
        steps = self.chosen()
        between = f"From {steps[0].title} to {steps[-1].title}" if steps else ""
        head = "{} removed, {} changed".format(text.counted(gone, "entry"), text.count(len(lines) - gone))
        self.words.setPlainText("\n".join([f"{between}: {head}", "", *lines[:_LINES_MOST]]))

    def _selected(self) -> None:
        steps = self.chosen()
        self._enable()
        if not steps:
            self.words.clear()
            self.looked.emit(None, None)
        elif len(steps) == 1:
            step = steps[0]
            self.words.setPlainText(
                "{}: {}, {}\nafter {} and {}.\nThe graph and the tree show this step. {}".format(
                    text.capital(step.title),
                    text.classes(step.classes),
                    text.size(step.bytes),
                    text.counted(step.probes, "run"),
                    text.seconds(step.at),
                    "Ctrl+click a second step to compare the two.",
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

    def _tell(self, signal: SignalInstance) -> None:
        steps = self.chosen()
        if steps:
            signal.emit(steps[-1])
