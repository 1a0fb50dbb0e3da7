"""A result that is in no file of the user's: the window asks before it goes."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from app import text
from app.dialogs.closing import ClosingDialog
from app.dialogs.leaving import LeavingDialog
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.window.bug_queue import BugQueue


class UnexportedResult:
    """The last result while only its session has it. ``export`` asks where to write it."""

    def __init__(self, controller: Controller, queue: BugQueue, export: Callable[[], None], window: QWidget) -> None:
        self._controller, self._queue, self._export, self._window = controller, queue, export, window
        self._there = False

    def run_finished(self) -> None:
        """Note the result of a run. Results of a queue are written by the queue."""
        state = self._controller.state
        reduced = bool(state.runs) and state.runs[-1].reduced and not state.nothing_left
        self._there = reduced and not self._queue.running

    def forget(self) -> None:
        """Forget the result: it was written, or another input is open."""
        self._there = False

    def may_leave(self, doing: str) -> bool:
        """Return True if there is no such result, or the user leaves it. ``doing``: the words for what comes next."""
        state = self._controller.state
        if not self._there or state.jar is None or state.phase is EngineState.DEAD or state.finished is None:
            return True
        best = text.plural(state.finished.classes, "class", "classes")
        answer = LeavingDialog(best, doing, bool(self._controller.session), self._window).answer()
        if answer == "export":
            self._export()
        return answer == "go"

    def may_close(self) -> bool:
        """Return True if the window may close. Ask first if a reduction runs, or if there is such a result."""
        state = self._controller.state
        if not state.phase.reducing:
            return self.may_leave("&Close")
        best = text.plural(state.best().classes, "class", "classes")
        return ClosingDialog(best, bool(self._controller.session), self._window).stop_wanted()
