"""Painting the package view: a card a package, with a bar of how its classes fare."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app import text
from app.engine.run_state import ItemState
from app.graph.paint.drawing import Painting, draw_rects, in_view
from app.graph.paint.graph_style import GraphStyle
from app.graph.paint.sprites import Names
from app.graph.paint.tints import brush
from app.graph.scene.scene import Scene
from app.widgets import inked

BAR_ORDER = (ItemState.NEEDED, ItemState.SO_FAR, ItemState.KEPT, ItemState.TRYING, ItemState.GONE)
TELLING = BAR_ORDER[::-1]
"""The states, that which tells most last."""
_LARGEST_NAME, _NAME, _SMALLEST_NAME = 14, 9, 8
"""Pixels: heights of the letters of a name."""
_ROUNDED = 2
"""Pixels by which the room of a name may be rounded down, so that shortened names can be kept."""
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


class CardPainter:
    """A painter of packages. ``states`` None = no run yet."""

    def __init__(self) -> None:
        self._names = Names()

    def forget(self) -> None:
        """Forget the previous scene."""
        self._names.forget()

    def draw(self, painting: Painting, tints: np.ndarray | None = None) -> None:
        """Draw all packages that can be seen; with ``tints`` in the colour of their first class."""
        painter, scene, camera, look, size, states = painting
        rects = camera.rects(scene.rects[: scene.cards])
        seen = np.flatnonzero(in_view(rects, *size))
        shown = rects[seen]
        counts = None if states is None else tally(scene, states)
        large = (shown[:, 2] >= _CARD_WIDTH) & (shown[:, 3] >= _CARD_HEIGHT)
        small = shown[~large]
        inked(painter, look.idle_pen, look.idle)
        draw_rects(painter, small)
        if counts is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            for node, rect in zip(seen[~large].tolist(), small.tolist(), strict=True):
                self._bar(painter, QRectF(*rect), counts[node], look)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pixels = int(min(_LARGEST_NAME, max(_NAME, 14 * camera.scale)))
        for node, rect in zip(seen[large].tolist(), shown[large].tolist(), strict=True):
            self._card(painting, node, QRectF(*rect), None if counts is None else counts[node], pixels)
            if tints is not None and len(items := scene.members.of(node)):
                inked(painter, None, brush(int(tints[items].max()), look.theme.dark))
                painter.drawRoundedRect(QRectF(rect[0] + 1, rect[1] + 1, 6, rect[3] - 2), 3, 3)

    def _card(
        self,
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
        two_lines = area.height() >= 30
        gap = 3.0 if area.height() >= 22 else 0.5  # on a low card the bar makes room for the name
        inner = area.adjusted(2, 2 if gap > 1 else 0, -2, -bar - gap if counts is not None else -2)
        name_font, facts_font = _fonts(painter.font().family(), pixels)
        metrics = QFontMetricsF(name_font)
        title = scene.titles[node]
        while pixels > _SMALLEST_NAME and metrics.horizontalAdvance(title) > inner.width() - _ROUNDED:
            pixels -= 1
            name_font, _ = _fonts(painter.font().family(), pixels)
            metrics = QFontMetricsF(name_font)
        name, _ = self._names.fitted(title, pixels, inner.width(), metrics, left=True, index=scene.index)
        painter.setFont(name_font)
        painter.setPen(look.muted if gone else look.text)
        if two_lines:
            half = QRectF(inner.x(), inner.y(), inner.width(), inner.height() * 0.54)
            painter.drawText(half, Qt.AlignmentFlag.AlignCenter, name)
            painter.setFont(facts_font)
            painter.setPen(look.muted)
            if counts is None:
                facts = text.plural(total, "class", "classes")
            else:
                facts = f"{text.count(total - int(counts[ItemState.GONE]))} of {text.count(total)}"
            rest = QRectF(inner.x(), half.bottom(), inner.width(), inner.height() * 0.46)
            small = QFontMetricsF(facts_font)
            if small.horizontalAdvance(facts) > rest.width():
                facts = text.count(total)
            painter.drawText(rest, Qt.AlignmentFlag.AlignCenter, facts)
        else:
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, name)
        if counts is not None:
            strip = QRectF(area.x() + 6, area.bottom() - bar - gap, area.width() - 12, bar)
            painter.setPen(Qt.PenStyle.NoPen)
            self._bar(painter, strip, counts, look)

    def _bar(self, painter: QPainter, area: QRectF, counts: np.ndarray, look: GraphStyle) -> None:
        total = int(counts.sum())
        x = area.x()
        for state in BAR_ORDER:
            if not total or not counts[state]:
                continue
            part = QRectF(QPointF(x, area.y()), area.bottomRight())
            part.setWidth(area.width() * int(counts[state]) / total)
            painter.setBrush(look.gone_bar if state is ItemState.GONE else look.fill[state])
            painter.drawRect(part)
            if state is ItemState.TRYING:
                painter.setBrush(look.hatch)
                painter.drawRect(part)
            x = part.right()


@lru_cache(maxsize=64)
def _fonts(family: str, pixels: int) -> tuple[QFont, QFont]:
    name, facts = QFont(family), QFont(family)
    name.setPixelSize(pixels)
    facts.setPixelSize(max(8, pixels - 2))
    return name, facts
