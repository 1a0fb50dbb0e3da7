"""Takes back what does not hold any more, and acts on what a check suggests."""

from __future__ import annotations

from contextlib import suppress

from PySide6.QtCore import QObject

from app.engine.run_state import EngineState, RunState
from app.engine.runs import same_check
from app.panels.form.run_panel import RunPanel
from app.window.commands.run_commands import RunCommands
from app.window.layout import WindowLayout
from app.window.presenters.failure_presenter import holds
from app.window.presenters.result_presenter import ResultPresenter
from app.window.presenters.run_presenter import RunPresenter
from core.errors import UsageError


class StalenessPresenter(QObject):
    """The presenter that marks findings of a check as stale: findings hold for the settings of the check, until the
    next check."""

    def __init__(
        self, state: RunState, parts: WindowLayout, results: ResultPresenter, running: RunPresenter, reduce: RunCommands
    ) -> None:
        super().__init__(results)
        self._state, self._parts, self._reduce = state, parts, reduce
        self._results, self._running = results, running
        self._phase = EngineState.EMPTY

    @property
    def _panel(self) -> RunPanel:
        return self._parts.run

    def phase_changed(self, phase: EngineState) -> None:
        """Take back what was said before when something begins: a check, a reduction, the reading of a jar."""
        state = self._state
        former = state.checked_settings is not None and not same_check(state.settings, state.checked_settings)
        for part in (self._panel.best, self._parts.steps, self._parts.report, self._parts.progress):
            part.setEnabled(not (former and state.settings is not None))
        begun, self._phase = phase is not self._phase, phase
        self._parts.set_stale(phase is EngineState.LOADING)
        if phase in (EngineState.CHECKING, EngineState.RUNNING):
            self._panel.stale = False
        if begun and phase in (EngineState.CHECKING, EngineState.LOADING):
            self._results.begun()
            self._running.show_lists()

    def form_changed(self) -> None:
        """Compare the settings of the form with those that were checked."""
        self._results.form_changed()
        with suppress(UsageError):  # a text that no command can have: told at the start
            stale = not holds(self._state, self._panel.form.settings())
            if stale and not self._panel.stale:
                self._results.settings_changed()
            self._panel.stale = stale
        self._panel.show_progress(self._state)
        self._running.show_lists_soon()

    def use_exit(self, code: int) -> None:
        """Ask for that exit code as the failure, and check again."""
        self._panel.form.counts.use_exit(code)
        self._reduce.check()

    def set_timeout(self) -> None:
        """Show the field of the timeout per run, and give it the keyboard once it can be changed."""
        self._parts.show_form()
        form = self._panel.form
        form.how.head.setChecked(True)
        form.limits.setEnabled(True)
        timeout = form.limits.numbers["timeout"]
        timeout.setFocus()
        timeout.selectAll()

    def change_command(self) -> None:
        """Show the field of the command, or the choice of the preset."""
        self._parts.show_form()
        what = self._panel.form.what
        (what.kind if what.preset else what.command).setFocus()
