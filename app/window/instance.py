"""One program for all its windows: files that are given to a second start open in the first one, each window has an
input and an engine of its own.

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

from PySide6.QtCore import QObject, QRect, QSize, QSocketNotifier, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

from core.user_folders import state_folder

_STEP = 32
"""Pixels between a new window and its opener, if the screen has room."""


class Several:
    """A maker of further windows by ``make``, which keeps windows while they are open."""

    def __init__(self, make: Callable[[], QMainWindow]) -> None:
        self._make = make
        self.windows: list[QMainWindow] = []

    def open(self, beside: QMainWindow) -> QMainWindow:
        """Return one more window, a little away from another one, all of it on the screen."""
        window = self._make()
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.windows.append(window)
        window.destroyed.connect(lambda: self._gone(window))
        place = _where(beside, window.minimumSizeHint())
        window.resize(place.size() - _borders(beside))
        window.move(place.topLeft())
        window.show()
        return window

    def _gone(self, window: QMainWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)


def _borders(window: QMainWindow) -> QSize:
    """Return what the title bar and the frame of a window add to its size."""
    return window.frameGeometry().size() - window.size()


def _where(beside: QMainWindow, least: QSize) -> QRect:
    """Return the place of a window beside another one, with its title bar. Without room on the screen for a window of
    equal size, the new one is smaller, down to ``least``, so that both can be seen."""
    frame, screen = beside.frameGeometry().translated(_STEP, _STEP), beside.screen().availableGeometry()
    place = frame & screen
    place.setSize(place.size().expandedTo(least + _borders(beside)).boundedTo(screen.size()))
    place.moveRight(min(place.right(), screen.right()))
    place.moveBottom(min(place.bottom(), screen.bottom()))
    return place


def close_all(last: QMainWindow) -> None:
    """Close all windows of the kind of ``last``, this one last. If a user keeps a window, the others stay too."""
    others = [each for each in QApplication.topLevelWidgets() if isinstance(each, type(last)) and each is not last]
    for each in [*others, last]:
        if each.isVisible() and not each.close():
            return


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
