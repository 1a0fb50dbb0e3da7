"""Round boxes and names, drawn once and copied: copying takes a tenth of the time of drawing."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QFont, QFontMetricsF, QPainter, QPen, QPixmap, QStaticText

from app.graph.look import Look
from app.state import ItemState

_MOST = 4000
"""Names and boxes kept; more are thrown away all at once."""
_AROUND = 2
"""Pixels around a box for the width of its outline."""


class BoxSprites:
    """A picture for each size and state of a node."""

    def __init__(self) -> None:
        self._made: dict[tuple[ItemState | None, int, int, float], QPixmap] = {}

    def forget(self) -> None:
        """Another theme or scene."""
        self._made.clear()

    def draw(
        self, painter: QPainter, state: ItemState | None, rects: list[list[float]], ratio: float, look: Look
    ) -> None:
        """Boxes at rows x, y, width, height, on whole pixels."""
        for x, y, w, h in rects:
            key = (state, round(w), round(h), ratio)
            made = self._made.get(key)
            if made is None:
                if len(self._made) > _MOST // 10:
                    self._made.clear()
                made = self._made[key] = _box(*key, look)
            painter.drawPixmap(round(x) - _AROUND, round(y) - _AROUND, made)


def _box(state: ItemState | None, width: int, height: int, ratio: float, look: Look) -> QPixmap:
    picture = QPixmap(round((width + 2 * _AROUND) * ratio), round((height + 2 * _AROUND) * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pen: QPen = look.idle_pen if state is None else look.border[state]
    fills: list[QBrush] = [look.idle if state is None else look.fill[state]]
    if state is ItemState.TRYING:
        fills.append(look.hatch)
    inset = 0.5 if pen.widthF() <= 1 else 0.0
    area = QRectF(_AROUND + inset, _AROUND + inset, width - 2 * inset, height - 2 * inset)
    painter.setPen(pen)
    for fill in fills:
        painter.setBrush(fill)
        painter.drawRoundedRect(area, 3, 3)
    painter.end()
    return picture


class Names:
    """Names shortened to their room, laid out once."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, int, int, bool], tuple[QStaticText, float]] = {}

    def forget(self) -> None:
        """Another scene."""
        self._made.clear()

    def fitted(
        self, title: str, node: int, font: QFont, room: float, metrics: QFontMetricsF, struck: bool
    ) -> tuple[QStaticText, float]:
        """The name as it fits into ``room`` pixels, and how wide it is."""
        step = int(room / 4)
        key = (node, font.pixelSize(), step, struck)
        made = self._made.get(key)
        if made is None:
            if len(self._made) > _MOST:
                self._made.clear()
            # Of nested classes and packages the end tells more than the beginning.
            mode = Qt.TextElideMode.ElideLeft if "." in title else Qt.TextElideMode.ElideRight
            text = metrics.elidedText(title, mode, step * 4 + 2)
            laid_out = QStaticText(text)
            laid_out.setTextFormat(Qt.TextFormat.PlainText)
            laid_out.setPerformanceHint(QStaticText.PerformanceHint.AggressiveCaching)
            laid_out.prepare(font=font)
            made = self._made[key] = (laid_out, metrics.horizontalAdvance(text))
        return made
