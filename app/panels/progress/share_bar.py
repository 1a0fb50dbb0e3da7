"""A thin bar for a share. Qt's own progress bar paints itself at once at each change and takes the rest along."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QWidget


class ShareBar(QWidget):
    """A bar of ``share``, 0 to 1, in the palette's accent colour."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.share = 0.0
        self.setFixedHeight(8)

    def set_share(self, share: float) -> None:
        """Set another share."""
        if share != self.share:
            self.share = share
            self.setAccessibleDescription(f"{100 * share:.0f} %")
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            palette, whole = self.palette(), QRectF(self.rect()).adjusted(0, 1, 0, -1)
            painter.setBrush(palette.color(QPalette.ColorRole.Mid))
            painter.drawRoundedRect(whole, 3, 3)
            if self.share > 0:
                part = QRectF(whole)
                part.setWidth(max(6.0, whole.width() * min(1.0, self.share)))
                painter.setBrush(palette.color(QPalette.ColorRole.Accent))
                painter.drawRoundedRect(part, 3, 3)
