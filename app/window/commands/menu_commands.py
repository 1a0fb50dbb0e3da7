"""The menus for the selection, the views of the graph, and help."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QStatusBar, QWidget

from app.dialogs.help import AboutDialog, HelpDialog, ShortcutsDialog
from app.graph.view import GraphView
from app.panels.message_bar import MessageBar
from app.window.pins import Pins
from app.window.selection import Selection
from core.user_folders import state_folder

_COPIED_MS = 3000
_CLOSER, _FARTHER = 1.25, 0.8


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
        """Show in the inspector what the context menu of the tree asks for, unless the graph shows it all."""
        if what not in ("focus", "why"):
            self.inspect()


class ViewCommands:
    """The commands that show views of the graph, which ``show_graph`` brings to the front."""

    def __init__(self, graph: GraphView, show_graph: Callable[[], None]) -> None:
        self._graph, self._show_graph = graph, show_graph

    def show(self, view: str) -> None:
        """Show a view of the graph."""
        self._show_graph()
        self._graph.show_view(view)

    def tree_asked(self, what: str, item: int) -> None:
        """Show in the graph what the context menu of the tree asks of a class: ``focus``, ``why`` or ``cycle``."""
        questions = {"focus": self._graph.focus, "why": self._graph.why, "cycle": self._graph.show_cycle}
        if what in questions:
            self._show_graph()
            questions[what](item)

    def zoom_in(self) -> None:
        """Enlarge the graph."""
        self._graph.zoom(_CLOSER)

    def zoom_out(self) -> None:
        """Shrink the graph."""
        self._graph.zoom(_FARTHER)


class HelpCommands:
    """The commands that open dialogs over ``window``; ``actions`` gives what the shortcuts are read off."""

    def __init__(self, window: QWidget, messages: MessageBar, actions: Callable[[], Iterable[QAction]]) -> None:
        self._window, self._messages, self._actions = window, messages, actions
        self.pages: HelpDialog | None = None
        """The help pages, once they were asked for."""

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
