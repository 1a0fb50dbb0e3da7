"""The situations of the window, and which docks are in sight in each of them."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QDockWidget, QMainWindow

from app.user_settings import UserSettings

LAYOUT_VERSION = 4
"""Raised when the docks change, so that an old saved layout is not forced on new docks."""

_BOTH = 1250
"""Width of a window that has room for the tree beside the form and the page, in pixels."""
NARROW = ("tree", "components")
"""Docks that a narrower window leaves out beside the form."""
SITUATIONS: dict[str, tuple[str, ...]] = {
    "start": (),
    "explore": ("tree", "components", "inspector"),
    "reduce": ("tree", "components", "run", "progress"),
    "bug": ("progress",),
    "alone": (),
}
"""Names of the docks in sight in each situation, until the user shows others there."""


class Situations:
    """The docks of each situation: at first those of :data:`SITUATIONS`, later as the user left them there."""

    def __init__(self, window: QMainWindow) -> None:
        self._window = window
        self.name = "start"
        self._before = "explore"
        """Situation before the page was alone."""
        self._kept: dict[str, QByteArray] = {}
        """Docks of the situations that were left."""

    def enter(self, name: str, docks: Iterable[QDockWidget]) -> bool:
        """Show the docks of a situation. Return True if they are in sight for the first time: they need their sizes."""
        if name == self.name:
            return False
        self._keep()
        self.name = name
        if name in self._kept and self._window.restoreState(self._kept[name], LAYOUT_VERSION):
            return False
        left_out = NARROW if name == "reduce" and self._window.width() < _BOTH else ()
        for dock in docks:
            dock.setVisible(dock.objectName() in SITUATIONS[name] and dock.objectName() not in left_out)
        return True

    def beside_alone(self) -> str:
        """Return the situation of the page alone, or from there the one before."""
        alone = self.name == "alone"
        self._before, name = self.name, self._before if alone else "alone"
        return name

    def restore(self, settings: UserSettings) -> None:
        """Restore the docks of the last time."""
        for name in SITUATIONS:
            docks = settings.value(f"window/docks/{name}")
            if isinstance(docks, QByteArray):
                self._kept[name] = docks

    def remember(self, settings: UserSettings) -> None:
        """Keep the docks for the next time."""
        self._keep()
        for name, docks in self._kept.items():
            settings.set_value(f"window/docks/{name}", docks)

    def _keep(self) -> None:
        self._kept[self.name] = self._window.saveState(LAYOUT_VERSION)
