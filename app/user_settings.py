"""The settings of the user: read once, and written by a thread of their own, since a busy disk takes half a second."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from PySide6.QtCore import QSettings


class UserSettings:
    """A copy of a settings file: that of the user, or the one at ``path``. A change holds at once, and is on disk
    before long, at the latest when the program ends."""

    def __init__(self, path: str = "") -> None:
        self.path = path
        stored = self._stored()
        self._values = {key: stored.value(key) for key in stored.allKeys()}
        self._writer = ThreadPoolExecutor(1, "Settings")

    def value(self, key: str, otherwise: object = None) -> Any:
        """Return the value of a key; ``otherwise`` if it has none."""
        return self._values.get(key, otherwise)

    def set_value(self, key: str, value: object) -> None:
        """Give another value to a key."""
        self._values[key] = value
        self._writer.submit(self._write, key, value)

    def wait(self) -> None:
        """Wait until all changes are on disk."""
        self._writer.submit(int).result()

    def _write(self, key: str, value: object) -> None:
        # Written by its destructor, which leaves the interpreter's lock to the window, as sync() does not.
        self._stored().setValue(key, value)

    def _stored(self) -> QSettings:
        """Return the file, for the thread that calls."""
        return QSettings(self.path, QSettings.Format.IniFormat) if self.path else QSettings("Jarlet", "Jarlet")
