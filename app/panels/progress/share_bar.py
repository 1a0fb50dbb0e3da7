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
            palette, whole = self.palette(), QRectF(self.rect()).adjusted(0.5, 1.5, -0.5, -1.5)
            painter.setPen(palette.color(QPalette.ColorRole.Mid))
            painter.setBrush(palette.color(QPalette.ColorRole.Midlight))
            painter.drawRoundedRect(whole, 3, 3)
            painter.setPen(Qt.PenStyle.NoPen)
            if self.share > 0:
                part = QRectF(whole)
                part.setWidth(max(6.0, whole.width() * min(1.0, self.share)))
                painter.setBrush(palette.color(QPalette.ColorRole.Accent))
                painter.drawRoundedRect(part, 3, 3)
