"""Pens, letters and smoothness of a painter, for all widgets that paint themselves."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen, QPixmap


def inked(
    painter: QPainter,
    pen: QPen | QColor | Qt.PenStyle | None,
    brush: QBrush | QColor | Qt.GlobalColor | Qt.BrushStyle | None = None,
) -> None:
    """Set pen and brush of a painter; None = no line, or nothing inside it."""
    painter.setPen(Qt.PenStyle.NoPen if pen is None else pen)
    painter.setBrush(Qt.BrushStyle.NoBrush if brush is None else brush)


def smooth(painter: QPainter, wanted: bool = True) -> None:
    """Draw with smooth borders, or with borders of whole pixels."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, wanted)


def blank(width: float, height: float, ratio: float, ground: QColor | None = None) -> QPixmap:
    """Return a picture of this size, for a screen of ``ratio`` pixels a unit; without a ``ground`` transparent."""
    picture = QPixmap(round(width * ratio), round(height * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent if ground is None else ground)
    return picture


@lru_cache(maxsize=64)
def letters(pixels: int, bold: bool = False) -> tuple[QFont, QFontMetricsF]:
    """Return the application's font with letters of a height in pixels, and its metrics."""
    font = QFont()
    font.setPixelSize(pixels)
    font.setBold(bold)
    return font, QFontMetricsF(font)


def lettered(painter: QPainter, pixels: int, *, bold: bool = False) -> QFontMetricsF:
    """Take letters of a height in pixels, and return their metrics."""
    font, metrics = letters(pixels, bold)
    painter.setFont(font)
    return metrics
