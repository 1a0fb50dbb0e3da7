"""Files that the user names: chosen in a dialog, taken by the form, dropped on the window."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, Signal
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QFileDialog, QLineEdit, QPlainTextEdit, QWidget

from app.panels.form.run_form import RunForm
from app.panels.message_bar import MessageBar
from app.presenter import Presenter
from app.user_settings import UserSettings


class FileChooser:
    """``purpose`` is the key of the remembered folder: ``open``, ``export``, ``libraries``. With a name behind a slash
    a purpose has a folder of its own as long as the window is open."""

    def __init__(self, parent: QWidget, settings: UserSettings) -> None:
        self._parent, self._settings = parent, settings
        self._chosen: dict[str, str] = {}
        """The last folder of each purpose since the window was opened."""
        self.given: Callable[[], str] = str
        """Function that returns the folder of the open input, empty if there is none."""

    def files(self, purpose: str, title: str, patterns: str, beside: str = "") -> list[str]:
        """Return the files that are there; none = the user changed their mind. The folder ``beside`` is shown if none
        was chosen before."""
        paths, _ = QFileDialog.getOpenFileNames(self._parent, title, self._folder(purpose, beside), patterns)
        self._remember(purpose, *paths[:1])
        return paths

    def file(self, purpose: str, title: str, patterns: str) -> str:
        """Return a file that is there, empty = none."""
        path, _ = QFileDialog.getOpenFileName(self._parent, title, self._folder(purpose), patterns)
        self._remember(purpose, path)
        return path

    def folder(self, purpose: str, title: str) -> str:
        """Return a folder that is there, empty = none."""
        path = QFileDialog.getExistingDirectory(self._parent, title, self._folder(purpose))
        self._remember(purpose, path)
        return path

    def target(self, purpose: str, title: str, name: str, patterns: str, beside: str = "") -> tuple[str, str]:
        """Return the chosen place, empty if there is none, and the chosen pattern. ``name`` is the suggestion, in the
        folder ``beside`` if none was chosen before and the user may write there."""
        start = str(_writable(self._folder(purpose, beside)) / name)
        path, pattern = QFileDialog.getSaveFileName(self._parent, title, start, patterns)
        self._remember(purpose, path)
        return path, pattern

    def new_folder(self, title: str, name: str) -> str:
        """Return the place of a folder that is to be made, empty = none. A number makes the suggested name free."""
        place = _writable(self._folder("export"))
        names = itertools.chain([name], (f"{name}-{number}" for number in itertools.count(2)))
        free = next(each for each in names if not (place / each).exists())
        return self.target("export", title, free, "New folder (*)")[0]

    def _folder(self, purpose: str, otherwise: str = "") -> str:
        return self._chosen.get(purpose) or otherwise or self._last(purpose)

    def _last(self, purpose: str) -> str:
        """Return the last used folder for the purpose; else that of the open input, else the current one."""
        used = str(self._settings.value(f"folders/{purpose.partition('/')[0]}", ""))
        known = (folder for folder in (used, self.given()) if folder and Path(folder).is_dir())
        return next(known, "") or str(_current())

    def _remember(self, purpose: str, path: str = "") -> None:
        """Remember the folder of a chosen file for the purpose; an empty path is no choice."""
        if path:
            folder = self._chosen[purpose] = str(Path(path).parent)
            self._settings.set_value(f"folders/{purpose.partition('/')[0]}", folder)


def _writable(folder: str) -> Path:
    """Return a folder, or the next best one if the user may not write there."""
    places = (Path(folder), _current(), Path.home())
    return next((place for place in places if os.access(place, os.W_OK)), places[0])


def _current() -> Path:
    """Return the current folder; if a desktop has started the program in the root, the user's own."""
    current = Path.cwd()
    return current if current != Path(current.anchor) else Path.home()


TEMPLATE = """#!/bin/sh
# Exit code 0: the failure is there. Another one: it is not. 125: cannot tell.
# $1 is the candidate, a jar. Replace the tool, and the text that only the failure writes.
java -jar /path/to/tool.jar "$1" >out.txt 2>&1
grep -q "NullPointerException" out.txt
"""
"""A script to start from."""


