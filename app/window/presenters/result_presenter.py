"""Tells what came of a check or a reduction, and what to do with it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Signal

from app import text
from app.bug.bugs_dialog import BugsDialog
from app.engine.run_state import EngineState, ItemState, RunState
from app.panels.lists.probe_table import ProbeTable
from app.panels.message_bar import MessageBar
from app.window.pins import Pins
from core.protocol import events
from core.protocol.java_names import java_name
from core.protocol.run_words import EndReason
from core.protocol.wording import by_hand, missing_text

_ENDS: dict[str, str] = {
    EndReason.DONE: "The reduction is done.",
    EndReason.STOPPED: "The reduction was stopped.",
    EndReason.TIME: "The time limit is reached.",
    EndReason.PROBES: "The limit of probes is reached.",
}
_DONE = "The reduction is done."
_NAMED = 3
"""So many lost pins are named."""


class ResultPresenter(QObject):
    """A presenter that fills the bar of messages, and the output of a check below the probes."""

    jar_wanted = Signal()
    """The result is to be exported."""
    bug_wanted = Signal()
    """A bug report is to be exported."""
    output_wanted = Signal()
    """The output of the check is to be seen."""
    exit_wanted = Signal(int)
    """That exit code is the failure."""
    library_wanted = Signal()
    """Libraries are to be added."""

    def __init__(
        self, state: RunState, messages: MessageBar, probes: ProbeTable, pins: Pins, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._messages, self._probes, self._pins = state, messages, probes, pins

    def jar_opened(self) -> None:
        """Withdraw the messages about the previous input."""
        self._messages.withdraw()

    def checked(self, event: events.Checked) -> None:
        """Show the check of the whole input."""
        self._probes.show_text(check_text(event))
        if self._state.phase is EngineState.RUNNING:
            return
        message = event.message
        lack = missing_text(event.missing, event.missing_errors, event.errors)
        if len(event.failures) > 1 and not event.kinds:
            message += f" {text.plural(len(event.failures), 'failure')} found."
        fine = event.interesting and event.stable and not event.empty and not lack
        output = ("Show output", self.output_wanted.emit)
        doing: tuple[str, Callable[[], None]] = ("", lambda: None)
        if lack:
            message, doing = f"{message} {lack}", ("Add library…", self.library_wanted.emit)
        elif event.exit is not None:
            code = event.exit
            message += " If that is the failure, ask for this exit code."
            doing = (f"Use exit code {code}", lambda: self.exit_wanted.emit(code))
        first, second = (doing, output) if doing[0] else (output, doing)
        if fine:
            self._messages.tell(message, "good", about="check")
        else:
            self._messages.tell(message, "warning", *first, *second, about="check")

    def run_failed(self, message: str) -> None:
        """Show that a reduction did not begin. Where its check says why, show the reason with what can be done about
        it.
        """
        checked = self._state.checked
        if checked is not None and not checked.interesting and message.startswith(checked.message):
            self.checked(checked)

    def check_started(self) -> None:
        """Withdraw the messages about the previous check, and clear its output."""
        self._messages.withdraw("check", "run", "result")
        self._probes.show_text("")

    def settings_changed(self) -> None:
        """Withdraw the message of the check, because the message holds for other settings."""
        self._messages.withdraw("check")

    def result_written(self) -> None:
        """Withdraw the offer to write the result, which is on disk now."""
        self._messages.withdraw("result")

    def run_started(self) -> None:
        """Withdraw the messages about the previous run."""
        self._messages.withdraw()
        self._probes.show_text("")

    def run_finished(self, event: events.Finished) -> None:
        """Show that the reduction has ended, for whatever reason."""
        message, kind = event.message, {EndReason.DONE: "good", "failed": "error"}.get(event.reason, "info")
        reduced = bool(self._state.runs) and self._state.runs[-1].reduced
        words = result_text(self._state)
        if words and event.reason != "failed":
            message = words if message == _DONE else f"{message} {words}"
        if not reduced and event.reason != "failed":
            message = f"{_ENDS.get(event.reason, event.message)} No smaller candidate was interesting: no result."
        lost = lost_pins(self._state, self._pins.owners())
        if lost:
            message += f" Pinned, but not in the result: {', '.join(lost[:_NAMED])}."
            kind = "warning"
        if event.reason == "failed" or not reduced:
            self._messages.tell(message, kind, about="run")
        else:
            jar, bug = ("Export jar…", self.jar_wanted.emit), ("Export bug report…", self.bug_wanted.emit)
            self._messages.tell(message, kind, *jar, *bug, about="result", stays=True)

    def queue_ended(self, sentence: str) -> None:
        """Show that all reductions of a queue have ended."""
        self._messages.tell(sentence, "good")

    def bugs_told(self, sentence: str, rows: list[list[str]]) -> None:
        """Offer the table of the bugs behind the failures of a queue."""
        dialog = BugsDialog(rows, self._messages.window())
        self._messages.tell(sentence, "good", "Show bugs…", dialog.show, about="bugs", stays=True)


def result_text(state: RunState) -> str:
    """Return a text such as ``4 of 266 classes, 0.2 % of bytes. Confirmed by a fresh run. 1-minimal in items.``; empty
    without a result.
    """
    jar, finished = state.jar, state.finished
    if jar is None or finished is None or not state.runs or not state.runs[-1].reduced:
        return ""
    left = text.share(finished.bytes, jar.bytes)
    words = [f"{text.count(finished.classes)} of {text.plural(jar.classes, 'class', 'classes')}, {left} of bytes."]
    certificate = finished.report.get("certificate", {})
    if certificate.get("final_checks") and certificate.get("final_interesting") == certificate["final_checks"]:
        words.append("Confirmed by a fresh run.")
    levels = [name for name, verdict in certificate.get("one_minimal", {}).items() if verdict == "yes"]
    if levels:
        words.append(f"1\u2011minimal in {' and '.join(levels)}.")
    return " ".join(words)


def lost_pins(state: RunState, pinned: set[str]) -> list[str]:
    """Return those of the ``pinned`` classes that the best so far does not have, as Java writes them."""
    jar = state.jar
    if jar is None:
        return []
    gone = {jar.names[item] for item in np.flatnonzero(state.states == ItemState.GONE)}
    return sorted(java_name(name) for name in pinned & gone)


def check_text(event: events.Checked) -> str:
    """Return the command to repeat a check and what it printed; what it found is told above the graph."""
    words = [by_hand(event.command), ""] if event.command else []
    for title, output in (("Standard output", event.stdout), ("Standard error", event.stderr)):
        if output.strip():
            words += [title, output.rstrip(), ""]
    if not (event.stdout.strip() or event.stderr.strip()):
        words.append("The command wrote nothing.")
    return "\n".join(words).rstrip()
