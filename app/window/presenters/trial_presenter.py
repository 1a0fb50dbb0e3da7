"""Tries the command of the form on one class, and tells what came of it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from app import text, words
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.lists.probe_table import ProbeTable
from app.panels.message_bar import MessageBar, MessageButton
from app.window.selection import Selection
from core.protocol.java_names import java_name
from core.protocol.questions.background import CommandTried, TryCommand
from core.protocol.settings import Settings


class TrialPresenter(QObject):
    """The presenter of a trial: of the selected class, or the first one. Only the newest trial is told."""

    output_wanted = Signal()
    """The output of the trial is to be seen."""

    def __init__(self, controller: Controller, selection: Selection, messages: MessageBar, probes: ProbeTable) -> None:
        super().__init__(controller)
        self._controller, self._selection = controller, selection
        self._messages, self._probes = messages, probes

    def ask(self, complete: Callable[[], bool], settings: Callable[[], Settings]) -> None:
        """Run the command once, if the form is complete and a jar is open."""
        jar = self._controller.state.jar
        if jar is None or self._controller.state.phase is not EngineState.READY:
            self._messages.tell("Open a jar first: the command is tried on one class of it.", "info", about="form")
        elif complete():
            item = self._selection.item
            chosen = item if item >= 0 and jar.is_class[item] else int(jar.is_class.argmax())
            name = java_name(jar.names[chosen])
            self._messages.tell(f"Trying the command on {name}…", "info", about="check")
            self._controller.ask(
                TryCommand(settings(), jar.names[chosen]),
                self._tried,
                lambda problem: self._messages.tell(f"{name}: {problem}", "warning", about="check"),
            )

    def _tried(self, event: CommandTried) -> None:
        if self._controller.state.phase is not EngineState.READY:
            return
        more = f" and {text.plural(event.classes - 1, 'class', 'classes')} that it needs" if event.classes > 1 else ""
        said = words.verdict(event.verdict)
        sentence = (
            f"{java_name(event.item)}{more}, run once: {said} ({event.detail}), after {text.seconds(event.seconds)}. "
            "One class need not fail; the output shows whether the command does what you want."
        )
        self._probes.show_text(output_text(event.stdout, event.stderr))
        self._messages.tell(sentence, "info", MessageButton("Show output", self.output_wanted.emit), about="check")


def output_text(stdout: str, stderr: str) -> str:
    """Return both outputs of a run under their titles."""
    parts = (("Standard output", stdout), ("Standard error", stderr))
    shown = [f"{title}\n{output.rstrip()}\n" for title, output in parts if output.strip()]
    return "\n".join(shown).rstrip() or "The command wrote nothing."
