"""The file menu: inputs to open, sessions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QMimeData, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from app import sample
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import StepSummary, key_of
from app.panels.message_bar import MessageBar, MessageButton
from app.presenter import Presenter
from app.window.commands.named_files import JARS, SESSION, FileChooser, dropped, is_session
from core.errors import JarletError
from core.outside_names import file_name_like
from core.protocol.questions.exports import ExportStep
from core.user_folders import inputs_folder


class FileCommands(Presenter):
    """The commands that open files: they ask for names, and hand them to the controller."""

    window_wanted = Signal(list)
    """Another window is to be opened, with these files in it."""
    command_wanted = Signal(str)
    """A program is to be the command that shows the failure."""
    predicate_found = Signal(dict)
    """The sample comes with its own predicate."""
    predicate_left = Signal(dict)
    """Another input is opened: settings for the last one alone go, such as the sample's predicate."""

    _controller: Controller
    _chooser: FileChooser
    _messages: MessageBar

    def _set_up(self) -> None:
        self._chooser.given = self._place
        self.may_leave: Callable[[], bool] = lambda: True
        """Function that returns True if the present result may go; set by the window."""
        self._sample: dict[str, Any] = {}
        """The predicate of the sample while that is the input."""

    # -- opening ------------------------------------------------------------------------

    def choose_jar(self) -> None:
        """Ask for jars and open them."""
        patterns = f"Java archives (*{' *'.join(JARS)});;All files (*)"
        paths = self._chooser.files("open", "Open jar", patterns)
        if paths:
            self.open_paths(paths)

    def choose_folder(self) -> None:
        """Ask for a folder of classes and open it."""
        path = self._chooser.folder("open", "Open class folder")
        if path:
            self.open_paths([path])

    def open_paths(self, paths: list[str], *, asks: bool = True) -> None:
        """Open files as one input; the folder of a session as that. While a reduction runs, another window can.
        ``asks``: a result that was not exported does not go without a question."""
        if self._controller.state.phase.busy:
            self._messages.tell(
                "A check or a reduction is running here: open the other jar in a window of its own, or stop first.",
                "warning",
                MessageButton("Open in a new window", lambda: self.window_wanted.emit(paths)),
                about="input",
            )
            return
        if asks:
            if not self.may_leave():
                return
            self.predicate_left.emit(self._sample)
            self._sample = {}
        if len(paths) == 1 and is_session(paths[0]):
            self._controller.open_session(paths[0])
        else:
            self._controller.open(paths)

    def drop(self, data: QMimeData) -> None:
        """Open the dropped files, or tell the reason against it."""
        files = dropped(data)
        if files.paths:
            self.open_paths(list(files.paths))
        elif files.program:
            path = files.program
            use = MessageButton("Use it as the command", lambda: self.command_wanted.emit(path))
            self._messages.tell(files.problem, "warning", use, about="input")
        else:
            self._messages.tell(files.problem, "warning", about="input")

    def open_nested(self) -> None:
        """Read the input again, with the jars inside it opened."""
        self._controller.open(list(self._controller.paths), nested=True)

    def open_sample(self) -> None:
        """Open our own failing program and fill in its predicate."""
        try:
            jar, predicate = sample.jar(), sample.predicate()
        except (JarletError, OSError, KeyError, ValueError) as error:
            self._messages.tell(str(error), "error")
            return
        self.open_paths([str(jar)])
        if self._controller.state.phase is EngineState.LOADING:
            self._sample = predicate
            self.predicate_found.emit(predicate)

    def open_step(self, step: StepSummary) -> None:
        """Open an accepted step as an input of its own."""
        jar = self._controller.state.jar
        if self.may_leave():
            name = f"{file_name_like(Path(jar.title).stem)}-step-{step.probe}-{step.bytes}-bytes{jar.end}"
            wish = ExportStep(str(inputs_folder() / name), key_of(step))
            self._controller.ask(wish, lambda event: self.open_paths([event.path], asks=False))  # may_leave has asked

    def new_window(self) -> None:
        """Open another window, for another jar."""
        self.window_wanted.emit([])

    # -- sessions -----------------------------------------------------------------------

    def choose_session(self) -> None:
        """Ask for a session's folder and open it."""
        path = self._chooser.folder("session", "Open session")
        if path and self.may_leave():
            self._controller.open_session(path)

    def save_session(self) -> None:
        """Ask for the place of the session from here on."""
        if not self._controller.session:
            self._messages.tell("There is no session to save yet: start a reduction first.", "info")
            return
        name = f"{Path(self._controller.state.jar.title).stem}{SESSION}"
        path, _ = self._chooser.target("session", "Save session as", name, f"Jarlet session (*{SESSION})")
        if path:
            self._controller.save_session(path)

    def _place(self) -> str:
        """Return the folder of the input; empty for an input of ours."""
        paths = [Path(path) for path in self._controller.state.jar.paths]
        if not paths or paths[0].parent == inputs_folder() or paths[0] == sample.built():
            return ""
        return str(paths[0].absolute().parent)


def open_folder(path: str) -> None:
    """Show a folder in the desktop's file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))
