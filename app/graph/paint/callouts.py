"""Painting additions to classes: a name beside small ones, the share of each that is left, the user's wishes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from app.engine.opened_jar import Floats, Ints
from app.engine.run_state import ItemState
from app.graph.paint import graph_style as looks
from app.graph.paint.drawing import Painting, draw_rects, overlaps
from app.graph.paint.graph_style import GraphStyle, worn_style
from app.graph.scene.scene import Scene
from app.painting import inked, lettered
from app.widgets import CENTRE

_SCENE_MOST, _TRIED_MOST = 1500, 60
"""Nodes in view up to which there are names beside them, and how many of these are tried: both bound the time of a
frame."""
_PIXELS, _GAP = 10, 3.0
_ORDER = (ItemState.NEEDED, ItemState.SO_FAR, ItemState.KEPT, ItemState.TRYING)


def draw_callouts(painting: Painting, marked: Ints, plates: Floats) -> None:
    """Draw the names of nodes without one; those ``marked`` first, of these the first two always.

    Removed nodes have no name here. No name covers one of the ``plates``: they are names too.
    """
    painter, scene, camera, look, size, states = painting
    seen, rects = painting.seen(scene.rects)
    if not len(seen) or float(rects[:, 3].max()) >= looks.LABEL_HEIGHT:
        return
    sure = np.intersect1d(marked[:2], seen).astype(np.int32)
    order = ranked(scene, seen, states, marked) if len(seen) <= _SCENE_MOST else sure
    order = np.concatenate([sure, order[~np.isin(order, sure)]])[:_TRIED_MOST]
    if not len(order):
        return
    metrics = lettered(painter, _PIXELS)
    wide = np.array([metrics.horizontalAdvance(scene.titles[node]) for node in order.tolist()]) + 4
    for node, area in placed(
        np.concatenate([rects, plates]), camera.rects(scene.rects[order]), wide, metrics.height() - 2, order, size,
        len(sure),
    ):  # fmt: skip
        inked(painter, None, look.plate)
        painter.drawRect(area)
        painter.setPen(look.text)
        # the area is a little lower than the line: the tail of a "p" lies below it
        painter.drawText(area, CENTRE | Qt.TextFlag.TextDontClip, scene.titles[node])


def ranked(scene: Scene, seen: Ints, states: np.ndarray | None, marked: Ints) -> Ints:
    """Return the nodes in view that may have a name, by importance: marked ones, then needed and kept ones, and among
    equals those with most dependencies."""
    degrees = np.diff(scene.needs.starts)[seen] + np.diff(scene.needed_by.starts)[seen]
    rank = np.full(len(seen), len(_ORDER))
    if states is not None:
        here = states[scene.item_of_node[seen]]
        for place, state in enumerate(_ORDER):
            rank[here == state] = place
        gone = here == ItemState.GONE
    else:
        gone = np.zeros(len(seen), np.bool_)
    chosen = np.isin(seen, marked)
    rank[chosen] = -1
    order = np.lexsort((-degrees, rank))
    found: Ints = seen[order[(~gone | chosen)[order]]]
    return found


def placed(
    nodes: Floats, wanted: Floats, wide: Floats, high: float, order: Ints, size: tuple[int, int], sure: int = 0
) -> Iterator[tuple[int, QRectF]]:
    """Yield a place below or above each of the ``wanted`` rectangles, of its width and height, that covers no node and
    no earlier name. A name without a place is left out; but the first ``sure`` names cover nodes instead."""
    taken = nodes
    for at, (node, (x, y, w, h), width) in enumerate(zip(order.tolist(), wanted.tolist(), wide.tolist(), strict=True)):
        left = min(max(x + (w - width) / 2, 0.0), max(0.0, size[0] - width))
        for top in (y + h + _GAP, y - high - _GAP):
            area = np.array([[left, top, width, high]])
            if 0 <= top <= size[1] - high and (at < sure or not overlaps(taken, area[0])):
                taken = np.concatenate([taken, area])
                yield node, QRectF(left, top, width, high)
                break


_LEAST_BOX = (26.0, 16.0)
"""Pixels: on smaller boxes a bar would hide the name."""
_ROOMY = 24.0
"""Pixels: boxes from this height on have room for a high bar below their names."""
_BADGE = 5.0


def fill_bars(painting: Painting, states: np.ndarray, shares: np.ndarray) -> None:
    """Draw a bar along the lower edge of each reduced class: as long as the remaining share. ``shares`` are from 0 to
    1, one per item."""
    painter, scene, _, look, *_ = painting
    seen, shown = painting.seen(scene.rects[scene.cards :])
    items = scene.item_of_node[scene.cards :][seen]
    share = shares[items]
    reduced = (states[items] != ItemState.GONE) & (share < 0.995) & (share > 0)
    reduced &= (shown[:, 2:] >= _LEAST_BOX).all(axis=1)
    shown, share = shown[reduced], share[reduced]
    high = np.where(shown[:, 3] < _ROOMY, 2.0, 4.0)  # the name of a low box reaches far down
    bars = np.stack([shown[:, 0] + 3, shown[:, 1] + shown[:, 3] - high - high / 2, shown[:, 2] - 6, high], axis=1)
    inked(painter, None, look.bar_ground)
    draw_rects(painter, bars)
    bars[:, 2] *= share
    painter.setBrush(look.bar_left)
    draw_rects(painter, bars)


def draw_wishes(painting: Painting, pinned: Ints, first: Ints) -> None:
    """Draw a pin at the upper right corner of a pinned item; left of it an arrow down at an item to drop first.
    Packages have the mark if one of their classes has."""
    painter, scene, _, look, *_ = painting
    for items, is_pin in ((pinned, True), (first, False)):
        placed = scene.node_of_item[items]
        nodes = np.flatnonzero(np.bincount(placed[placed >= 0], minlength=scene.nodes))
        for x, y, wide, _ in painting.seen(scene.rects[nodes])[1].tolist():
            wish_mark(painter, QPointF(x + wide - 1 - (0 if is_pin else 3 * _BADGE), y + 1), is_pin, look)


def wish_mark(painter: QPainter, at: QPointF, is_pin: bool, look: GraphStyle) -> None:
    """Draw the sign of a pin, or of an item to drop first, with its middle at a pixel."""
    inked(painter, QPen(look.canvas, 1.5), QColor(look.text))
    if is_pin:
        painter.drawEllipse(at, _BADGE, _BADGE)
        inked(painter, None, look.canvas)
        painter.drawEllipse(at, 1.8, 1.8)
    else:
        x, y = at.x(), at.y()
        corners = [QPointF(x - _BADGE, y - 4), QPointF(x + _BADGE, y - 4), QPointF(x, y + _BADGE)]
        painter.drawPolygon(QPolygonF(corners))


def wish_swatch(is_pin: bool, painter: QPainter, area: QRectF) -> None:
    """Draw the sign in a legend, or in a row of the tree."""
    wish_mark(painter, area.center(), is_pin, worn_style())
