"""Shows the result of a check or a trial as long as it holds, and the possible remedies for a check without end."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QTabWidget

from app import text, words
from app.engine.controller import Controller
from app.engine.run_state import EngineState, RunState
from app.engine.runs import same_check
from app.panels.form.run_form import RunForm
from app.panels.form.run_panel import RunPanel, checking_words
from app.panels.lists.failure_list import FailureList, FailureRow
from app.panels.lists.probe_table import ProbeTable, output_text
from app.panels.message_bar import MessageBar, MessageButton
from app.presenter import Presenter
from app.widgets import made
from app.window.bug_queue import BugQueue
from app.window.commands.run_commands import RunCommands
from app.window.layout import WindowLayout
from app.window.presenters.result_presenter import ResultPresenter
from app.window.presenters.run_presenter import RunPresenter
from app.window.selection import Selection
from core.errors import UsageError
from core.protocol.java_names import java_name
from core.protocol.questions.background import CommandTried, TryCommand
from core.protocol.settings import Settings
from core.protocol.wording import tells_other

_STALE = "The settings have changed since the check that found these failures. Run the check again."

OF_LIBRARY = "none: of a missing library"
"""Words in place of a reduced jar, for a failure that is no bug."""


@dataclass(eq=False)
class FailurePresenter:
    """A presenter that fills the list of failures, its tab's title and the form's choice."""

    _form: RunForm
    _failures: FailureList
    _tabs: QTabWidget
    _queue: BugQueue

    def show_state(self, state: RunState) -> None:
        """Show the failures of this input."""
        settings = self._form.settings()
        rows = failure_rows(state, self._queue.results, settings.also_interesting)
        self._failures.show_rows(rows, self._form.names_failures, "" if holds(state, settings) else _STALE)
        self._form.failures.offer([row.name for row in rows])
        self._tabs.setTabText(self._tabs.indexOf(self._failures), failures_title(state))


def holds(state: RunState, settings: Settings) -> bool:
    """Return True if the findings of the last check hold for these settings. The choice of wanted failures does not
    matter."""
    checked = state.checked_settings
    return checked is None or same_check(checked, settings)


def failures_title(state: RunState) -> str:
    """Return ``Failures (11)``, those of the input; with others that probes met ``Failures (11 + 7 new)``."""
    new = sum(bool(probe) for probe in state.met.values())
    parts = [str(number) for number in (len(state.met) - new,) if number] + ([f"{new} new"] if new else [])
    return f"Failures ({' + '.join(parts)})" if parts else "Failures"


def failure_rows(state: RunState, results: dict[str, str], other_code: int | None) -> list[FailureRow]:
    """Return a row per failure: the seen ones, then those with nothing but a result of the queue.

    ``other_code`` is the exit code of other failures, which no reduction can keep.
    """
    made = dict.fromkeys(state.checked.of_libraries, OF_LIBRARY) if state.checked is not None else {}
    made |= {one["failure"]: one["jar"] for one in state.finished.report["others"]} if state.finished else {}
    seen = [
        FailureRow(
            name,
            f"run {probe}" if probe else "in the input",
            results.get(name) or made.get(name, ""),
            not tells_other(name, other_code),
        )
        for name, probe in state.met.items()
    ]
    return seen + [FailureRow(name, "", words) for name, words in results.items() if name not in state.met]


AFTER_MS = 10_000
"""Milliseconds of a check after which a command may be thought to hang, and between two words on it."""


class HangPresenter(Presenter):
    """A presenter that waits for the end of the check, alone or before a search."""

    stop_wanted = Signal()
    limit_wanted = Signal()
    """The field of the timeout per run is to be seen."""

    _state: RunState
    _messages: MessageBar
    _may_hang: Callable[[], bool]
    """Function that returns True while a command of the user's runs without a time limit."""

    def _set_up(self) -> None:
        self._since = 0.0
        self.timer = made(QTimer(self), interval=AFTER_MS, timeout=self._tell)

    def phase_changed(self, phase: EngineState) -> None:
        """Begin to wait when a check begins, and end the wait with it."""
        if self._checking:
            self._since = time.monotonic()
            self.timer.start()
        else:
            self.over()

    def progressed(self) -> None:
        """End the wait once the search has begun."""
        if not self._checking:
            self.over()

    def over(self) -> None:
        """Withdraw the message."""
        self.timer.stop()
        self._messages.withdraw("hang")

    @property
    def _checking(self) -> bool:
        """True during a check: of one by itself, steps are those of an earlier run."""
        phase = self._state.phase
        return phase is EngineState.CHECKING or (phase is EngineState.RUNNING and not self._state.steps)

    def _tell(self) -> None:
        if not self._checking:
            return
        now = time.monotonic()
        words = (
            f"The check has not ended after {text.seconds(now - self._since)}. {checking_words(self._state)}".rstrip()
        )
        buttons, advice = [MessageButton("Stop", self.stop_wanted.emit)], "A large jar takes longer: wait, or stop it."
        if self._may_hang():
            buttons.append(MessageButton("Set a timeout…", self._stop_and_limit))
            advice = "A command that waits for input never ends: stop it, and set a timeout per run."
        self._messages.tell(f"{words} {advice}", "info", *buttons, about="hang")

    def _stop_and_limit(self) -> None:
        self.stop_wanted.emit()
        self.limit_wanted.emit()


