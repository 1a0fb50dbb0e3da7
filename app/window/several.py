"""Windows beside the first one, each with an input and an engine of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import QApplication, QMainWindow

_STEP = 32
"""Pixels by which a new window stands away from the one that opened it, where the screen has room."""


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
        place = _place(beside, window.minimumSizeHint())
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


def _place(beside: QMainWindow, least: QSize) -> QRect:
    """Return the place of a window beside another one, with its title bar. Where the screen has no room for a window of
    equal size, the new one is smaller, down to ``least``, so that both can be seen."""
    frame, screen = beside.frameGeometry().translated(_STEP, _STEP), beside.screen().availableGeometry()
    place = frame & screen
    place.setSize(place.size().expandedTo(least + _borders(beside)).boundedTo(screen.size()))
    place.moveRight(min(place.right(), screen.right()))
    place.moveBottom(min(place.bottom(), screen.bottom()))
    return place


def close_all(last: QMainWindow) -> None:
    """Close all windows of the kind of ``last``, this one last. A window whose user stays ends that."""
    others = [each for each in QApplication.topLevelWidgets() if isinstance(each, type(last)) and each is not last]
    for each in [*others, last]:
        if each.isVisible() and not each.close():
            return
