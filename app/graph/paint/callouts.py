"""Names beside the nodes that are too small to hold theirs: of what matters most, as many as there is room for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF

from app.engine.opened_jar import Floats, Ints
from app.engine.run_state import ItemState
from app.graph.paint import graph_style as looks
from app.graph.paint.drawing import Painting, in_view, overlaps
from app.graph.scene.scene import Scene
from app.widgets import inked

_SCENE_MOST, _TRIED_MOST = 1500, 60
"""Nodes in view up to which there are names beside them, and how many of these are tried: both bound the time of a
frame."""
_PIXELS, _GAP = 10, 3.0
_ORDER = (ItemState.NEEDED, ItemState.SO_FAR, ItemState.KEPT, ItemState.TRYING)


def draw(painting: Painting, marked: Ints, plates: Floats) -> None:
    """Draw the names of nodes without one; those ``marked`` first. Nothing that is gone has a name here, and none lies
    on the ``plates``, which have names already."""
    painter, scene, camera, look, size, states = painting
    rects = camera.rects(scene.rects)
    seen = np.flatnonzero(in_view(rects, *size) & (rects[:, 2] > 0)).astype(np.int32)
    if not len(seen) or len(seen) > _SCENE_MOST or float(rects[seen, 3].max()) >= looks.LABEL_HEIGHT:
        return
    order = ranked(scene, seen, states, marked)[:_TRIED_MOST]
    if not len(order):
        return
    font = QFont(painter.font())
    font.setPixelSize(_PIXELS)
    metrics = QFontMetricsF(font)
    wide = np.array([metrics.horizontalAdvance(scene.titles[node]) for node in order.tolist()]) + 4
    painter.setFont(font)
    for node, area in placed(
        np.concatenate([rects[seen], plates]), rects[order], wide, metrics.height() - 2, order, size
    ):
        inked(painter, None, look.plate)
        painter.drawRect(area)
        painter.setPen(look.text)
        # the area is a little lower than the line: the tail of a "p" lies below it
        painter.drawText(area, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextDontClip, scene.titles[node])


def ranked(scene: Scene, seen: Ints, states: np.ndarray | None, marked: Ints) -> Ints:
    """Return the nodes in view that may have a name, by importance: those marked, what is needed or kept, and among
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
    nodes: Floats, wanted: Floats, wide: Floats, high: float, order: Ints, size: tuple[int, int]
) -> Iterator[tuple[int, QRectF]]:
    """Yield a place below or above each of the ``wanted`` rectangles, of its width and height, that covers no node and
    no earlier name. Names without a place are left out.
    """
    taken = nodes
    for node, (x, y, w, h), width in zip(order.tolist(), wanted.tolist(), wide.tolist(), strict=True):
        left = min(max(x + (w - width) / 2, 0.0), max(0.0, size[0] - width))
        for top in (y + h + _GAP, y - high - _GAP):
            area = np.array([[left, top, width, high]])
            if 0 <= top <= size[1] - high and not overlaps(taken, area[0]):
                taken = np.concatenate([taken, area])
                yield node, QRectF(left, top, width, high)
                break
