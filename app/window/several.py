"""Windows beside the first one, each with an input and an engine of its own."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMainWindow

_STEP = 32
"""Pixels by which a new window stands away from the one that opened it."""


class Several:
    """A maker of further windows by ``make``, which keeps windows while they are open."""

    def __init__(self, make: Callable[[], QMainWindow]) -> None:
        self._make = make
        self.windows: list[QMainWindow] = []

    def open(self, beside: QMainWindow) -> QMainWindow:
        """Return one more window, a little away from another one."""
        window = self._make()
        window.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.windows.append(window)
        window.destroyed.connect(lambda: self._gone(window))
        window.resize(beside.size())
        window.move(beside.x() + _STEP, beside.y() + _STEP)
        window.show()
        return window

    def _gone(self, window: QMainWindow) -> None:
        if window in self.windows:
            self.windows.remove(window)


def close_all(last: QMainWindow) -> None:
    """Close all windows of the kind of ``last``, this one last. A window whose user stays ends that."""
    others = [each for each in QApplication.topLevelWidgets() if isinstance(each, type(last)) and each is not last]
    for each in [*others, last]:
        if each.isVisible() and not each.close():
            return
