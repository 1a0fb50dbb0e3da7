"""Painting the package view: a card for each package, frames around opened ones, boxes of cycles."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QPainter, QPen

from app import text
from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.paint.drawing import Painting, draw_rects, draw_round, overlaps
from app.graph.paint.graph_style import GraphStyle, brush, worn_style
from app.graph.paint.sprites import fitted, whole_in
from app.graph.scene.scene import Scene
from app.painting import inked, lettered, smooth
from app.widgets import CENTRE, made

BAR_ORDER = (ItemState.NEEDED, ItemState.SO_FAR, ItemState.KEPT, ItemState.TRYING, ItemState.GONE)
TELLING = BAR_ORDER[::-1]
"""The states. The most telling one comes last."""
_LARGEST_NAME, _NAME = 14, 9
"""Pixels: heights of the letters of a name."""
_ROUNDED = 2
"""Pixels by which the room of a name may be rounded down. Then shortened names can be kept."""
_WHOLE = CENTRE | Qt.TextFlag.TextDontClip
"""Lines stand closer than a font asks for: what hangs below a line reaches into the next one's empty top."""
_CARD_WIDTH, _CARD_HEIGHT = 26.0, 10.0
"""Pixels: smaller packages are drawn as plain rectangles."""


def tally(scene: Scene, states: np.ndarray) -> np.ndarray:
    """Return the items of each node (row) in each state (column)."""
    node = scene.node_of_item
    placed = node >= 0
    keys = node[placed].astype(np.int64) * len(ItemState) + states[placed]
    return np.bincount(keys, minlength=scene.nodes * len(ItemState)).reshape(scene.nodes, len(ItemState))


def most_telling(node_of_item: np.ndarray, states: np.ndarray, nodes: int) -> np.ndarray:
    """Return the most telling state among the items of each of ``nodes`` (needed, kept, trying, gone)."""
    rank = np.argsort(TELLING)
    told = np.zeros(nodes, np.int64)
    placed = node_of_item >= 0
    np.maximum.at(told, node_of_item[placed], rank[states[placed]])
    return np.array(TELLING)[told]


def draw_states(painter: QPainter, rects: Floats, states: np.ndarray, outlined: bool = False) -> None:
    """Draw rectangles, rows x, y, width, height, in their states."""
    look = worn_style()
    for state in TELLING:
        mine = rects[states == state]
        for fill in _bar_fills(look, state)[: 2 if outlined else 1]:
            inked(painter, look.border[state] if outlined else None, fill)
            draw_rects(painter, mine)


def _bar_fills(look: GraphStyle, state: ItemState) -> list[QBrush]:
    """Return the brushes for a part of a bar, or a cell, in a state."""
    return [look.gone_bar] if state is ItemState.GONE else look.fills(state)


def draw_cards(painting: Painting, tints: np.ndarray | None) -> None:
    """Draw all packages that can be seen; with ``tints`` in the colour of their first class."""
    painter, scene, camera, look, _, states = painting
    seen, shown = painting.seen(scene.rects[: scene.cards])
    counts = None if states is None else tally(scene, states)
    large = (shown[:, 2] >= _CARD_WIDTH) & (shown[:, 3] >= _CARD_HEIGHT)
    small = shown[~large]
    inked(painter, look.idle_pen, look.idle)
    draw_rects(painter, small)
    if counts is not None:
        painter.setPen(Qt.PenStyle.NoPen)
        for node, rect in zip(seen[~large].tolist(), small.tolist(), strict=True):
            _bar(painter, QRectF(*rect), counts[node], look)
    smooth(painter)
    pixels = int(min(_LARGEST_NAME, max(_NAME, 14 * camera.scale)))
    for node, rect in zip(seen[large].tolist(), shown[large].tolist(), strict=True):
        _card(painting, node, QRectF(*rect), None if counts is None else counts[node], pixels)
        if tints is not None and len(items := scene.members.of(node)):
            inked(painter, None, brush(int(tints[items].max()), look.theme.dark))
            painter.drawRoundedRect(QRectF(rect[0] + 1, rect[1] + 1, 6, rect[3] - 2), 3, 3)


def _card(
    painting: Painting,
    node: int,
    area: QRectF,
    counts: np.ndarray | None,
    pixels: int,
) -> None:
    painter, scene, _, look, *_ = painting
    total = scene.members.degree(node)
    gone = counts is not None and counts[ItemState.GONE] == total
    painter.setBrush(look.fill[ItemState.GONE] if gone else look.idle)
    pen = QPen(look.border[ItemState.GONE] if gone else look.idle_pen)
    painter.setPen(pen)
    painter.drawRoundedRect(area, 5, 5)
    bar = min(6.0, max(3.0, area.height() * 0.12))
    gap = 3.0 if area.height() >= 22 else 0.5  # on a low card the bar makes room for the name
    inner = area.adjusted(2, 2 if gap > 1 else 0, -2, -bar - gap if counts is not None else -2)
    facts_letters, title = max(8, pixels - 2), scene.titles[node]
    two_lines = round(inner.height()) >= pixels + facts_letters
    pixels = whole_in(title, pixels, inner.width() - _ROUNDED)
    name, _ = fitted(title, pixels, inner.width(), left=True, index=scene.index)
    lettered(painter, pixels)
    painter.setPen(look.muted if gone else look.text)
    if two_lines:
        half = QRectF(inner.x(), inner.y(), inner.width(), inner.height() * 0.54)
        painter.drawText(half, _WHOLE, name)
        small = lettered(painter, facts_letters)
        painter.setPen(look.muted)
        if counts is None:
            facts = text.classes(total)
        else:
            facts = f"{text.count(total - int(counts[ItemState.GONE]))} of {text.count(total)}"
        rest = inner.adjusted(0, half.height(), 0, 0)
        if small.horizontalAdvance(facts) > rest.width():
            facts = text.count(total)
        painter.drawText(rest, _WHOLE, facts)
    else:
        painter.drawText(inner, _WHOLE, name)
    if counts is not None:
        strip = QRectF(area.x() + 6, area.bottom() - bar - gap, area.width() - 12, bar)
        painter.setPen(Qt.PenStyle.NoPen)
        _bar(painter, strip, counts, look)


