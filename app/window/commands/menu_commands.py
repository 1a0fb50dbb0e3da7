"""The menus for the selection and for help."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from app.dialogs.help import AboutDialog, HelpDialog
from app.panels.message_bar import MessageBar
from app.window.layout import WindowLayout
from app.window.pins import Pins
from app.window.selection import Selection
from core.user_folders import state_folder

_COPIED_MS = 3000


@dataclass(eq=False)
class EditCommands:
    """The commands that pin, drop and copy the selection."""

    _selection: Selection
    _pins: Pins
    _parts: WindowLayout

    def pin(self) -> None:
        """Keep the selected items, or no longer."""
        self._pins.toggle(self._selection.names)

    def drop_first(self) -> None:
        """Let the search drop the selected items first, or no longer."""
        self._pins.toggle_first(self._selection.names)

    def copy_name(self) -> None:
        """Copy the selected name to the clipboard, as Java writes it."""
        title = self._selection.title
        if title:
            QGuiApplication.clipboard().setText(title)
            self._parts.status_bar.showMessage(f"Copied: {title}", _COPIED_MS)

    def asked(self, what: str, _item: int) -> None:
        """Show the answer to a menu's question on a class: in the inspector, or in the graph."""
        if what == "inspect":
            self._parts.show_inspector()
        else:
            self._parts.centre.show_graph()


@dataclass(eq=False)
class HelpCommands:
    """The commands that open dialogs over the window."""

    _window: QWidget
    _messages: MessageBar
    _actions: Callable[[], Iterable[QAction]]
    """Function that returns the actions with the shortcuts to list."""
    pages: HelpDialog | None = None
    """The help pages, once they were asked for."""

    def show_page(self, name: str) -> None:
        """Show a help page."""
        if self.pages is None:
            self.pages = HelpDialog(self._actions(), self._window)
        self.pages.open_page(name)
        self.pages.show()
        self.pages.activateWindow()

    def show_logs(self) -> None:
        """Show the folder of the log files."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(state_folder())))
        self._messages.tell(f"The log files are in {state_folder()}.", "info")

    def show_about(self) -> None:
        """Show versions and licences."""
        AboutDialog(self._window).exec()
