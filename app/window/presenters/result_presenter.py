"""Shows the result of a check or a reduction, and the next steps."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtCore import Signal

from app import text
from app.bug.dialogs import BugsDialog
from app.engine.run_state import EngineState, ItemState, RunState
from app.panels.lists.probe_table import ProbeTable, output_text
from app.panels.message_bar import MessageBar, MessageButton
from app.presenter import Presenter
from app.window.commands.file_commands import open_folder
from app.window.missing_libraries import MissingLibraries
from app.window.pins import Pins
from app.window.presenters.run_end import Remedy, end_of
from core.protocol import events
from core.protocol.java_names import java_name
from core.protocol.wording import NOTHING_TO_REDUCE, WARNING, by_hand, missing_text

_NAMED = 3
"""Number of lost pins that are named."""


class ResultPresenter(Presenter):
    """A presenter that fills the bar of messages, and the output of a check below the probes."""

    jar_wanted = Signal()
    """The result is to be exported."""
    bug_wanted = Signal()
    """A bug report is to be exported."""
    output_wanted = Signal()
    """The output of the check is to be seen."""
    exit_wanted = Signal(int)
    """That exit code is the failure."""
    limit_wanted = Signal()
    """The field of the timeout per run is to be seen."""
    library_wanted = Signal(list)
    """Libraries are to be added: these jars, or those that the user chooses if there are none."""
    without_wanted = Signal()
    """The reduction is to start without the missing libraries."""
    command_wanted = Signal()
    """The command is to be changed."""
    check_wanted = Signal()
    start_wanted = Signal()
    known_wanted = Signal()
    """A file of known bugs is to be chosen and compared with the bugs of the queue."""
    failures_wanted = Signal()
    """The failures that the check has found are to be seen."""
    bug_shown = Signal()
    """The failure is to be seen in the source."""

    _state: RunState
    _messages: MessageBar
    _probes: ProbeTable
    _pins: Pins
    _libraries: MissingLibraries

    def _set_up(self) -> None:
        self._last: Callable[[], None] = lambda: None
        """Function that shows the last message on a check or a result once more."""
        self._written, self._opening, self._complete = "", MessageButton("", lambda: None), True
        """Sentence on the results of the last queue, and the button that opens their folder."""
        self.bugs: BugsDialog | None = None
        """The table of the bugs of the last queue."""
        self._libraries.found.connect(self._say_where)

    def jar_opened(self) -> None:
        """Withdraw the messages about the previous input."""
        self._libraries.forget()
        self._messages.withdraw()

    def checked(self, event: events.Checked) -> None:
        """Show the check of the whole input."""
        self._probes.show_text(check_text(event))
        if event.stopped:
            self._messages.tell(
                event.message, "info", MessageButton("Show output", self.output_wanted.emit), about="check"
            )
            return
        if self._state.phase is EngineState.RUNNING:
            return
        self._libraries.ask(event.missing)
        self._last = lambda: self._tell_checked(event)
        self._last()

    def _tell_checked(self, event: events.Checked) -> None:
        message = event.message.replace("is interesting", "runs as before") if self._state.must_run else event.message
        lack = missing_text(event.missing, event.missing_errors, event.errors)
        if len(event.failures) > 1 and not event.kinds:
            message += f" {text.counted(len(event.failures), 'failure')} found."
        fine = event.interesting and event.stable and not event.doubts and not event.empty and not lack
        output = MessageButton("Show output", self.output_wanted.emit)
        doing: list[MessageButton] = []
        if lack:
            doing = [MessageButton(self._libraries.button(), self._add_libraries)]
            if event.interesting:
                doing.append(MessageButton("Reduce without", self.without_wanted.emit))
        elif event.verdict == "timed out":
            doing = [MessageButton("Set a timeout…", self.limit_wanted.emit)]
        elif event.exit is not None and event.stable:
            code = event.exit
            message += " If that is the failure, ask for this exit code."
            doing = [MessageButton(f"Use exit code {code}", lambda: self.exit_wanted.emit(code))]
        # The bar shows the first sentence: a reason to ask, if there is one.
        told, _, doubts = message.partition(WARNING)
        message = " ".join(filter(None, [lack, self._libraries.where, text.capital(doubts), told.strip()]))
        if fine and len(set(event.kinds)) > 1:  # one of them may be wanted, or a jar for each
            self._messages.tell(
                message, "good", MessageButton("Show failures", self.failures_wanted.emit), about="check"
            )
        elif fine:
            self._messages.tell(message, "good", about="check")
        else:
            self._messages.tell(message, "warning", *doing, output, about="check")

    def _add_libraries(self) -> None:
        self.library_wanted.emit(list(self._libraries.jars))

    def _say_where(self) -> None:
        """Show the last message once more, if it is still there, with the jars of the missing packages."""
        if self._messages.about in ("check", "result") and not self._messages.isHidden():
            self._last()

    def run_failed(self, message: str) -> None:
        """Show that a reduction was refused. If its check has the reason, show that with the remedies."""
        checked = self._state.checked
        if message.startswith(NOTHING_TO_REDUCE):
            change = MessageButton(Remedy.COMMAND.value, self.command_wanted.emit)
            self._messages.tell(message, "warning", change, about="run")
        elif checked is not None and message.startswith(refused_text(checked)):
            self.checked(checked)

    def begun(self) -> None:
        """Withdraw all messages and the output of the last check: something begins."""
        self._libraries.forget()
        self._messages.withdraw()
        self._probes.show_text("")

    def settings_changed(self) -> None:
        """Withdraw the message of the check, because the message holds for other settings."""
        self._messages.withdraw("check")

    def form_changed(self) -> None:
        """Withdraw the message on a missing field of the form."""
        self._messages.withdraw("form")

    def result_written(self) -> None:
        """Withdraw the offer to write the result, which is on disk now."""
        self._messages.withdraw("result")

    def run_finished(self, event: events.Finished) -> None:
        """Show that the reduction has ended, for whatever reason."""
        end = end_of(self._state)
        if end.exportable:
            self._libraries.ask(list(event.report.get("final", {}).get("missing", {})))
        self._last = self._tell_end
        self._last()
        if end.exportable and not self._state.must_run:
            self.bug_shown.emit()

    def _tell_end(self) -> None:
        end = end_of(self._state, self._libraries.where)
        message, kind = end.message, end.kind
        lost = lost_pins(self._state, self._pins.owners())
        if lost:
            message += f" Pinned, but not in the result: {', '.join(lost[:_NAMED])}."
            kind = "warning"
        doing: dict[Remedy, MessageButton] = {
            Remedy.COMMAND: MessageButton(Remedy.COMMAND.value, self.command_wanted.emit),
            Remedy.LIBRARY: MessageButton(self._libraries.button(), self._add_libraries),
            Remedy.CHECK: MessageButton(Remedy.CHECK.value, self.check_wanted.emit),
            Remedy.GO_ON: MessageButton(Remedy.GO_ON.value, self.start_wanted.emit),
        }
        helps = [choice for remedy, choice in doing.items() if remedy is end.remedy]
        if not end.exportable:
            self._messages.tell(message, kind, *helps, about="run")
            return
        jar = MessageButton("Export jar…", self.jar_wanted.emit)
        bug = MessageButton("Export bug report…", self.bug_wanted.emit)
        self._messages.tell(message, kind, *helps, jar, bug, about="result", stays=True)

    @property
    def words(self) -> str:
        """The sentences that are shown now."""
        return self._messages.text.text()

    def queue_ended(self, sentence: str, folder: Path, complete: bool) -> None:
        """Show that all reductions of a queue have ended, with the folder of the results; ``complete``: each failure
        has its jar."""
        self._written, self._complete = sentence, complete
        self._opening = MessageButton("Open folder", lambda: open_folder(str(folder)))
        self._messages.tell(sentence, "good" if complete else "warning", self._opening)

    def bugs_told(self, sentence: str, rows: list[list[str]]) -> None:
        """Offer the table of the bugs behind the failures of a queue; without rows, tell why there is none."""
        if not rows:
            self._messages.tell(sentence, "warning", about="bugs")
        elif self.bugs is not None and self.bugs.isVisible():
            self.bugs.show_bugs(sentence, rows)
        else:
            self.bugs = BugsDialog(sentence, rows, self._messages.window())
            self.bugs.known_wanted.connect(self.known_wanted)
            show = MessageButton("Show bugs…", self.bugs.show)
            words = f"{self._written} {sentence}".strip()
            kind = "good" if self._complete else "warning"
            self._messages.tell(words, kind, show, self._opening, about="bugs", stays=True)


def refused_text(checked: events.Checked) -> str:
    """Return the beginning of the message by which a check refuses a reduction."""
    if not checked.interesting:
        return checked.message
    return missing_text(checked.missing, checked.missing_errors, checked.errors) or checked.message


def lost_pins(state: RunState, pinned: set[str]) -> list[str]:
    """Return those of the ``pinned`` classes that the best so far does not have, as Java writes them."""
    gone = {state.jar.names[item] for item in np.flatnonzero(state.states == ItemState.GONE)}
    return sorted(java_name(name) for name in pinned & gone)


def check_text(event: events.Checked) -> str:
    """Return the command to repeat a check, and its output. The result of the check is told in the status bar."""
    words = [by_hand(event.command), ""] if event.command else []
    return "\n".join([*words, output_text(event)])