def _bar(painter: QPainter, area: QRectF, counts: np.ndarray, look: GraphStyle) -> None:
    total = int(counts.sum())
    x = area.x()
    for state in BAR_ORDER:
        if not total or not counts[state]:
            continue
        part = QRectF(QPointF(x, area.y()), area.bottomRight())
        part.setWidth(area.width() * int(counts[state]) / total)
        for fill in _bar_fills(look, state):
            painter.setBrush(fill)
            painter.drawRect(part)
        x = part.right()


HEAD = 24.0
"""Scene units: the strip at the top of a frame that its title stands in."""
_ROUND_FRAMES_MOST = 40
"""Up to this many frames have round corners and smooth outlines: each of them is as dear as 40 plain ones."""
_ROUNDED_MOST = 60
"""Up to this many boxes of classes have round corners."""
_TITLE_WIDTH = 46.0
"""Pixels: narrower frames have no title."""


def draw_frames(painting: Painting) -> None:
    """Draw frames and the cycles of packages, outer ones first, then the cycles of classes."""
    painter, scene, _, look, *_ = painting
    framed = len(scene.frames)
    seen, rects = painting.seen(np.concatenate([scene.frames, scene.boxes]))
    of_classes = (seen >= framed) & np.isin(seen - framed, scene.node_box)
    order = np.argsort(-(rects[:, 2] * rects[:, 3]), kind="stable")
    order = order[~of_classes[order]]
    frames, opened = rects[order], seen[order] < framed
    fill = made(QColor(look.hull.color()), alpha=90)
    cycle = made(QPen(look.hull_pen), style=Qt.PenStyle.DashLine)
    if len(frames) > _ROUND_FRAMES_MOST or scene.view == "treemap":  # small ones lie apart: in any order
        smooth(painter, False)
        for pen, inside, part in ((QPen(look.frame_pen.color(), 1), fill, opened), (cycle, None, ~opened)):
            inked(painter, pen, inside)
            draw_rects(painter, frames[part])
    else:
        for at, is_package in enumerate(opened.tolist()):
            inked(painter, look.frame_pen if is_package else cycle, fill if is_package else None)
            draw_round(painter, frames[at : at + 1], 6)
    boxes = rects[of_classes]
    inked(painter, look.hull_pen, look.hull)
    if len(boxes) <= _ROUNDED_MOST:
        draw_round(painter, boxes, 5)
    else:
        smooth(painter, False)
        draw_rects(painter, boxes)


def draw_frame_titles(painting: Painting) -> Floats:
    """Draw the names of the frames that can be seen and are wide enough, in their upper left corners; on a plate if the
    strip is too low. Return their rectangles: x, y, width, height in pixels."""
    painter, scene, camera, look, *_ = painting
    seen, rects = painting.seen(scene.frames)
    room = HEAD * camera.scale
    pixels = int(min(14, max(9, room * 0.55)))
    metrics = lettered(painter, pixels, bold=True)
    line = metrics.height()
    high = max(room, line + 2) - 2
    plates = np.zeros((len(seen), 4))
    words: list[str] = []
    for index, (x, y, w, h) in zip(seen.tolist(), rects.tolist(), strict=True):
        left = max(x, 0.0)  # of a frame that begins outside, the title stays in sight
        if w < _TITLE_WIDTH or h < line:
            continue
        space = min(w - 12, x + w - left - 12)
        name, wide = fitted(scene.frame_titles[index], pixels, space, left=True, bold=True)
        top = y + 1 if room >= line else y + room - high  # a low strip: on the border, not on what is below it
        plate = np.array([left + 6, top, wide + 4, high])
        if name and not overlaps(plates[: len(words)], plate):  # the outer frame's title goes before those within
            plates[len(words)] = plate
            words.append(name)
    plates = plates[: len(words)]
    if len(plates):  # edges do not run across names
        smooth(painter, False)
        inked(painter, None, QBrush(look.plate))
        draw_rects(painter, plates)
        smooth(painter)
    painter.setPen(look.text)
    base = (high - line) / 2 + metrics.ascent()
    for (x, y, *_), name in zip(plates.tolist(), words, strict=True):
        painter.drawText(round(x + 2), round(y + base), name)
    return plates


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
