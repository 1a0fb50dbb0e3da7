"""A sentence on one line, shortened in its middle where there is no room for all of it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class ElidedLabel(QWidget):
    """Its tool tip is the whole sentence; never makes its window wider."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """The whole sentence."""
        return self._text

    def set_text(self, text: str) -> None:
        """Another sentence."""
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 6)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            if self.width() < self.fontMetrics().horizontalAdvance(self._text) // 2:
                return  # less than half of it says nothing
            painter.setPen(self.palette().windowText().color())
            words = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideMiddle, self.width())
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
