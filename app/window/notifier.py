"""Tells the desktop that a long run has ended while the user was elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication, QMainWindow, QSystemTrayIcon

LONG = 60.0
"""Seconds of a run from which on its end is told outside of the window."""

_SHOWN_MS = 15_000


class Notifier(QObject):
    """The teller of a window: the task bar marks the window, and the desktop shows a sentence where it can."""

    told = Signal(str)

    def __init__(self, window: QMainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._tray: QSystemTrayIcon | None = None

    def tell(self, sentence: str, seconds: float) -> None:
        """Tell the end of a run that took so long, unless the window is in front."""
        if seconds < LONG or self._window.isActiveWindow():
            return
        QApplication.alert(self._window)
        if QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages():
            if self._tray is None:
                self._tray = QSystemTrayIcon(self._window.windowIcon(), self)
                self._tray.messageClicked.connect(self._come)
            self._tray.show()
            self._tray.showMessage("Jarlet", sentence, self._window.windowIcon(), _SHOWN_MS)
        self.told.emit(sentence)

    def _come(self) -> None:
        self._window.activateWindow()
        if self._tray is not None:
            self._tray.hide()
