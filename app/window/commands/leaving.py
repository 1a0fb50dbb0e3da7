"""Questions before a result goes: another jar is opened, the window closes, a reduction starts anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QMessageBox, QWidget

from app import sample, text
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import RunRecord, StepSummary
from app.window.bug_queue import BugQueue

KEPT = "It stays in Sessions and results, as long as the last 20 do."
KEPT_AS_STEP = (
    "Sessions and results offers the latest one instead; this one stays among the steps in the session's folder."
)
LOST = "It could not be saved: it is lost if you go on."


class LeavingDialog(QMessageBox):
    """``go_button`` leaves the result, and ``fate`` is a sentence on the result's further life; Escape stays."""

    def __init__(self, result: str, doing: str, fate: str, parent: QWidget | None) -> None:
        super().__init__(
            QMessageBox.Icon.Question,
            "Leave the result?",
            f"The result, {result}, has not been exported.",
            parent=parent,
        )
        self.setInformativeText(fate)
        self.export_button = self.addButton("&Export jar…", QMessageBox.ButtonRole.AcceptRole)
        self.go_button = self.addButton(doing, QMessageBox.ButtonRole.DestructiveRole)
        self.stay_button = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.export_button)

    def answer(self) -> str:
        """Ask; return ``export``, ``go`` or ``stay``."""
        self.exec()
        pressed = self.clickedButton()
        return "export" if pressed is self.export_button else "go" if pressed is self.go_button else "stay"


class ClosingDialog(QMessageBox):
    """``stop_button`` ends the reduction and quits; Escape keeps it running. ``kept``: whether it can be resumed."""

    def __init__(self, best: str, kept: bool, parent: QWidget | None) -> None:
        super().__init__(
            QMessageBox.Icon.Question,
            "Stop the reduction?",
            f"A reduction is running. The smallest jar so far has {best}.",
            parent=parent,
        )
        self.setInformativeText(
            "It is saved: Jarlet offers to resume it at the next start."
            if kept
            else "It could not be saved: export the smallest jar so far first, or it is lost when you quit."
        )
        self.stop_button = self.addButton("&Stop and quit", QMessageBox.ButtonRole.DestructiveRole)
        self.keep_button = self.addButton("&Keep running", QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.keep_button)

    def stop_wanted(self) -> bool:
        """Ask; True = stop and quit."""
        self.exec()
        return self.clickedButton() is self.stop_button


class StartingDialog(QMessageBox):
    """A dialog before a start that does not block: :meth:`ask` calls one of two functions once a button is pressed;
    Escape starts nothing."""

    def __init__(self, earlier: str, size: str, parent: QWidget | None, done: bool = False) -> None:
        """Make the dialog; ``done``: nothing can go from the earlier result, so nothing goes on from it."""
        super().__init__(
            QMessageBox.Icon.Question,
            "Continue or start over?",
            f"The smallest result for this failure is {earlier}: {size}.",
            parent=parent,
        )
        self.setInformativeText(
            "Continue from it with the present settings, or start over with the whole jar. "
            "Completed runs are reused, and the smallest result of all runs stays in the list of steps."
        )
        self.continue_button = self.addButton(f"&Continue from {size}", QMessageBox.ButtonRole.AcceptRole)
        self.over_button = self.addButton("Start &over", QMessageBox.ButtonRole.DestructiveRole)
        self.cancel_button = self.addButton(QMessageBox.StandardButton.Cancel)
        self.setDefaultButton(self.continue_button)
        if done:
            self.setWindowTitle("Start over?")
            self.setText(f"Done: the smallest result for this failure is {earlier}: {size}.")
            self.setInformativeText(
                "With these settings no part of it can be removed alone. "
                "Change the settings, for example to a finer granularity, or start over with the whole jar."
            )
            self.removeButton(self.continue_button)
            self.setDefaultButton(self.cancel_button)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def ask(self, go_on: Callable[[], object], start_over: Callable[[], object]) -> None:
        """Show it; the window goes on to be drawn."""

        def clicked(button: QAbstractButton) -> None:
            if button is self.continue_button:
                go_on()
            elif button is self.over_button:
                start_over()

        self.buttonClicked.connect(clicked)
        self.open()


@dataclass(eq=False)
class UnexportedResult:
    """The smallest result of all runs since the last export, while only the session has it."""

    _controller: Controller
    _queue: BugQueue
    _export: Callable[[StepSummary], None]
    """Function that asks for the place of a result, and writes it."""
    _window: QWidget
    _runs: list[RunRecord] = field(default_factory=list)
    """The runs without an exported result."""

    def run_finished(self) -> None:
        """Note the result of a run. Results of a queue are written by the queue; the sample is there to try."""
        state = self._controller.state
        if sample.is_sample(Path(state.jar.paths[0])):
            return
        if state.runs and state.runs[-1].reduced and not self._queue.running:
            self._runs.append(state.runs[-1])

    def forget(self) -> None:
        """Forget the results: one was written, or another input is open."""
        self._runs.clear()

    def may_leave(self, doing: str) -> bool:
        """Return True if there is no such result, or the user leaves it. ``doing``: the words for the next action."""
        state, result = self._controller.state, self._smallest()
        if result is None or state.phase is EngineState.DEAD:
            return True
        best = text.classes(result.classes)
        fate = KEPT if self._controller.session else LOST
        if result.run != state.runs[-1].number:
            best += f" ({result.title})"
            fate = KEPT_AS_STEP if self._controller.session else LOST
        answer = LeavingDialog(best, doing, fate, self._window).answer()
        if answer == "export":
            self._export(result)
        return answer == "go"

    def may_close(self) -> bool:
        """Return True if the window may close. Ask first if a reduction runs, or if there is such a result."""
        state = self._controller.state
        if not state.phase.reducing:
            return self.may_leave("&Close")
        best = min(filter(None, (state.best(), self._smallest())), key=lambda step: step.bytes)
        classes = text.classes(best.classes)
        return ClosingDialog(classes, bool(self._controller.session), self._window).stop_wanted()

    def _smallest(self) -> StepSummary | None:
        """Return the smallest result that was not exported."""
        return min((run.steps[-1] for run in self._runs), key=lambda step: step.bytes, default=None)
