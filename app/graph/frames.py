"""Painting the frames of opened packages, and the boxes of cycles between and within them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from app.graph.batch import draw_rects, in_view
from app.graph.camera import Camera
from app.graph.look import Look
from app.graph.scene import Scene

HEAD = 24.0
"""Scene units: the strip at the top of a frame that its title stands in."""
_ROUNDED_MOST = 60
"""Up to this many boxes of classes have round corners."""
_TITLE_WIDTH = 46.0
"""Pixels: narrower frames have no title."""


def draw(painter: QPainter, scene: Scene, camera: Camera, size: tuple[int, int], look: Look) -> None:
    """Frames and the cycles of packages, those that contain others first; then the cycles of classes."""
    framed = len(scene.frames)
    of_classes = np.zeros(framed + len(scene.boxes), np.bool_)
    of_classes[framed + scene.node_box[scene.node_box >= 0]] = True
    rects = camera.rects(np.concatenate([scene.frames, scene.boxes]))
    visible = in_view(rects, *size)
    seen = np.flatnonzero(visible & ~of_classes)
    seen = seen[np.argsort(-(rects[seen, 2] * rects[seen, 3]), kind="stable")]
    fill = QColor(look.hull.color())
    fill.setAlpha(90)
    cycle = QPen(look.hull_pen)
    cycle.setStyle(Qt.PenStyle.DashLine)
    for index in seen.tolist():
        painter.setPen(look.frame_pen if index < framed else cycle)
        painter.setBrush(fill if index < framed else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(*rects[index].tolist()), 6, 6)
    boxes = rects[visible & of_classes]
    painter.setPen(look.hull_pen)
    painter.setBrush(look.hull)
    if len(boxes) <= _ROUNDED_MOST:
        for box in boxes.tolist():
            painter.drawRoundedRect(QRectF(*box), 5, 5)
    else:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_rects(painter, boxes)


def titles(painter: QPainter, scene: Scene, camera: Camera, size: tuple[int, int], look: Look) -> None:
    """The names of the frames, in their upper left corners; on a plate where the strip is too low."""
    rects = camera.rects(scene.frames)
    seen = np.flatnonzero(in_view(rects, *size) & (rects[:, 2] >= _TITLE_WIDTH)).tolist()
    if not seen:
        return
    room = HEAD * camera.scale
    font = QFont(painter.font())
    font.setPixelSize(int(min(14, max(9, room * 0.55))))
    font.setBold(True)
    painter.setFont(font)
    metrics = QFontMetricsF(font)
    shown: list[QRectF] = []
    for index in seen:
        x, y, w, h = rects[index].tolist()
        left = max(x, 0.0)  # of a frame that begins outside, the title stays in sight
        text = metrics.elidedText(scene.frame_titles[index], Qt.TextElideMode.ElideLeft, min(w - 12, x + w - left - 12))
        if not text or h < metrics.height():
            continue
        high = max(room, metrics.height() + 2)
        area = QRectF(left + 6, y + 1, metrics.horizontalAdvance(text) + 4, high - 2)
        if any(area.intersects(other) for other in shown):
            continue  # the outer frame's title goes before those within
        if room < metrics.height():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QBrush(look.plate))
            painter.drawRoundedRect(area, 3, 3)
        shown.append(area)
        painter.setPen(look.text)
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)


def frame_at(scene: Scene, x: float, y: float, head_only: bool, least: float = 0.0) -> int:
    """The innermost frame at a point of the scene, -1 = none; ``head_only``: only its title strip, which is
    at least ``least`` scene units high."""
    if not len(scene.frames):
        return -1
    frames = scene.frames
    bottom = frames[:, 1] + (np.minimum(np.maximum(HEAD, least), frames[:, 3]) if head_only else frames[:, 3])
    hit = (x >= frames[:, 0]) & (x <= frames[:, 0] + frames[:, 2]) & (y >= frames[:, 1]) & (y <= bottom)
    found = np.flatnonzero(hit)
    return int(found[np.argmin(frames[found, 2] * frames[found, 3])]) if len(found) else -1
