"""Offers to resume what was interrupted: a session that was left open or is opened, an engine that has ended."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal

from app import text
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.form.run_form import RunForm
from app.panels.message_bar import MessageBar
from app.window.presenters.pin_presenter import PinPresenter
from core.protocol import events
from core.protocol.settings import Settings


class SessionPresenter(QObject):
    """Nothing of a session runs before the user has seen its command and has pressed the button."""

    start_wanted = Signal()
    form_wanted = Signal()
    """The form was filled and has to be seen."""

    def __init__(self, controller: Controller, messages: MessageBar, form: RunForm, pins: PinPresenter) -> None:
        super().__init__(controller)
        self._controller, self._messages, self._form, self._pins = controller, messages, form, pins
        self._offer = ("", "")
        """The session that is being opened and what it runs: offered, with a button, once its jar is read."""

    def left_open(self, found: events.Sessions) -> None:
        """Offer the latest of the sessions that never ended."""
        if not found.paths or self._controller.state.phase is not EngineState.EMPTY:
            return
        path, best = found.paths[0], text.size(found.bytes[0])
        self._messages.tell(
            f"A reduction of {found.titles[0]} was interrupted; its best so far has {best}. Open it to resume?",
            "info",
            "Open",
            lambda: self._controller.open_session(path),
            "Discard",
            lambda: self._controller.discard_session(path),
        )

    def restored(self, event: events.Restored) -> None:
        """Take the settings of the session that is being opened."""
        settings = event.settings
        self._form.set_settings(settings)
        self._pins.restore(list(settings.keep), list(settings.drop_first))
        self.form_wanted.emit()
        what = "To resume, this session runs" if event.interrupted else "This session runs"
        self._offer = (event.path, f"{what} the following in {event.folder}:\n{command_text(settings)}")

    def jar_opened(self) -> None:
        """Show the offer of a session after the warnings of its input."""
        QTimer.singleShot(0, self._show_offer)

    def _show_offer(self) -> None:
        (path, words), self._offer = self._offer, ("", "")
        jar = self._controller.state.jar
        if path and path == self._controller.session and jar is not None:
            kind = "warning" if jar.warnings else "info"
            self._messages.tell("\n".join([*jar.warnings[:1], words]), kind, "Start", self.start_wanted.emit)

    def crashed(self, sentence: str) -> None:
        """Offer to start the engine again, and to resume, since the engine has ended."""
        session = self._controller.session if len(self._controller.state.steps) > 1 else ""
        self._messages.tell(
            sentence,
            "error",
            "Restart the engine",
            self._controller.restart,
            "Restart and open the session" if session else "",
            lambda: self._controller.restart(session),
        )


def command_text(settings: Settings) -> str:
    """Return the whole command, or the preset with all filled-in values."""
    words = settings.predicate
    if settings.preset:
        words = ", ".join([settings.preset, *(f"{name}={value}" for name, value in settings.options.items())])
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in words)
