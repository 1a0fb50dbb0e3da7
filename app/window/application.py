"""Runs the window: application, crash log, one main window."""

from __future__ import annotations

import gc
import signal
import sys

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.crashlog import CrashLog
from app.theme import icons
from app.window.instance import Instance, hand_over
from app.window.main_window import MainWindow
from core.version import VERSION


def run_window(paths: list[str], sample: bool) -> int:
    """Open the window, with ``paths`` or the sample in it; returns the exit code when it is closed."""
    if hand_over(paths):
        return 0
    be_calm()
    existing = QApplication.instance()
    application = existing if isinstance(existing, QApplication) else QApplication(sys.argv[:1])
    application.setApplicationName("Jarlet")
    application.setApplicationDisplayName("Jarlet")
    application.setApplicationVersion(VERSION)
    application.setOrganizationName("Jarlet")
    application.setDesktopFileName("jarlet")
    application.setWindowIcon(icons.emblem())
    log = CrashLog()
    window = MainWindow()
    log.watch(lambda sentence: window.parts.messages.tell(sentence, "error"))
    beat = _let_python_see_signals(window)
    ear = Instance(window.take_paths, application)
    window.show()
    if paths:
        window.commands.file.open_paths(paths)
    elif sample:
        window.commands.file.open_sample()
    try:
        return int(application.exec())
    finally:
        ear.close()
        beat.stop()
        window.controller.shut_down()
        log.close()


def be_calm() -> None:
    """Keep Python's own doings short enough for a window: turns of other threads, and garbage collections."""
    # The reader's thread gives the interpreter back sooner while it parses a long line.
    sys.setswitchinterval(0.001)
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def _let_python_see_signals(window: MainWindow) -> QTimer:
    """Let Ctrl+C and a polite kill close the window: Python runs its handlers only between its own instructions."""

    def leave() -> None:
        window.controller.shut_down()  # nobody is there to be asked
        QApplication.quit()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: QTimer.singleShot(0, leave))
    beat = QTimer(window)
    beat.timeout.connect(lambda: None)
    beat.start(250)
    return beat
