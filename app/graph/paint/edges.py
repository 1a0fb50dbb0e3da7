"""The edges as a cached picture: painted in slices between two events, then only copied.

The picture covers the widget and a margin around it. While the user pans, it is moved;
while they zoom, it is stretched; once the view stands still, a new one is painted.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath, QPen, QPixmap

from app.engine.opened_jar import Floats
from app.graph.paint import graph_style as looks
from app.graph.paint.drawing import Painting, draw_lines, lines_in_view
from app.graph.paint.graph_style import GraphStyle
from app.graph.scene.camera import Camera, bends
from app.graph.scene.scene import Scene
from app.graph.scene.weights import widths
from app.painting import blank, inked, smooth

MARGIN = 0.25
"""Share of the widget's size that the picture shows beyond each side."""
_SLICE = 0.008
_LINES_A_STEP, _CURVES_A_STEP = 400, 50


HEAD_WIDTH = 1.0
"""Pixels of width by which the heads of edges of one width are as large as they are."""


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """Lines of one pen. ``heads`` is the width of the lines by which their heads are drawn, 0 = without."""

    pen: QPen
    lines: Floats
    heads: float = 0.0


class EdgePicture:
    """The background edges of one scene. ``begin`` starts a new picture, ``step`` paints on."""

    def __init__(self) -> None:
        self._shown: QPixmap | None = None
        self._shown_by = Camera()
        """The camera of the finished picture. Their left upper corners are one."""
        self._made: QPixmap | None = None
        self._blank: Callable[[], QPixmap] = QPixmap
        """Function that makes the ground of the next picture in some milliseconds."""
        self._made_by = Camera()
        self._parts: Iterator[EdgeGroup | None] | None = None
        """The rest of the picture that is being painted; None = there is none."""
        self.curved = False
        """True if the edges are drawn as curves."""
        self._smooth = False
        self._ratio = 1.0

    def forget(self) -> None:
        """Drop all pictures: another scene, another theme."""
        self._shown = self._made = self._parts = None

    @property
    def painting(self) -> bool:
        """Return True if a new picture is being painted, or is to be."""
        return self._parts is not None

    def serves(self, camera: Camera, width: int, height: int) -> bool:
        """Return True if the finished picture is sharp and covers the widget."""
        if self._shown is None or camera.scale != self._shown_by.scale:
            return False
        left, top = camera.x - self._shown_by.x, camera.y - self._shown_by.y
        right, bottom = left + self._shown.width() / self._ratio, top + self._shown.height() / self._ratio
        return left <= 0 and top <= 0 and right >= width and bottom >= height

    def begin(
        self, scene: Scene, camera: Camera, size: tuple[int, int], ratio: float, gone: np.ndarray, look: GraphStyle
    ) -> None:
        """Start a picture for a widget of a ``size`` in pixels; ``gone`` says which nodes are gone. The first steps
        choose its lines."""
        width, height = (round(side * (1 + 2 * MARGIN)) or 1 for side in size)
        self._made, self._blank = None, partial(blank, width, height, ratio, look.canvas)
        self._made_by, self._ratio = camera.moved(size[0] * MARGIN, size[1] * MARGIN), ratio
        self._parts = self._chosen(scene, self._made_by, (width, height), gone, look)

    def draw_all(self, painting: Painting, gone: np.ndarray) -> None:
        """Draw all edges at once."""
        painter, scene, camera, look, size, _ = painting
        for part in self._chosen(scene, camera, size, gone, look):
            self._paint(painter, part)

    def _chosen(
        self, scene: Scene, camera: Camera, size: tuple[int, int], gone: np.ndarray, look: GraphStyle
    ) -> Iterator[EdgeGroup | None]:
        """Choose the lines, and yield them in parts. Before that, yield None after each stage of some milliseconds for
        200,000 lines."""
        lines = camera.lines(scene.lines)
        yield None
        seen = lines_in_view(lines, *size)
        yield None
        # A line shorter than a pixel is invisible between two nodes that touch.
        wide, high = np.abs(lines[:, 0] - lines[:, 2]), np.abs(lines[:, 1] - lines[:, 3])
        seen &= np.maximum(wide, high) >= 1
        yield None
        faint = gone[scene.line_from] | gone[scene.line_to]
        total = int(seen.sum())
        self.curved, self._smooth = total <= looks.CURVES_MOST, total <= looks.SMOOTH_MOST
        groups = [EdgeGroup(look.edge_gone, lines[seen & faint])]
        there = seen & ~faint
        yield None
        if len(scene.strong):
            groups.append(EdgeGroup(look.edge_weak, lines[there & ~scene.strong]))
            wide = widths(scene.line_weight)
            there &= scene.strong
            groups += [
                EdgeGroup(look.edge_strong(width), lines[there & (wide == width)], width)
                for width in sorted(set(wide[there].tolist()))
            ]
        else:
            heads = HEAD_WIDTH if total <= looks.HEADS_MOST else 0.0
            groups.append(EdgeGroup(look.edge(total), lines[there], heads))
        stride = _CURVES_A_STEP if self.curved else _LINES_A_STEP
        for group in groups:
            for at in range(0, len(group.lines), stride):
                yield replace(group, lines=group.lines[at : at + stride])

    def step(self) -> bool:
        """Paint for some milliseconds; True once the picture is finished and shown."""
        if self._parts is None:
            return False
        if self._made is None:
            self._made = self._blank()
            return False
        until = time.perf_counter() + _SLICE
        with QPainter(self._made) as painter:
            for part in self._parts:
                self._paint(painter, part)
                if part is None or time.perf_counter() >= until:
                    return False
        self._shown, self._shown_by, self._made, self._parts = self._made, self._made_by, None, None
        return True

    def _paint(self, painter: QPainter, part: EdgeGroup | None) -> None:
        if part is None:
            return
        smooth(painter, self._smooth)
        inked(painter, part.pen)
        if self.curved:
            painter.drawPath(curves(part.lines))
        else:
            draw_lines(painter, part.lines)
        if part.heads:
            painter.fillPath(heads(part.lines, self.curved, 4.5 + 1.5 * part.heads), part.pen.color())

    def draw(self, painter: QPainter, camera: Camera, width: int, height: int, look: GraphStyle) -> None:
        """Copy the finished picture, moved and stretched for the present camera; beyond its borders the ground."""
        if self._shown is None:
            painter.fillRect(0, 0, width, height, look.canvas)
            return
        stretch = camera.scale / self._shown_by.scale
        corner = QPointF(camera.x - self._shown_by.x * stretch, camera.y - self._shown_by.y * stretch)
        wide, high = self._shown.width() / self._ratio * stretch, self._shown.height() / self._ratio * stretch
        beyond = corner.x() + wide < width + 1 or corner.y() + high < height + 1
        if beyond or corner.x() > -1 or corner.y() > -1:
            painter.fillRect(0, 0, width, height, look.canvas)
        if abs(stretch - 1) < 1e-9:
            painter.drawPixmap(corner.toPoint(), self._shown)
            return
        painter.drawPixmap(QRectF(corner.x(), corner.y(), wide, high), self._shown, QRectF(self._shown.rect()))


