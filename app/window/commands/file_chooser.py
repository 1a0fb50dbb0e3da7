"""Asks for names of files and folders, and begins where the user was last."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.user_settings import UserSettings


class FileChooser:
    """``purpose`` names what the folder is remembered for: ``open``, ``export``, ``libraries``. With a name behind a
    slash a purpose has a folder of its own as long as the window is open."""

    def __init__(self, parent: QWidget, settings: UserSettings) -> None:
        self._parent, self._settings = parent, settings
        self._chosen: dict[str, str] = {}
        """The last folder of each purpose since the window was opened."""
        self.given: Callable[[], str] = str
        """Function that returns the folder of the open input, empty if there is none."""

    def files(self, purpose: str, title: str, patterns: str, beside: str = "") -> list[str]:
        """Return the files that are there; none = the user changed their mind. The folder ``beside`` is shown where
        none was chosen before."""
        paths, _ = QFileDialog.getOpenFileNames(self._parent, title, self._folder(purpose, beside), patterns)
        if paths:
            self._remember(purpose, Path(paths[0]).parent)
        return paths

    def file(self, purpose: str, title: str, patterns: str) -> str:
        """Return a file that is there, empty = none."""
        path, _ = QFileDialog.getOpenFileName(self._parent, title, self._folder(purpose), patterns)
        if path:
            self._remember(purpose, Path(path).parent)
        return path

    def folder(self, purpose: str, title: str) -> str:
        """Return a folder that is there, empty = none."""
        path = QFileDialog.getExistingDirectory(self._parent, title, self._folder(purpose))
        if path:
            self._remember(purpose, Path(path).parent)
        return path

    def target(self, purpose: str, title: str, name: str, patterns: str, beside: str = "") -> tuple[str, str]:
        """Return the chosen place, empty if there is none, and the chosen pattern. ``name`` is the suggestion, in the
        folder ``beside`` where none was chosen before and the user may write there."""
        start = str(_writable(self._folder(purpose, beside)) / name)
        path, pattern = QFileDialog.getSaveFileName(self._parent, title, start, patterns)
        if path:
            self._remember(purpose, Path(path).parent)
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
        """Return the folder that was used last for the purpose; else that of the open input, else the current one."""
        used = str(self._settings.value(f"folders/{purpose.partition('/')[0]}", ""))
        known = (folder for folder in (used, self.given()) if folder and Path(folder).is_dir())
        return next(known, "") or str(_current())

    def _remember(self, purpose: str, folder: Path) -> None:
        self._chosen[purpose] = str(folder)
        self._settings.set_value(f"folders/{purpose.partition('/')[0]}", str(folder))


def _writable(folder: str) -> Path:
    """Return a folder, or the next best one if the user may not write there."""
    places = (Path(folder), _current(), Path.home())
    return next((place for place in places if os.access(place, os.W_OK)), places[0])


def _current() -> Path:
    """Return the current folder; where a desktop has started the program in the root, the user's own."""
    current = Path.cwd()
    return current if current != Path(current.anchor) else Path.home()
