"""Asks the engine for the jars of missing packages, and shows the answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Signal

from app.engine.controller import Controller
from app.presenter import Presenter
from core.protocol import events
from core.protocol.questions.background import FindLibraries
from core.words import some_of

_NAMED = 4
"""Number of packages that a sentence names."""


class MissingLibraries(Presenter):
    """The jars with the packages that the last run missed. ``libraries`` are those of the form."""

    found = Signal()
    """The answer of the engine is here."""

    _controller: Controller
    _libraries: Callable[[], Sequence[str]]

    def _set_up(self) -> None:
        self.where = ""
        """Sentences on the places of the packages; empty as long as nothing is known."""
        self.jars: list[str] = []
        """Paths of jars to add."""

    def forget(self) -> None:
        """Forget the last answer, and one that may still come."""
        self._controller.forget(FindLibraries)
        self.where, self.jars = "", []

    def ask(self, packages: Sequence[str]) -> None:
        """Ask for the places of packages; an earlier answer does not count any more."""
        self.forget()
        if packages:
            self._controller.ask(FindLibraries(tuple(packages), tuple(self._libraries())), self._answered)

    def button(self) -> str:
        """Return the words of the button that adds the found jars."""
        if not self.jars:
            return "Add library…"
        return f"Add {Path(self.jars[0]).name}" if len(self.jars) == 1 else f"Add {len(self.jars)} jars"

    def _answered(self, event: events.LibrariesFound) -> None:
        self.where, self.jars = where_text(event.packages, bool(self._libraries())), list(event.jars)
        self.found.emit()


def where_text(packages: Sequence[events.Whereabouts], given: bool) -> str:
    """Return sentences on jars with missing packages, and on packages without a jar. ``given``: libraries were given,
    in which they are missing still."""
    by_jar: dict[str, list[str]] = {}
    for one in packages:
        if one.jar:
            by_jar.setdefault(one.jar, []).append(one.package)
    said = [f"{jar} has {some_of(names, _NAMED)}." for jar, names in by_jar.items()]
    for one in packages:
        if one.given and not one.jar:
            name = Path(one.given).name
            said.append(f"{name} has {one.package}, but not all of its classes: another version?")
    nowhere = [one.package for one in packages if not one.jar and not one.given]
    if nowhere and given:
        said.append(f"Still not found in the libraries: {some_of(nowhere, _NAMED)}.")
    elif nowhere:
        said.append(f"No jar beside the input or in the local Maven repository has {some_of(nowhere, _NAMED)}.")
    return " ".join(said)
