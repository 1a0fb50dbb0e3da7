"""Painting hulls, nodes and names: thousands as plain rectangles in a few calls, hundreds with care."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.engine.opened_jar import Floats, Ints
from app.engine.run_state import ItemState
from app.graph.paint import graph_style as looks
from app.graph.paint.drawing import Painting, draw_rects, draw_round, draw_tinted, overlaps
from app.graph.paint.graph_style import GraphStyle
from app.graph.paint.sprites import LEAST_NAME, MAP_LETTERS, draw_box, draw_boxes, fitted, in_area, whole_in
from app.painting import inked, lettered, letters, smooth
from app.shortening import without_middle
from app.widgets import CENTRE, made

_PLATE = 18.0
"""Pixels of height that the name of a box takes."""
_WIDEST = 1.25
"""Widths of a box that its name may take beside it."""
_MOST_HIDDEN = 0.25
"""Share of a box that its name may cover."""


_AREA_HEIGHT = 3.0
"""Pixels: areas of a treemap that are lower have no outline."""


def hulls(painting: Painting) -> None:
    """Draw the boxes of the components."""
    painter, scene, camera, look, *_ = painting
    _, boxes = painting.seen(scene.boxes)
    inked(painter, look.hull_pen, look.hull)
    if len(boxes) <= 60 and camera.scale > 0.2:
        draw_round(painter, boxes, 6)
    else:
        draw_rects(painter, boxes)


def nodes(painting: Painting, tints: np.ndarray | None) -> None:
    """Draw all nodes that can be seen, then their names if there is room. ``states`` None = no run yet. ``tints``:
    other colours for all nodes but those that are gone."""
    painter, scene, _, look, _, states = painting
    seen, shown = painting.seen(scene.rects[scene.cards :])  # cards have a painter of their own
    if not len(seen):
        return
    seen += scene.cards
    small = np.maximum(shown[:, 2:], looks.SMALLEST)
    shown[:, :2] -= (small - shown[:, 2:]) / 2
    shown[:, 2:] = small
    typical = middle(shown[:, 3])
    area = scene.view == "treemap"  # an area has corners, and shares its sides
    smooth(painter, not area and len(seen) <= looks.SMOOTH_NODES_MOST)
    careful = not area and typical >= 7 and len(seen) <= looks.ROUNDED_MOST
    outlined = typical >= (_AREA_HEIGHT if area else looks.OUTLINE_HEIGHT)
    if states is None:
        _group(painter, shown, look.idle_pen if outlined else look.no_pen, None, careful, look)
    else:
        here = states[scene.item_of_node[seen]]
        for state in (ItemState.GONE, ItemState.KEPT, ItemState.TRYING, ItemState.SO_FAR, ItemState.NEEDED):
            least = 4 if area or state is ItemState.NEEDED else 7
            pen = look.border[state] if typical > least else look.no_pen
            _group(painter, shown[here == state], pen, state, careful, look)
    if tints is not None:
        _tinted(painting, shown, seen, tints, typical)
    _names(painting if tints is None else painting._replace(states=None), seen, shown)


def _tinted(painting: Painting, shown: Floats, seen: Ints, tints: np.ndarray, typical: float) -> None:
    """Draw the remaining nodes in other colours; needed ones keep their outline."""
    painter, scene, _, look, _, states = painting
    items = scene.item_of_node[seen]
    there = np.ones(len(seen), np.bool_) if states is None else states[items] != ItemState.GONE
    needed = np.zeros(len(seen), np.bool_) if states is None else states[items] == ItemState.NEEDED
    least = _AREA_HEIGHT if scene.view == "treemap" else looks.OUTLINE_HEIGHT
    plain = look.idle_pen if typical >= least else look.no_pen
    for group, pen in ((there & ~needed, plain), (there & needed, look.border[ItemState.NEEDED])):
        painter.setPen(pen)
        draw_tinted(painter, shown[group], tints[items][group])


def _group(
    painter: QPainter, rects: Floats, pen: QPen, state: ItemState | None, careful: bool, look: GraphStyle
) -> None:
    if not len(rects):
        return
    if careful and isinstance(painter.device(), QWidget):
        draw_boxes(painter, state, rects, look)
        return
    if careful:  # into a file
        for rect in rects.tolist():
            draw_box(painter, state, QRectF(*rect), look)
        return
    painter.setPen(pen)
    for fill in [look.idle_small] if state is None and pen is look.no_pen else look.fills(state):
        painter.setBrush(fill)
        draw_rects(painter, rects)


def _names(painting: Painting, seen: Ints, shown: Floats) -> None:
    """Draw the names of nodes at rows x, y, width, height in pixels: in one line and letters for all nodes, or in those
    that each area of a treemap has room for."""
    painter, scene, _, look, _, states = painting
    room = (shown[:, 3] >= looks.LABEL_HEIGHT) & (shown[:, 2] >= looks.LABEL_WIDTH)
    if not room.any():
        return
    seen, shown = seen[room], shown[room]
    areas, usual = scene.view == "treemap", int(min(13, max(7, middle(shown[:, 3]) * 0.56)))
    for node, (x, y, w, h) in zip(seen.tolist(), shown.tolist(), strict=True):
        title, state = scene.titles[node], None if states is None else ItemState(states[scene.item_of_node[node]])
        if areas:
            pixels, lines = in_area(title, int(w - 4), int(h - 2))
            metrics, struck = letters(pixels)[1], pixels == MAP_LETTERS[0]
        else:
            pixels = whole_in(title, usual, w - 8)
            short = fitted(title, pixels, w - 8, index=scene.index)
            lines = [short] if len(short[0]) >= LEAST_NAME or short[0] == title else []  # so little tells nothing
            metrics, struck = letters(usual)[1], usual >= 10  # on smaller letters a stroke hides the name
        painter.setFont(_font(pixels, struck and state is ItemState.GONE))
        painter.setPen(look.ink[state])
        height, ascent = metrics.height(), metrics.ascent()
        top = y + (h - height * len(lines)) / 2
        base = top + ascent if areas else round(top) + round(ascent)  # on whole pixels, as the boxes are
        for number, (line, wide) in enumerate(lines):
            painter.drawText(round(x + (w - wide) / 2), round(base + number * height), line)


@lru_cache
def _font(pixels: int, struck: bool) -> QFont:
    return made(QFont(letters(pixels)[0]), strikeOut=struck)


def box_titles(painting: Painting) -> Floats:
    """Draw the names of large boxes with remaining nodes, while these nodes are too small for names: over or under
    the box, or in it if that hides little. Return the rectangles of the names: x, y, width, height in pixels."""
    painter, scene, camera, look, size, states = painting
    boxed = scene.node_box >= 0
    if not any(scene.box_titles) or middle(scene.rects[boxed, 3]) * camera.scale >= looks.LABEL_HEIGHT:
        return np.zeros((0, 4))
    left = boxed if states is None else boxed & (states[scene.item_of_node] != ItemState.GONE)
    left_of = np.bincount(scene.node_box[left], minlength=len(scene.boxes))
    seen, boxes = painting.seen(scene.boxes)
    titled = (boxes[:, 2] >= looks.BOX_TITLE_WIDTH) & (left_of[seen] > 0)
    metrics = lettered(painter, 11)
    taken = np.concatenate([boxes, painting.seen(scene.rects)[1]])
    first = len(taken)
    for box, (x, y, w, h) in zip(seen[titled].tolist(), boxes[titled].tolist(), strict=True):
        room = _WIDEST * w
        text = without_middle(scene.box_titles[box], lambda words, room=room: metrics.horizontalAdvance(words) <= room)  # type: ignore[misc]
        wide = metrics.horizontalAdvance(text) + 12
        aside = x + (w - wide) / 2
        tops = [top for top in (y - _PLATE, y + h) if 0 <= top <= size[1] - _PLATE]
        free = [top for top in tops if not overlaps(taken, np.array([aside, top, wide, _PLATE]))]
        if not free and (wide > w or wide * _PLATE > _MOST_HIDDEN * w * h):
            continue  # the title would hide what it names
        plate = np.array([[aside, free[0] if free else y + (h - _PLATE) / 2, wide, _PLATE]])
        inked(painter, None, look.plate)
        draw_round(painter, plate, 9)
        painter.setPen(look.text)
        painter.drawText(QRectF(*plate[0].tolist()), CENTRE, text)
        taken = np.concatenate([taken, plate])
    return taken[first:]


def middle(values: Floats) -> float:
    """Return the upper median. ``np.median`` does about the same, but its first call imports ``numpy.ma``: 40 ms of a
    still window."""
    return float(np.partition(values, len(values) // 2)[len(values) // 2])
