"""Shows an input that is being read, then one that is open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from PySide6.QtWidgets import QLabel, QStackedWidget, QWidget

from app import text
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState
from app.panels.empty_page import EmptyPage
from app.window.bookmarks import Recent


class ShowsJar(Protocol):
    """A part of the window that shows an input."""

    def set_jar(self, jar: OpenedJar) -> None:
        """Show another one."""


class LoadingPresenter:
    """A presenter that chooses between the empty page, with the progress of the reading, and the ``view`` of the
    input."""

    def __init__(self, controller: Controller, pages: QStackedWidget, empty: EmptyPage, view: QWidget) -> None:
        self._controller, self._pages, self._empty, self._view = controller, pages, empty, view

    def show_phase(self, phase: EngineState) -> None:
        """Show the page that fits what the engine does."""
        loading = phase is EngineState.LOADING
        self._empty.set_loading(self._name if loading else None)
        opened = self._controller.state.jar is not None and not loading
        self._pages.setCurrentWidget(self._view if opened else self._empty)

    def show_loaded(self, done: int, total: int) -> None:
        """Show the number of class files of the input that are read."""
        self._empty.set_loading(self._name, done, total)

    @property
    def _name(self) -> str:
        return Path(self._controller.paths[0]).name


class JarPresenter:
    """A presenter that gives an input to ``parts``, and shows the input's size on the status bar."""

    def __init__(self, controller: Controller, parts: Sequence[ShowsJar], facts: QLabel, recent: Recent) -> None:
        self._controller, self._parts, self._facts, self._recent = controller, parts, facts, recent

    def show_jar(self, jar: OpenedJar) -> None:
        """Show another input."""
        for part in self._parts:
            part.set_jar(jar)
        self._facts.setText(jar_facts(jar))
        if not self._controller.session:
            self._recent.add(self._controller.paths)


def jar_facts(jar: OpenedJar) -> str:
    """Return classes, dependencies and cycles of an input, and its reading time, in one line."""
    facts = [
        text.plural(jar.classes, "class", "classes"),
        text.plural(len(jar.edge_from), "dependency", "dependencies"),
        text.plural(int((np.diff(jar.members.starts) > 1).sum()), "cycle"),
        f"read in {text.seconds(jar.seconds)}",
    ]
    return " · ".join(facts)
