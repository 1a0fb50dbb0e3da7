"""One program for all windows: files that are given to a second start open in a window of the first one.

A plain socket serves instead of QLocalServer, because packages leave the library QtNetwork out (packaging/slim.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier

from core.user_folders import state_folder

_WAIT_S = 3.0
"""Seconds that a second start waits for the first one's answer."""
_LONGEST = 1 << 20
_TAKEN = b"taken\n"


def _place() -> Path:
    """Return the socket of the windows on this display."""
    display = os.environ.get("WAYLAND_DISPLAY", "") + os.environ.get("DISPLAY", "")
    return state_folder() / f"window-{hashlib.sha256(display.encode()).hexdigest()[:8]}.socket"


def hand_over(paths: Sequence[str]) -> bool:
    """Give files to a program that runs already. Return True if it has taken them."""
    if not paths or not hasattr(socket, "AF_UNIX"):
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX) as made:
        made.settimeout(_WAIT_S)
        made.connect(str(_place()))
        made.sendall(json.dumps([str(Path(path).absolute()) for path in paths]).encode() + b"\n")
        return made.recv(len(_TAKEN)) == _TAKEN
    return False


class Instance(QObject):
    """The first program's ear. ``take`` is called with the files of each later start."""

    def __init__(self, take: Callable[[list[str]], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._take = take
        self._socket: socket.socket | None = None
        self._path = _place()
        if hasattr(socket, "AF_UNIX"):
            with suppress(OSError):  # without it every start has a program of its own
                self._listen()

    def close(self) -> None:
        """Stop listening."""
        if self._socket is not None:
            self._notifier.setEnabled(False)
            self._socket.close()
            self._socket = None
            with suppress(OSError):
                self._path.unlink()

    def _listen(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._path.exists():
            with socket.socket(socket.AF_UNIX) as other:
                try:
                    other.connect(str(self._path))
                    return  # another program listens
                except OSError:
                    self._path.unlink()  # left by one that was killed
        made = socket.socket(socket.AF_UNIX)
        made.bind(str(self._path))
        os.chmod(self._path, 0o600)
        made.listen()
        made.setblocking(False)
        self._socket = made
        self._notifier = QSocketNotifier(made.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._called)

    def _called(self) -> None:
        assert self._socket is not None
        with suppress(OSError, ValueError):
            caller, _ = self._socket.accept()
            with caller:
                caller.settimeout(0.02)
                data = b""
                while not data.endswith(b"\n") and len(data) < _LONGEST:
                    part = caller.recv(1 << 16)
                    if not part:
                        return
                    data += part
                paths = json.loads(data)
                caller.sendall(_TAKEN)
            if isinstance(paths, list) and all(isinstance(path, str) for path in paths):
                self._take(paths)