def curves(lines: Floats) -> QPainterPath:
    """Return smooth curves for rows x1, y1, x2, y2."""
    path = QPainterPath()
    for (x1, y1, x2, y2), (a1, b1), (a2, b2) in zip(lines.tolist(), *(at.tolist() for at in bends(lines)), strict=True):
        path.moveTo(x1, y1)
        path.cubicTo(a1, b1, a2, b2, x2, y2)
    return path


def heads(lines: Floats, curved: bool, long: float) -> QPainterPath:
    """Return heads of ``long`` pixels at the ends of rows x1, y1, x2, y2; none at lines that are hardly longer."""
    path = QPainterPath()
    way = lines[:, 2:] - lines[:, :2]
    length = np.hypot(way[:, 0], way[:, 1])
    if curved:  # as the last part of the curve
        way = 0.15 * way + lines[:, 2:] - bends(lines)[1]
    unit = way / np.maximum(np.hypot(way[:, 0], way[:, 1]), 1e-9)[:, None] * long
    there = length > long + 5
    for (x, y), (ux, uy) in zip(lines[there, 2:].tolist(), unit[there].tolist(), strict=True):
        path.moveTo(x, y)
        path.lineTo(x - ux - 0.42 * uy, y - uy + 0.42 * ux)
        path.lineTo(x - ux + 0.42 * uy, y - uy - 0.42 * ux)
        path.closeSubpath()
    return path
