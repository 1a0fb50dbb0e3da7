"""The inputs that were opened last."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMenu

from app.user_settings import UserSettings

MOST = 10
_KEY = "recent/inputs"


class Recent(QObject):
    """The recent inputs, kept in the settings and shown in a menu. Inputs that are gone are greyed."""

    def __init__(self, settings: UserSettings, menu: QMenu, open_paths: Callable[[list[str]], None]) -> None:
        super().__init__(menu)
        self._settings, self._menu, self._open = settings, menu, open_paths
        menu.aboutToShow.connect(self._fill)
        self._fill()

    @property
    def inputs(self) -> list[list[str]]:
        """The inputs, newest first: each one or several paths."""
        found = self._settings.value(_KEY, [])
        rows = [found] if isinstance(found, str) else list(found) if isinstance(found, list) else []
        return [row.split(os.pathsep) for row in rows if isinstance(row, str) and row]

    def add(self, paths: list[str]) -> None:
        """Add an input that was opened."""
        inputs = [paths, *(known for known in self.inputs if known != paths)]
        self._settings.set_value(_KEY, [os.pathsep.join(one) for one in inputs[:MOST]])

    def _reopen(self, paths: list[str], _checked: bool = False) -> None:
        self._open(paths)

    def _fill(self) -> None:
        menu = self._menu
        menu.clear()
        for number, paths in enumerate(self.inputs, 1):
            more = f" and {len(paths) - 1} more" if paths[1:] else ""
            words = f"&{number % 10} {Path(paths[0]).name}{more}"
            action = menu.addAction(words)
            action.triggered.connect(partial(self._reopen, paths))
            action.setToolTip("\n".join(paths))
            action.setStatusTip(paths[0])
            action.setEnabled(all(Path(path).exists() for path in paths))
        if menu.isEmpty():
            menu.addAction("(empty)").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("&Clear the list", lambda: self._settings.set_value(_KEY, []))
