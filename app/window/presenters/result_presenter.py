"""Tells what came of a check or a reduction, and what to do with it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QObject, Signal

from app import text
from app.engine.run_state import EngineState, ItemState, RunState
from app.panels.lists.probe_table import ProbeTable
from app.panels.message_bar import MessageBar
from app.window.pins import Pins
from core.protocol import events
from core.protocol.java_names import java_name

_NAMED = 3
"""So many lost pins are named."""


class ResultPresenter(QObject):
    """Writes into the bar of messages, and the output of a check below the probes."""

    jar_wanted = Signal()
    """The result is to be exported."""
    bug_wanted = Signal()
    """A bug report is to be exported."""

    def __init__(
        self, state: RunState, messages: MessageBar, probes: ProbeTable, pins: Pins, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._state, self._messages, self._probes, self._pins = state, messages, probes, pins

    def jar_opened(self) -> None:
        """What was said of another input is past."""
        self._messages.hide()

    def checked(self, event: events.Checked) -> None:
        """The command ran on the whole input."""
        self._probes.show_text(check_text(event))
        if self._state.phase is EngineState.RUNNING:
            return
        message = event.message
        if len(event.failures) > 1:
            message += f" {text.plural(len(event.failures), 'failure')} found: see the Failures tab."
        self._messages.tell(message, "good" if event.interesting and event.stable else "warning")

    def run_started(self) -> None:
        """What was said of the run before is past."""
        self._messages.hide()

    def run_finished(self, event: events.Finished) -> None:
        """The reduction has ended, for whatever reason."""
        message, kind = event.message, {"done": "good", "failed": "error"}.get(event.reason, "info")
        lost = lost_pins(self._state, self._pins.owners())
        if lost:
            message += f" Pinned, but not in the result: {', '.join(lost[:_NAMED])}."
            kind = "warning"
        if event.reason == "failed":
            self._messages.tell(message, kind)
        else:
            self._messages.tell(
                message, kind, "Export jar…", self.jar_wanted.emit, "Export bug report…", self.bug_wanted.emit
            )

    def queue_ended(self, sentence: str) -> None:
        """All reductions of a queue have ended."""
        self._messages.tell(sentence, "good")


def lost_pins(state: RunState, pinned: set[str]) -> list[str]:
    """Those of the ``pinned`` classes that the best so far does not have, as Java writes them."""
    jar = state.jar
    if jar is None:
        return []
    gone = {jar.names[item] for item in np.flatnonzero(state.states == ItemState.GONE)}
    return sorted(java_name(name) for name in pinned & gone)


def check_text(event: events.Checked) -> str:
    """What a check found, the command to repeat it, and what it printed."""
    words = [event.message]
    if event.command:
        words += ["", "To repeat it by hand:", event.command]
    for title, output in (("Standard output", event.stdout), ("Standard error", event.stderr)):
        if output.strip():
            words += ["", title, output.rstrip()]
    return "\n".join(words)