class TrialPresenter(Presenter):
    """The presenter of a trial: of the selected class, or the first one. Only the newest trial is told."""

    output_wanted = Signal()
    """The output of the trial is to be seen."""

    _controller: Controller
    _selection: Selection
    _messages: MessageBar
    _probes: ProbeTable
    _reduce: RunCommands

    def ask(self) -> None:
        """Run the command once, if the form is complete and a jar is open."""
        jar = self._controller.state.jar
        if self._controller.state.phase is not EngineState.READY:
            self._messages.tell("Open a jar first: the command is tried on one class of it.", "info", about="form")
        elif self._reduce.complete():
            item = self._selection.item
            chosen = item if item >= 0 and jar.is_class[item] else int(jar.is_class.argmax())
            name = java_name(jar.names[chosen])
            self._messages.tell(f"Trying the command on {name}…", "info", about="check")
            self._controller.ask(
                TryCommand(self._reduce.settings(), jar.names[chosen]),
                self._tried,
                lambda problem: self._messages.tell(f"{name}: {problem}", "warning", about="check"),
            )

    def _tried(self, event: CommandTried) -> None:
        if self._controller.state.phase is not EngineState.READY:
            return
        more = f" and {text.classes(event.classes - 1)} that it needs" if event.classes > 1 else ""
        said = words.verdict(event.verdict)
        sentence = (
            f"{java_name(event.item)}{more}, run once: {said} ({event.detail}), after {text.seconds(event.seconds)}. "
            "One class need not fail; the output shows whether the command does what you want."
        )
        self._probes.show_text(output_text(event))
        self._messages.tell(sentence, "info", MessageButton("Show output", self.output_wanted.emit), about="check")


@dataclass(eq=False)
class StalenessPresenter:
    """The presenter that marks findings of a check as stale: findings hold for the settings of the check, until the
    next check."""

    _state: RunState
    _parts: WindowLayout
    _results: ResultPresenter
    _running: RunPresenter
    _reduce: RunCommands
    _phase: EngineState = EngineState.EMPTY

    @property
    def _panel(self) -> RunPanel:
        return self._parts.run

    def phase_changed(self, phase: EngineState) -> None:
        """Withdraw earlier messages when something begins: a check, a reduction, the reading of a jar."""
        state = self._state
        former = state.checked_settings is not None and not same_check(state.settings, state.checked_settings)
        former = phase is EngineState.CHECKING or (former and state.settings is not None)
        parts = self._parts
        for part in (self._panel.best, parts.steps, parts.report, parts.progress, parts.failures):
            part.setDisabled(former)
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
        form.limits.fields["timeout"].widget.setFocus(Qt.FocusReason.TabFocusReason)  # all of it is selected

    def change_command(self) -> None:
        """Show the field of the command, or the choice of the preset."""
        self._parts.show_form()
        what = self._panel.form.what
        (what.kind if what.preset else what.command).setFocus()
