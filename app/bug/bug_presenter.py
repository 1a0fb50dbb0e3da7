"""Keeps the page of the bug in step with the best so far."""

from __future__ import annotations

from collections.abc import Callable

from app.bug.bug_view import NO_FAILURE, BugView
from app.bug.bug_words import NEW, OF_LIBRARY
from app.engine.controller import Controller
from app.engine.run_state import EngineState, RunState
from app.presenter import Presenter
from app.widgets import Soon
from core.errors import UsageError
from core.protocol import events
from core.protocol.questions.bug import ShowBug
from core.protocol.settings import Settings

_CHECKING = (
    "Running the tool on the whole jar…",
    "Its failure is shown here in the source once it is known.",
)
_AGAIN_MS = 400
"""Steps that come within this time are shown as one."""


class BugPresenter(Presenter):
    """The presenter of the failure in the source, which asks the engine while the page is seen. ``settings`` says what
    the form holds, as a run would take it."""

    _controller: Controller
    _view: BugView
    _settings: Callable[[], Settings]

    def _set_up(self) -> None:
        self._of_run: Settings | None = None
        self._asked = 0
        """Number of the last question."""
        self._stale = True
        self._soon = Soon(self, _AGAIN_MS, self._ask)
        self._controller.phase_changed.connect(self._phase_changed)
        self._view.beside_wanted.connect(self._ask_for_other)
        self._view.became_visible.connect(self._ask_soon)

    def jar_opened(self) -> None:
        """Forget the failure of the previous input."""
        self._of_run = None
        self._view.clear(*NO_FAILURE)
        self._stale = True

    def run_started(self) -> None:
        """Wait for the check of the reduction that begins: its failure is not known yet."""
        self._of_run = None
        self._controller.forget(ShowBug)
        self._view.clear(*_CHECKING)
        self._stale = True

    def checked(self, event: events.Checked) -> None:
        """Look for a failure in the check that has ended, if it found one."""
        if event.interesting:
            self._of_run = self._now()
            self.refresh()
        else:
            self._of_run = None
            self._controller.forget(ShowBug)
            self._view.clear(*NO_FAILURE)

    def refresh(self) -> None:
        """Ask for the page again soon: the best so far, or the text beside it, has changed."""
        self._stale = True
        self._ask_soon()

    def _phase_changed(self, phase: EngineState) -> None:
        if self._view.page is None and self._stale and not self._soon.isActive():
            self._view.clear(*(_CHECKING if phase.busy else NO_FAILURE))
        if not phase.busy:
            self._ask_soon()  # the stop of a reduction has ended the page of its best too

    def _ask_for_other(self) -> None:
        self._controller.forget(ShowBug)
        self.refresh()

    def _ask_soon(self) -> None:
        if self._stale and self._of_run is not None and self._view.isVisible():
            self._wait()
            self._soon.ask()

    def _wait(self) -> None:
        self._view.wait(self._controller.state.best().classes)

    def _now(self) -> Settings | None:
        try:
            return self._settings()
        except UsageError:
            return None

    def _ask(self) -> None:
        state = self._controller.state
        if self._of_run is None or not self._controller.has_input or not self._view.isVisible():
            return
        self._stale = False
        self._wait()
        beside = str(self._view.beside.currentData() or "")
        self._asked += 1
        asked = self._asked
        failures = tuple(state.checked.failures) if state.checked is not None else ()
        self._controller.ask(
            ShowBug(self._of_run, failures, beside),
            lambda page: self._show(page, asked),
            lambda problem: self._show(events.BugShown(problem=problem), asked),
            earlier=True,
        )

    def _show(self, event: events.BugShown, asked: int) -> None:
        self._stale |= event.stopped
        self._view.show_page(event, _apart(self._controller.state))
        if asked < self._asked or (self._stale and not event.stopped):  # of an earlier step: better than none
            self._wait()


def _apart(state: RunState) -> dict[str, str]:
    """Return the failures that are none of the chosen bug, as the check and the report of the last run tell them, each
    with the reason."""
    final = state.finished.report.get("final", {}) if state.finished is not None else {}
    lost = [*(state.checked.of_libraries if state.checked is not None else ()), *final.get("of_libraries", ())]
    return dict.fromkeys(lost, OF_LIBRARY) | dict.fromkeys(final.get("new", ()), NEW)
