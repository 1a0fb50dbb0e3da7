"""Painting what classes carry on them: how much of each is left, and what the user wishes for it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.engine.opened_jar import Ints
from app.engine.run_state import ItemState
from app.graph.paint.drawing import Painting, draw_rects, in_view
from app.graph.paint.graph_style import GraphStyle
from app.widgets import inked

_LEAST = (26.0, 16.0)
"""Pixels: on smaller boxes a bar would hide the name."""
_ROOMY = 24.0
"""Pixels: boxes from this height on have room for a high bar below their names."""
_BADGE = 5.0


def fill_bars(painting: Painting, states: np.ndarray, shares: np.ndarray) -> None:
    """Draw a bar along the lower edge of each class that has lost something: as long as what is left of it. ``shares``
    are from 0 to 1, one per item."""
    painter, scene, camera, look, size, _ = painting
    rects = camera.rects(scene.rects[scene.cards :])
    items = scene.item_of_node[scene.cards :]
    seen = in_view(rects, *size) & (rects[:, 2] >= _LEAST[0]) & (rects[:, 3] >= _LEAST[1]) & (items >= 0)
    seen &= (states[items] != ItemState.GONE) & (shares[items] < 0.995) & (shares[items] > 0)
    shown, share = rects[seen], shares[items[seen]]
    if not len(shown):
        return
    high = np.where(shown[:, 3] < _ROOMY, 2.0, 4.0)  # the name of a low box reaches far down
    bars = np.stack([shown[:, 0] + 3, shown[:, 1] + shown[:, 3] - high - high / 2, shown[:, 2] - 6, high], axis=1)
    inked(painter, None, look.bar_ground)
    draw_rects(painter, bars)
    bars[:, 2] *= share
    painter.setBrush(look.bar_left)
    draw_rects(painter, bars)


def wishes(painting: Painting, pinned: Ints, first: Ints) -> None:
    """Draw a pin at the upper right corner of what is pinned, an arrow down, left of it, at what is dropped first;
    packages have the mark if one of their classes has."""
    painter, scene, camera, look, size, _ = painting
    for items, is_pin in ((pinned, True), (first, False)):
        if not len(items):
            continue
        placed = scene.node_of_item[items]
        nodes = np.flatnonzero(np.bincount(placed[placed >= 0], minlength=scene.nodes))
        rects = camera.rects(scene.rects[nodes])
        for x, y, wide, _ in rects[in_view(rects, *size)].tolist():
            mark(painter, QPointF(x + wide - 1 - (0 if is_pin else 3 * _BADGE), y + 1), is_pin, look)


def mark(painter: QPainter, at: QPointF, is_pin: bool, look: GraphStyle) -> None:
    """Draw the sign of a pin, or of what is dropped first, with its middle at a pixel."""
    inked(painter, QPen(look.canvas, 1.5), QColor(look.text))
    if is_pin:
        painter.drawEllipse(at, _BADGE, _BADGE)
        inked(painter, None, look.canvas)
        painter.drawEllipse(at, 1.8, 1.8)
    else:
        x, y = at.x(), at.y()
        corners = [QPointF(x - _BADGE, y - 4), QPointF(x + _BADGE, y - 4), QPointF(x, y + _BADGE)]
        painter.drawPolygon(QPolygonF(corners))


def swatch(painter: QPainter, area: QRectF, is_pin: bool, look: GraphStyle) -> None:
    """Draw the sign in a legend."""
    mark(painter, area.center(), is_pin, look)
