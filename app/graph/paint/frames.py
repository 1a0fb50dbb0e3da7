"""Painting the frames of opened packages, and the boxes of cycles between and within them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetricsF, QPainter, QPen

from app.engine.opened_jar import Floats
from app.graph.paint.drawing import Painting, draw_rects, in_view
from app.graph.paint.sprites import Names
from app.graph.scene.scene import Scene
from app.widgets import inked

HEAD = 24.0
"""Scene units: the strip at the top of a frame that its title stands in."""
_ROUND_FRAMES_MOST = 40
"""Up to this many frames have round corners and smooth outlines: each of them is as dear as 40 plain ones."""
_ROUNDED_MOST = 60
"""Up to this many boxes of classes have round corners."""
_TITLE_WIDTH = 46.0
"""Pixels: narrower frames have no title."""


def draw(painting: Painting) -> None:
    """Draw frames and the cycles of packages, outer ones first, then the cycles of classes."""
    painter, scene, camera, look, size, _ = painting
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
    many = (
        len(seen) > _ROUND_FRAMES_MOST or scene.view == "treemap"
    )  # then they are small, and lie apart: their order does not matter
    if many:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    for index in seen.tolist() if not many else []:
        inked(painter, look.frame_pen if index < framed else cycle, fill if index < framed else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(*rects[index].tolist()), 6, 6)
    hair = QPen(look.frame_pen.color(), 1)
    for pen, brush, part in ((hair, QBrush(fill), seen < framed), (cycle, QBrush(), seen >= framed)):
        if many:
            inked(painter, pen, brush)
            draw_rects(painter, rects[seen[part]])
    boxes = rects[visible & of_classes]
    inked(painter, look.hull_pen, look.hull)
    if len(boxes) <= _ROUNDED_MOST:
        for box in boxes.tolist():
            painter.drawRoundedRect(QRectF(*box), 5, 5)
    else:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        draw_rects(painter, boxes)


class Titles:
    """The names of the frames, in their upper left corners; on a plate where the strip is too low."""

    def __init__(self) -> None:
        self._names = Names()

    def draw(self, painting: Painting) -> None:
        """Draw the names of the frames that can be seen and are wide enough."""
        painter, scene, camera, look, size, _ = painting
        rects = camera.rects(scene.frames)
        seen = np.flatnonzero(in_view(rects, *size) & (rects[:, 2] >= _TITLE_WIDTH))
        if not len(seen):
            return
        room = HEAD * camera.scale
        font = QFont(painter.font())
        font.setPixelSize(int(min(14, max(9, room * 0.55))))
        font.setBold(True)
        painter.setFont(font)
        metrics = QFontMetricsF(font)
        line = metrics.height()
        high = max(room, line + 2) - 2
        plates = np.zeros((len(seen), 4))
        words: list[str] = []
        for index, (x, y, w, h) in zip(seen.tolist(), rects[seen].tolist(), strict=True):
            left = max(x, 0.0)  # of a frame that begins outside, the title stays in sight
            if h < line:
                continue
            space = min(w - 12, x + w - left - 12)
            name, wide = self._names.fitted(scene.frame_titles[index], font.pixelSize(), space, metrics, left=True)
            top = y + 1 if room >= line else y + room - high  # a low strip: on the border, not on what is below it
            plate = np.array([left + 6, top, wide + 4, high])
            if name and not _meets(plate, plates[: len(words)]):  # the outer frame's title goes before those within
                plates[len(words)] = plate
                words.append(name)
        plates = plates[: len(words)]
        if len(plates):  # edges do not run across names
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            inked(painter, None, QBrush(look.plate))
            draw_rects(painter, plates)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(look.text)
        base = (high - line) / 2 + metrics.ascent()
        for (x, y, *_), name in zip(plates.tolist(), words, strict=True):
            painter.drawText(round(x + 2), round(y + base), name)


def _meets(rect: Floats, others: Floats) -> bool:
    """Return True if a row x, y, width, height has a point in common with one of ``others``."""
    apart = (
        (others[:, 0] >= rect[0] + rect[2])
        | (others[:, 1] >= rect[1] + rect[3])
        | (others[:, 0] + others[:, 2] <= rect[0])
        | (others[:, 1] + others[:, 3] <= rect[1])
    )
    return not apart.all()


def frame_at(scene: Scene, x: float, y: float, head_only: bool, least: float = 0.0) -> int:
    """Return the innermost frame at a point of the scene, -1 = none; ``head_only``: only its title strip, which is at
    least ``least`` scene units high."""
    if not len(scene.frames):
        return -1
    frames = scene.frames
    bottom = frames[:, 1] + (np.minimum(np.maximum(HEAD, least), frames[:, 3]) if head_only else frames[:, 3])
    hit = (x >= frames[:, 0]) & (x <= frames[:, 0] + frames[:, 2]) & (y >= frames[:, 1]) & (y <= bottom)
    found = np.flatnonzero(hit)
    return int(found[np.argmin(frames[found, 2] * frames[found, 3])]) if len(found) else -1
