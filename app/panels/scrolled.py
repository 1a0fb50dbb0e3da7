"""A widget that is scrolled where the window is lower than the widget."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFrame, QScrollArea, QWidget


class _Area(QScrollArea):
    """A scrolled area that brings what gets the keyboard into sight, unless the mouse is on it already."""

    def __init__(self) -> None:
        super().__init__()
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._follow)

    def _follow(self, before: QWidget | None, now: QWidget | None) -> None:
        if now is not None and self.isAncestorOf(now) and not now.underMouse():
            QTimer.singleShot(0, self, self._bring_in)  # once what is unfolded for it has its place

    def _bring_in(self) -> None:
        now = QApplication.focusWidget()
        if now is not None and self.isAncestorOf(now):
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)  # of what was unfolded just now
            self.ensureWidgetVisible(now)


def scrolled(widget: QWidget, name: str) -> QScrollArea:
    """Return an area without a frame in which a widget is scrolled up and down; ``name`` is for a reader of the
    screen."""
    area = _Area()
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setAccessibleName(name)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    widget.setAutoFillBackground(False)
    return area
