"""Runs the window: application, crash log, one main window."""

from __future__ import annotations

import faulthandler
import gc
import logging
import signal
import sys
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from app.theme import icons
from app.window.instance import Instance, hand_over
from app.window.main_window import MainWindow
from core.user_folders import state_folder
from core.version import VERSION


class CrashLog:
    """The owner of the log files while the window lives; ``close`` puts everything back."""

    def __init__(self, folder: Path | None = None) -> None:
        self.path: Path | None = None
        self._faults: IO[str] | None = None
        self._handler: logging.Handler | None = None
        self._hook = sys.excepthook
        place = folder or state_folder()
        try:
            place.mkdir(parents=True, exist_ok=True)
            self._faults = (place / "faults.log").open("a", encoding="utf-8")
            self._handler = RotatingFileHandler(place / "window.log", maxBytes=500_000, backupCount=1, encoding="utf-8")
        except OSError:
            return  # no place to write: the window works without a log
        self.path = place / "window.log"
        faulthandler.enable(self._faults)
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(name)s %(levelname)s %(message)s"))
        logging.getLogger("jarlet").addHandler(self._handler)

    def watch(self, tell: Callable[[str], None]) -> None:
        """Log and tell every uncaught exception from now on."""

        def hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
            if issubclass(kind, KeyboardInterrupt):
                self._hook(kind, error, trace)
                return
            words = "".join(traceback.format_exception(kind, error, trace))
            logging.getLogger("jarlet.window").error("not caught:\n%s", words)
            sys.stderr.write(words)
            where = f" Details: {self.path}" if self.path else ""
            tell(f"Something went wrong inside Jarlet: {kind.__name__}: {error}.{where}")

        sys.excepthook = hook

    def close(self) -> None:
        """Restore the earlier exception hook, and close the log."""
        sys.excepthook = self._hook
        if self._handler is not None:
            logging.getLogger("jarlet").removeHandler(self._handler)
            self._handler.close()
        if self._faults is not None:
            faulthandler.disable()
            self._faults.close()


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
