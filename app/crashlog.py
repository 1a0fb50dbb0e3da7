"""Internal errors of the window: written to a log file and told in a sentence."""

from __future__ import annotations

import faulthandler
import logging
import sys
import traceback
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

from core.user_folders import state_folder


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
