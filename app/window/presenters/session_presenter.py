"""Offers to resume interrupted work: an opened session, a session left open, an engine that has ended."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QListWidget,
    QWidget,
)

from app import text
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.form.run_form import RunForm
from app.panels.message_bar import MessageBar, MessageButton
from app.presenter import Presenter
from app.widgets import STRETCH, add_row, button, column_of, made, row_of
from app.window.commands.file_commands import open_folder
from app.window.pins import PinPresenter
from core.protocol import events
from core.protocol.settings import Settings
from core.words import in_line


class SessionsDialog(QDialog):
    """A list of sessions, newest first within interrupted and finished ones. Nothing of a session runs when it is
    opened."""

    open_wanted = Signal(str)
    folder_wanted = Signal(str)
    discard_wanted = Signal(str)

    def __init__(self, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Sessions and results")
        self.resize(560, 380)
        self.list = made(
            QListWidget(),
            accessibleName="Sessions",
            itemActivated=lambda _: self._emit(self.open_wanted),
            itemSelectionChanged=self._enable,
        )
        self.note = made(QLabel(), muted=True, wordWrap=True)
        tip = "Open the input with the session's settings; nothing is run"
        self.open_button = made(button("&Open", tip, lambda: self._emit(self.open_wanted)), default=True)
        tip = "Show the session's folder, which has best.jar and report.json"
        self.folder_button = button("Open &folder", tip, lambda: self._emit(self.folder_wanted))
        tip = "Remove the session and its result"
        self.discard_button = button("&Discard", tip, lambda: self._emit(self.discard_wanted))
        self.close_button = button("Close", "", self.close)
        row = row_of(self.open_button, self.folder_button, self.discard_button, STRETCH, self.close_button)
        column_of((self.list, 1), self.note, row, owner=self, margins=None)
        self._enable()

    def show_sessions(self, found: events.Sessions) -> None:
        """Show other sessions."""
        self.list.clear()
        for one in found.kept:
            add_row(self.list, session_title(one), one.path, one.path)
        self.note.setText("" if found.kept else "No reduction has been kept yet.")
        if found.kept:
            self.list.setCurrentRow(0)
        self._enable()

    def _emit(self, signal: object) -> None:
        item = self.list.currentItem()
        if item is not None:
            signal.emit(str(item.data(Qt.ItemDataRole.UserRole)))  # type: ignore[attr-defined]
            if signal is not self.folder_wanted:
                self.close()

    def _enable(self) -> None:
        for one in (self.open_button, self.folder_button, self.discard_button):
            one.setEnabled(self.list.currentItem() is not None)


def session_title(one: events.KeptSession) -> str:
    """Return ``app.jar, 5.3 kB, 24 Nov 18:05, interrupted``."""
    when = time.strftime("%d %b %H:%M", time.localtime(one.time))
    return f"{one.title}, {text.size(one.bytes)}, {when}, {'finished' if one.finished else 'interrupted'}"


class SessionPresenter(Presenter):
    """Nothing of a session runs before the user has seen its command and has pressed the button."""

    start_wanted = Signal()
    form_wanted = Signal()
    """The form was filled and has to be seen."""
    jar_wanted = Signal()
    """The result of the session is to be exported."""
    open_wanted = Signal(list)

    _controller: Controller
    _messages: MessageBar
    _form: RunForm
    _pins: PinPresenter

    def _set_up(self) -> None:
        self._offer = ("", "")
        """The opened session and the command that it runs: offered, with a button, once its jar is read."""
        self._told = False
        """True if the user was asked once."""
        self.dialog: SessionsDialog | None = None

    def left_open(self, found: events.Sessions) -> None:
        """Offer the latest of the sessions that never ended."""
        self.dialog_shows(found)
        latest = next(iter(found.kept), None)
        if latest is None or latest.finished or self._told or self._controller.state.phase is not EngineState.EMPTY:
            return
        self._told = True
        path, best = latest.path, text.size(latest.bytes)
        self._messages.tell(
            f"A reduction of {latest.title} was interrupted; its smallest jar so far has {best}. Open it to resume?",
            "info",
            MessageButton("Open", lambda: self._controller.open_session(path)),
            MessageButton("Discard", lambda: self._controller.discard_session(path)),
        )

    def restored(self, event: events.Restored) -> None:
        """Take the settings of the session that is being opened."""
        settings = event.settings
        self._form.set_settings(settings)
        self._pins.restore(list(settings.keep), list(settings.drop_first))
        self.form_wanted.emit()
        what = "To resume, this session runs" if event.interrupted else "This session runs"
        left = "smallest jar so far" if event.interrupted else "result"
        size = f"The {left} has {text.size(event.best)}. " if event.best else ""
        self._offer = (event.path, f"{size}{what} the following in {event.folder}:\n{command_text(settings)}")

    def jar_opened(self) -> None:
        """Show the offer of a session after the warnings of its input."""
        QTimer.singleShot(0, self._show_offer)

    def _show_offer(self) -> None:
        (path, words), self._offer = self._offer, ("", "")
        jar = self._controller.state.jar
        if path and path == self._controller.session:
            kind = "warning" if jar.warnings else "info"
            buttons = [MessageButton("Start", self.start_wanted.emit)]
            if self._controller.state.reduced:
                buttons.append(MessageButton("Export jar…", self.jar_wanted.emit))
            text_ = "\n".join([*jar.warnings[:1], words])
            self._messages.tell(text_, kind, *buttons)

    def show_all(self) -> None:
        """Show the list of sessions and results."""
        if self.dialog is None:
            self.dialog = SessionsDialog(self._messages.window())
            self.dialog.open_wanted.connect(lambda path: self.open_wanted.emit([path]))
            self.dialog.folder_wanted.connect(open_folder)
            self.dialog.discard_wanted.connect(self._controller.discard_session)
        self._controller.list_sessions()
        self.dialog.show()
        self.dialog.activateWindow()

    def dialog_shows(self, found: events.Sessions) -> None:
        """Show the sessions in the list, if it is there."""
        if self.dialog is not None:
            self.dialog.show_sessions(found)

    def crashed(self, sentence: str) -> None:
        """Offer to start the engine again, and to resume, since the engine has ended."""
        session = self._controller.session if len(self._controller.state.steps) > 1 else ""
        self._messages.tell(
            sentence,
            "error",
            MessageButton("Restart the engine", self._controller.restart),
            MessageButton("Restart and open the session" if session else "", lambda: self._controller.restart(session)),
        )


def command_text(settings: Settings) -> str:
    """Return the whole command, or the preset with all filled-in values."""
    words = settings.predicate
    if settings.preset:
        words = ", ".join([settings.preset, *(f"{name}={value}" for name, value in settings.options.items())])
    return in_line(words)
