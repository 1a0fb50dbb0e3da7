"""The edit menu: what to do with what is selected."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStatusBar

from app.window.pins import Pins
from app.window.selection import Selection

_COPIED_MS = 3000


class EditCommands(QObject):
    """The commands that pin, drop, inspect and copy the selection."""

    inspector_wanted = Signal()

    def __init__(self, selection: Selection, pins: Pins, status_bar: QStatusBar, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._selection, self._pins, self._status_bar = selection, pins, status_bar

    def pin(self) -> None:
        """Keep what is selected, or no longer."""
        self._pins.toggle(self._selection.names)

    def drop_first(self) -> None:
        """Drop what is selected first, or no longer."""
        self._pins.toggle_first(self._selection.names)

    def inspect(self) -> None:
        """Show the selection in the inspector."""
        self.inspector_wanted.emit()

    def copy_name(self) -> None:
        """Copy the selected name to the clipboard, as Java writes it."""
        title = self._selection.title
        if title:
            QGuiApplication.clipboard().setText(title)
            self._status_bar.showMessage(f"Copied: {title}", _COPIED_MS)

    def tree_asked(self, what: str, _item: int) -> None:
        """Show the context menu of the tree."""
        if what not in ("focus", "why"):
            self.inspect()
