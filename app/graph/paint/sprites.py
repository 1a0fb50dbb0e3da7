"""Round boxes, drawn once and copied (a tenth of the time of drawing), and names that fit their room."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from functools import partial
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QFontMetricsF, QPainter, QPen, QPixmap

from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle
from app.painting import smooth
from app.shortening import TitleIndex, at_words, in_lines, without_middle

_MOST_SPRITES = 4000
"""Names and boxes kept; more are thrown away all at once."""
_DOTS = "…"
LEAST_NAME = 5
"""Letters of a shortened name that are worth drawing."""
_AROUND = 2
"""Pixels around a box for the width of its outline."""


class BoxSprites:
    """A picture for each size and state of a node."""

    def __init__(self) -> None:
        self._made: dict[tuple[ItemState | None, int, int, float], QPixmap] = {}

    def forget(self) -> None:
        """Forget the previous theme or scene."""
        self._made.clear()

    def draw(self, painter: QPainter, state: ItemState | None, rects: Floats, ratio: float, look: GraphStyle) -> None:
        """Draw boxes at rows x, y, width, height, on whole pixels."""
        for x, y, w, h in np.rint(rects).astype(np.int64).tolist():
            key = (state, w, h, ratio)
            made = self._made.get(key)
            if made is None:
                if len(self._made) > _MOST_SPRITES // 10:
                    self._made.clear()
                made = self._made[key] = _box(*key, look)
            painter.drawPixmap(x - _AROUND, y - _AROUND, made)


def _box(state: ItemState | None, width: int, height: int, ratio: float, look: GraphStyle) -> QPixmap:
    picture = QPixmap(round((width + 2 * _AROUND) * ratio), round((height + 2 * _AROUND) * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    with QPainter(picture) as painter:
        smooth(painter)
        draw_box(painter, state, QRectF(_AROUND, _AROUND, width, height), look)
    return picture


def draw_box(painter: QPainter, state: ItemState | None, place: QRectF, look: GraphStyle) -> None:
    """Draw a box at its place."""
    pen = QPen(look.idle_pen if state is None else look.border[state])
    pen.setCosmetic(False)  # the outline grows with the screen's scale
    fills: list[QBrush] = [look.idle if state is None else look.fill[state]]
    if state is ItemState.TRYING:
        fills.append(look.hatch)
    inset = 0.5 if pen.widthF() <= 1 else 0.0
    area = place.adjusted(inset, inset, -inset, -inset)
    painter.setPen(pen)
    for fill in fills:
        painter.setBrush(fill)
        painter.drawRoundedRect(area, 3, 3)


class Names:
    """Names shortened to their room. Adding up the widths of letters takes a few microseconds a name, Qt's own ways
    take twenty, and a zoom shortens hundreds anew each frame. Kerning moves letters together, so the sum is a little
    too large and the shortened name always fits."""

    def __init__(self) -> None:
        self._letters: dict[int, dict[str, float]] = {}
        self._made: dict[tuple[str, int, int, bool], tuple[str, float]] = {}

    def forget(self) -> None:
        """Forget the previous scene."""
        self._made.clear()

    def fitted(
        self,
        title: str,
        pixels: int,
        room: float,
        metrics: QFontMetricsF,
        left: bool | None = None,
        index: TitleIndex | None = None,
    ) -> tuple[str, float]:
        """Return the name shortened to ``room`` pixels, and its width in letters of ``pixels`` with these ``metrics``.
        ``left`` = the excess goes from the beginning; None = if the name has a dot: of nested classes and packages the
        end tells more than the beginning. With ``index``, what tells the name from the others of the scene stays: then
        the middle goes, or the other side."""
        from_left = "." in title if left is None else left
        step = int(room / 4)
        key = (title, pixels, step, from_left)
        made = self._made.get(key)
        if made is None:
            if len(self._made) > _MOST_SPRITES:
                self._made.clear()
            made = self._made[key] = self._shortened(title, pixels, step * 4 + 2, metrics, from_left, index)
        return made

    def _shortened(
        self,
        title: str,
        pixels: int,
        room: float,
        metrics: QFontMetricsF,
        from_left: bool,
        index: TitleIndex | None,
    ) -> tuple[str, float]:
        wide = metrics.horizontalAdvance(title)
        if wide <= room:
            return title, wide
        letters = self._letters.setdefault(pixels, {})
        for letter in {_DOTS, *title} - letters.keys():
            letters[letter] = metrics.horizontalAdvance(letter)
        ends = list(accumulate(map(letters.__getitem__, reversed(title) if from_left else title)))
        count = bisect_right(ends, room - letters[_DOTS])
        if not count and letters[_DOTS] > room:
            return "", 0.0
        begin, end = ("", title[len(title) - count :]) if from_left else (title[:count], "")
        if index is not None and not index.only_one(begin, end):
            begin, end = self._telling(title, letters, room, from_left, index)
        whole = at_words(begin, end, title)
        if index is None or index.only_one(*whole):
            begin, end = whole
        short = begin + _DOTS + end
        return short, metrics.horizontalAdvance(short)

    def _telling(
        self, title: str, letters: dict[str, float], room: float, from_left: bool, index: TitleIndex
    ) -> tuple[str, str]:
        """Return a beginning and an end that fit and belong to no other name: of equal length, else more from one side.
        If there are none, of equal length."""
        ways = []
        for share in (0.5, 0.3, 0.7, 0.0 if not from_left else 1.0):
            space = room - letters[_DOTS]
            ahead = bisect_right(list(accumulate(map(letters.__getitem__, title))), space * share)
            taken = sum(map(letters.__getitem__, title[:ahead]))
            behind = bisect_right(list(accumulate(map(letters.__getitem__, reversed(title)))), space - taken)
            ways.append((title[:ahead], title[len(title) - behind :] if behind else ""))
        return next((way for way in ways if index.only_one(*way)), ways[0])


class MapNames:
    """Names in areas of all sizes: in as many lines as there is room for, then in smaller letters, then without whole
    words. No word is cut."""

    def __init__(self) -> None:
        self._letters: dict[tuple[int, str], float] = {}
        self._made: dict[tuple[str, int, int], tuple[int, list[tuple[str, float]]]] = {}

    def forget(self) -> None:
        """Forget the previous scene."""
        self._made.clear()

    def fitted(
        self, title: str, wide: float, high: float, metrics: Mapping[int, QFontMetricsF]
    ) -> tuple[int, list[tuple[str, float]]]:
        """Return the pixels of the letters and the lines, each with its width; no line = there is no room for a word.
        ``metrics`` are those of the letters to choose from, the largest first."""
        key = (title, int(wide), int(high))
        made = self._made.get(key)
        if made is None:
            if len(self._made) > _MOST_SPRITES:
                self._made.clear()
            made = self._made[key] = self._chosen(*key, metrics)
        return made

    def _chosen(
        self, title: str, wide: float, high: float, metrics: Mapping[int, QFontMetricsF]
    ) -> tuple[int, list[tuple[str, float]]]:
        pixels = 0
        for pixels, metric in metrics.items():
            width = partial(self._width, pixels, metric)
            lines = in_lines(title, lambda words, width=width: width(words) <= wide)  # type: ignore[misc]
            if lines and len(lines) * metric.height() <= high:
                return pixels, [(line, width(line)) for line in lines]
        short = without_middle(title, lambda words: width(words) <= wide) if metric.height() <= high else ""
        return pixels, [(short, width(short))] if len(short) >= LEAST_NAME else []

    def _width(self, pixels: int, metric: QFontMetricsF, words: str) -> float:
        """Return the width of a text, as the sum of its letters' widths."""
        for letter in set(words):
            if (pixels, letter) not in self._letters:
                self._letters[pixels, letter] = metric.horizontalAdvance(letter)
        return sum(self._letters[pixels, letter] for letter in words)