class FormFiles(Presenter):
    """The commands that ask for files and put them into the form. Libraries are looked for beside the input, other
    files beside the last one."""

    form_wanted = Signal()
    """The form has to be seen: libraries are added there."""
    libraries_added = Signal()
    """Libraries that a run lacked are in the form."""
    known_chosen = Signal(str)
    """This file of known bugs is to be compared with the bugs of the queue."""

    _chooser: FileChooser
    _form: RunForm
    _messages: MessageBar

    def choose_program(self) -> None:
        """Ask for a program, and make it the command."""
        path = self._chooser.file("command", "Command that shows the failure", "All files (*)")
        if path:
            self._form.what.use_program(path)

    def write_script(self) -> None:
        """Ask for a place, write a script to start from, and make it the command."""
        path, _ = self._chooser.target("command", "Script template", "check.sh", "Shell script (*.sh)")
        if not path:
            return
        script = Path(path)
        try:
            script.write_text(TEMPLATE, encoding="utf-8")
            script.chmod(0o755)
        except OSError as error:
            self._messages.tell(f"{path}: cannot be written ({error.strerror or error}).", "error", about="form")
            return
        self._form.what.use_program(path)

    def choose_libraries(self) -> bool:
        """Ask for libraries, and add them. Return True if any of them was not there."""
        beside = self._chooser.given()
        pattern = "Java archives (*.jar *.zip);;All files (*)"
        chosen = self._chooser.files(f"libraries/{beside}", "Libraries of the input", pattern, beside)
        return self._form.library.add(chosen)

    def add_libraries(self, jars: list[str]) -> None:
        """Add the missing libraries of a run; without ``jars``, the user's choice."""
        self.form_wanted.emit()
        if self._form.library.add(jars) if jars else self.choose_libraries():
            self.libraries_added.emit()

    def choose_known(self) -> None:
        """Ask for a file of known bugs."""
        path = self._chooser.file("known", "Known bugs", "Known bugs (*.json);;All files (*)")
        if path:
            self.known_chosen.emit(path)


JARS = (".jar", ".war", ".zip", ".ear", ".aar", ".jmod", ".class", "pom.xml")
SESSION = ".jarlet"


@dataclass(frozen=True, slots=True)
class DroppedFiles:
    """Inputs among the dropped files, as paths. If anything else is with them, nothing is opened: ``problem`` says why,
    and ``program`` is a file that can be the command."""

    paths: tuple[str, ...] = ()
    problem: str = ""
    program: str = ""


def dropped(data: QMimeData) -> DroppedFiles:
    """Return the files of a drop, sorted out."""
    if not all(url.isLocalFile() for url in data.urls()):
        return DroppedFiles(problem="Only files of this computer can be dropped: download it first.")
    paths = [url.toLocalFile() for url in data.urls()]
    sessions = [path for path in paths if is_session(path)]
    if sessions and len(paths) > 1:
        return DroppedFiles(problem=f"{_file_name(sessions[0])} is a session: drop it alone.")
    others = [path for path in paths if not (Path(path).is_dir() or path.lower().endswith(JARS))]
    if not others:
        return DroppedFiles(tuple(paths))
    return _refused(others, alone=len(paths) == 1)


def _refused(others: Sequence[str], alone: bool) -> DroppedFiles:
    """Return the reason why files are no input."""
    first, name = Path(others[0]), _file_name(others[0])
    if not first.exists():
        return DroppedFiles(problem=f"There is no file {first}.")
    if alone and os.access(first, os.X_OK):
        return DroppedFiles(
            problem=f"{name} is a program and no jar. It can be the command that shows the failure.", program=str(first)
        )
    kinds = ", ".join(JARS)
    rest = "" if alone else " Nothing was opened."
    return DroppedFiles(problem=f"{name} is no jar: drop a file that ends in {kinds}, or a folder of classes.{rest}")


def is_session(path: str) -> bool:
    """Return True if a path is the folder of a session."""
    return path.rstrip("/").endswith(SESSION) and Path(path).is_dir()


def _file_name(path: str) -> str:
    return Path(path).name


class DropGuard(QObject):
    """A filter that hands files dropped on a text field on to the window: their names are no text for the field."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        for field in (*window.findChildren(QLineEdit), *window.findChildren(QPlainTextEdit)):
            (field.viewport() if isinstance(field, QPlainTextEdit) else field).installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QDropEvent) and event.mimeData().hasUrls():
            event.ignore()  # so it goes on to the parent of the field
            return True
        return False
