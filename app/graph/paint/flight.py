"""A short flight of the camera from one place to another."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation

from app.graph.scene.camera import Camera
from app.widgets import made

_MS = 220


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
