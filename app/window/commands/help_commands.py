"""The help menu: help pages, shortcuts, log folder, about."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QWidget

from app.dialogs.about import AboutDialog
from app.dialogs.help import HelpDialog
from app.dialogs.shortcuts import ShortcutsDialog
from app.panels.message_bar import MessageBar
from core.user_folders import state_folder


class HelpCommands:
    """The commands that open dialogs over ``window``; ``actions`` gives what the shortcuts are read off."""

    def __init__(self, window: QWidget, messages: MessageBar, actions: Callable[[], Iterable[QAction]]) -> None:
        self._window, self._messages, self._actions = window, messages, actions
        self.pages: HelpDialog | None = None
        """The help pages, once they were asked for."""

    def show_start(self) -> None:
        """Show the first help page."""
        self.show_page("start")

    def show_page(self, name: str) -> None:
        """Show a help page."""
        if self.pages is None:
            self.pages = HelpDialog(self._actions(), self._window)
        self.pages.open_page(name)
        self.pages.show()
        self.pages.activateWindow()

    def show_shortcuts(self) -> None:
        """Show all keyboard shortcuts."""
        ShortcutsDialog(self._actions(), self._window).exec()

    def show_logs(self) -> None:
        """Show the folder of the log files."""
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(state_folder())))
        self._messages.tell(f"The log files are in {state_folder()}.", "info")

    def show_about(self) -> None:
        """Show versions and licences."""
        AboutDialog(self._window).exec()
