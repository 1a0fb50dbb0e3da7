"""Results that are in no file of the user's: the window asks before they go."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from app import sample, text
from app.dialogs.questions import KEPT, KEPT_AS_STEP, LOST, ClosingDialog, LeavingDialog
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import RunRecord, StepSummary
from app.window.bug_queue import BugQueue


class UnexportedResult:
    """The smallest result of all runs since the last export, while only the session has it. ``export`` asks where to
    write it."""

    def __init__(
        self, controller: Controller, queue: BugQueue, export: Callable[[StepSummary], None], window: QWidget
    ) -> None:
        self._controller, self._queue, self._export, self._window = controller, queue, export, window
        self._runs: list[RunRecord] = []
        """The runs whose results were not exported."""

    def run_finished(self) -> None:
        """Note the result of a run. Results of a queue are written by the queue; the sample is there to try."""
        state = self._controller.state
        if state.jar is None or sample.is_sample(Path(state.jar.sources[0])):
            return
        if state.runs and state.runs[-1].reduced and not self._queue.running:
            self._runs.append(state.runs[-1])

    def forget(self) -> None:
        """Forget the results: one was written, or another input is open."""
        self._runs.clear()

    def may_leave(self, doing: str) -> bool:
        """Return True if there is no such result, or the user leaves it. ``doing``: the words for what comes next."""
        state, result = self._controller.state, self._smallest()
        if result is None or state.jar is None or state.phase is EngineState.DEAD:
            return True
        best = text.plural(result.classes, "class", "classes")
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
        classes = text.plural(best.classes, "class", "classes")
        return ClosingDialog(classes, bool(self._controller.session), self._window).stop_wanted()

    def _smallest(self) -> StepSummary | None:
        """Return the smallest result that was not exported."""
        return min((run.steps[-1] for run in self._runs), key=lambda step: step.bytes, default=None)
