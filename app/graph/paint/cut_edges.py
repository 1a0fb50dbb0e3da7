"""Painting the edges to cut: all others are paled, and each of these says how many class edges it has."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from app import text
from app.engine.opened_jar import Floats, Ints
from app.graph.paint.drawing import Painting, draw_rects
from app.graph.paint.edges import curves, heads
from app.graph.paint.graph_style import GraphStyle, ink_on
from app.graph.scene.camera import Camera
from app.graph.scene.cells import Cells
from app.graph.scene.scene import Scene, border_lines
from app.widgets import inked

MOST = 12
"""Edges to cut that one picture of the graph shows: more would be a tangle again."""
_VEIL = 205
"""Opacity of what pales the other edges, of 255."""
_PIXELS = 10
"""Height of the figures."""


def veil(painter: QPainter, size: tuple[int, int], look: GraphStyle) -> None:
    """Pale the edges that are drawn so far."""
    shade = QColor(look.canvas)
    shade.setAlpha(_VEIL)
    painter.fillRect(QRectF(0, 0, *size), shade)


def lines(painting: Painting, pairs: Ints) -> None:
    """Draw the edges as curves, to lie below the nodes. ``pairs`` has rows *from, to, class edges*."""
    painter, scene, camera, look, *_ = painting
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((look.canvas, 5.0), (look.path, 2.2)):
        painter.setPen(QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawPath(curves(_ends(scene, camera, pairs)))


def marks(painting: Painting, pairs: Ints) -> None:
    """Draw heads, outlines around both ends, and the figures, to lie above the nodes."""
    painter, scene, camera, look, *_ = painting
    ends = _ends(scene, camera, pairs)
    painter.fillPath(heads(ends, True, 10.0), look.path)
    around = camera.rects(scene.rects[np.unique(pairs[:, :2])]) + np.array([-2.0, -2.0, 4.0, 4.0])
    inked(painter, QPen(look.path, 1.8))
    for rect in around.tolist():
        painter.drawRoundedRect(QRectF(*rect), 5, 5)
    font = painter.font()
    font.setPixelSize(_PIXELS)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    for number, weight in enumerate(pairs[:, 2].tolist()):
        words = text.count(weight)
        middle = curves(ends[number : number + 1]).pointAtPercent(0.5)
        wide, high = metrics.horizontalAdvance(words) + 8, metrics.height() + 2
        plate = QRectF(middle.x() - wide / 2, middle.y() - high / 2, wide, high)
        inked(painter, QPen(look.canvas, 1), look.path)
        painter.drawRoundedRect(plate, high / 2, high / 2)
        painter.setPen(ink_on(look.path))
        painter.drawText(plate, Qt.AlignmentFlag.AlignCenter, words)


def places(cells: Cells, pairs: Sequence[tuple[int, int]], stretch: float) -> Floats:
    """Return the rectangles of the cells with edges to cut, as pairs of items, in units of rows."""
    at = cells.members[np.array(pairs, np.int64).reshape(-1, 2)].astype(np.float64)
    at = at[(at >= 0).all(axis=1) & (at[:, 0] != at[:, 1])]
    return np.column_stack([at[:, 1] * stretch, at[:, 0], np.full(len(at), stretch), np.ones(len(at))])


def outline_cells(painter: QPainter, rects: Floats, look: GraphStyle) -> None:
    """Draw outlines around cells of a matrix, x, y, width, height in pixels."""
    inked(painter, QPen(look.path, 1.8))
    draw_rects(painter, rects)


def _ends(scene: Scene, camera: Camera, pairs: Ints) -> Floats:
    return camera.lines(border_lines(scene.rects[pairs[:, 0]], scene.rects[pairs[:, 1]]))
