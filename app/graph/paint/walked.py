"""The ways of a user through a picture: dragging, wheel and keys; and a short flight of the camera."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QEvent, QObject, QPointF, QSize, Qt, QVariantAnimation, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from app.graph.scene.camera import Camera
from app.widgets import made

ARROWS = {
    Qt.Key.Key_Left: "left",
    Qt.Key.Key_Right: "right",
    Qt.Key.Key_Up: "up",
    Qt.Key.Key_Down: "down",
}
_MS = 220
_STEP = 1.25


class Flight(QObject):
    """An animation that calls ``move`` with cameras on the way."""

    def __init__(self, move: Callable[[Camera], None], parent: QObject) -> None:
        super().__init__(parent)
        self._move = move
        self._start = self._end = Camera()
        self._animation = made(
            QVariantAnimation(self),
            duration=_MS,
            startValue=0.0,
            endValue=1.0,
            easingCurve=QEasingCurve.Type.InOutCubic,
            valueChanged=self._step,
        )

    @property
    def flying(self) -> bool:
        """Return True if the camera is moving."""
        return self._animation.state() == QVariantAnimation.State.Running

    def start(self, start: Camera, end: Camera) -> None:
        """Begin a flight; an earlier one ends where it is."""
        self._animation.stop()
        self._start, self._end = start, end
        self._animation.start()

    def stop(self) -> None:
        """Stay here."""
        self._animation.stop()

    def _step(self, share: float) -> None:
        self._move(self._end if share >= 1.0 else self._start.between(self._end, share))


class WalkedPicture(QWidget):
    """A picture as a camera sees it: pan by dragging, zoom to the pointer by wheel, both also by keys."""

    escaped = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.camera = Camera()
        self._drag: QPointF | None = None
        self._dragging = False
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setMinimumSize(200, 120)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def sizeHint(self) -> QSize:
        return QSize(720, 480)

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in or out; the point ``at`` (default: the middle) stays where it is."""
        raise NotImplementedError

    def fit(self) -> None:
        """Show everything."""
        raise NotImplementedError

    def _move(self, camera: Camera) -> None:
        """Take the camera that the user wants."""
        raise NotImplementedError

    def _point(self, here: QPointF) -> None:
        """Show what is under the pointer."""
        raise NotImplementedError

    def _click(self, event: QMouseEvent) -> None:
        """Choose what is under the pointer."""
        raise NotImplementedError

    def _hint(self, here: QPointF) -> str:
        """Return the tool tip for a pixel; empty = none."""
        raise NotImplementedError

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton):
            self._drag, self._dragging = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        here = event.position()
        if self._drag is None or event.buttons() == Qt.MouseButton.NoButton:
            self._point(here)
            return
        way = here - self._drag
        if self._dragging or way.manhattanLength() >= QApplication.startDragDistance():
            self._dragging, self._drag = True, here
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self._move(self.camera.moved(way.x(), way.y()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        dragged, self._drag, self._dragging = self._dragging, None, False
        self.unsetCursor()
        if not dragged and event.button() == Qt.MouseButton.LeftButton:
            self._click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.zoom(1.0016 ** event.angleDelta().y(), event.position())
        event.accept()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._hint(QPointF(event.pos())), self)  # hides it if there is none
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
                self.zoom(_STEP)
            case Qt.Key.Key_Minus:
                self.zoom(1 / _STEP)
            case Qt.Key.Key_F | Qt.Key.Key_Home:
                self.fit()
            case Qt.Key.Key_Escape:
                self.escaped.emit()
            case _:
                super().keyPressEvent(event)
