"""Menus kept for the next time: bookmarks of an input, and the last opened inputs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from app.engine.run_state import RunState
from app.presenter import Presenter
from app.user_settings import UserSettings
from app.window.selection import Selection
from core.protocol.java_names import item_title

_INPUTS = 10
_KEY = "recent/inputs"


class Recent(Presenter):
    """The recent inputs, kept in the settings and shown in a menu. Inputs that are gone are greyed."""

    _settings: UserSettings
    _menu: QMenu
    _open: Callable[[list[str]], None]

    def _set_up(self) -> None:
        self._menu.aboutToShow.connect(self._fill)
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
        self._settings.set_value(_KEY, [os.pathsep.join(one) for one in inputs[:_INPUTS]])

    def _fill(self) -> None:
        menu = self._menu
        menu.clear()
        for number, paths in enumerate(self.inputs, 1):
            more = f" and {len(paths) - 1} more" if paths[1:] else ""
            words = f"&{number % 10} {Path(paths[0]).name}{more}"
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, paths=paths: self._open(paths))
            action.setToolTip("\n".join(paths))
            action.setStatusTip(paths[0])
            action.setEnabled(all(Path(path).exists() for path in paths))
        if menu.isEmpty():
            menu.addAction("(empty)").setEnabled(False)
        else:
            menu.addSeparator()
            menu.addAction("&Clear the list", lambda: self._settings.set_value(_KEY, []))


MOST = 40
"""Bookmarks of one input."""


class Bookmarks(Presenter):
    """The menu of the bookmarks of the opened input."""

    _settings: UserSettings
    _state: RunState
    _selection: Selection
    _menu: QMenu

    def _set_up(self) -> None:
        self.toggle = self._menu.addAction("&Bookmark the selection")
        self.toggle.setShortcut(QKeySequence("Ctrl+Shift+K"))
        self.toggle.setToolTip("Add the selected class or member, or remove it")
        self.toggle.triggered.connect(self._toggle)
        self._menu.aboutToShow.connect(self._fill)
        self._selection.changed.connect(self._enable)
        self._enable()

    @property
    def names(self) -> list[str]:
        """The bookmarks of the opened input, the latest first."""
        kept = self._settings.value(self._key, [])
        return [str(name) for name in kept] if isinstance(kept, list) else [str(kept)]

    @property
    def _key(self) -> str:
        return f"bookmarks/{self._state.jar.title}"

    def _toggle(self) -> None:
        name = self._selection.name
        if not name:
            return
        names = self.names
        names = [one for one in names if one != name] if name in names else [name, *names][:MOST]
        self._settings.set_value(self._key, names)

    def _enable(self) -> None:
        """Follow the selection, not the menu: the shortcut works while the menu is closed."""
        self.toggle.setEnabled(bool(self._selection.name))

    def _fill(self) -> None:
        for action in self._menu.actions()[1:]:
            self._menu.removeAction(action)
        marked = self._selection.name in self.names
        self.toggle.setText("Remove the &bookmark" if marked else "&Bookmark the selection")
        if not self.names:
            return
        self._menu.addSeparator()
        for name in self.names:
            visit = self._menu.addAction(item_title(name)).triggered
            visit.connect(lambda _=False, name=name: self._selection.select_name(name))
