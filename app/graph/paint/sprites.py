"""Round boxes, drawn once and copied (a tenth of the time of drawing), and names that fit their room."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPen, QPixmap

from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle
from app.painting import letters, smooth
from app.shortening import TitleIndex, at_words, in_lines, without_middle

_MOST_BOXES, _MOST_NAMES = 400, 4000
"""Boxes and names that are kept."""
_DOTS = "…"
LEAST_NAME = 5
"""Letters of a shortened name that are worth drawing."""
_AROUND = 2
"""Pixels around a box for the width of its outline."""
SMALLEST_NAME = 8
"""Pixels of the smallest letters of a name that would be cut in larger ones."""
MAP_LETTERS = (10, 9, 8)
"""Pixels of the names in a treemap, whose rectangles are of all sizes; the larger ones first."""


def draw_boxes(painter: QPainter, state: ItemState | None, rects: Floats, look: GraphStyle) -> None:
    """Draw boxes at rows x, y, width, height, on whole pixels."""
    ratio = painter.device().devicePixelRatio()
    for x, y, w, h in np.rint(rects).astype(np.int64).tolist():
        painter.drawPixmap(x - _AROUND, y - _AROUND, _box(state, w, h, ratio, look))


@lru_cache(_MOST_BOXES)
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


@lru_cache(_MOST_NAMES)
def _width(letter: str, pixels: int, bold: bool = False) -> float:
    return letters(pixels, bold)[1].horizontalAdvance(letter)


def fitted(
    title: str,
    pixels: int,
    room: float,
    left: bool | None = None,
    index: TitleIndex | None = None,
    bold: bool = False,
) -> tuple[str, float]:
    """Return the name shortened to ``room`` pixels, and its width in letters of ``pixels``. ``left`` = the excess goes
    from the beginning; None = if the name has a dot: of nested classes and packages the end tells more than the
    beginning. With ``index``, what tells the name from the others of the scene stays: then the middle goes, or the
    other side.

    Adding up the widths of letters takes a few microseconds a name, Qt's own ways take twenty, and a zoom shortens
    hundreds anew each frame. Kerning moves letters together, so the sum is a little too large and the shortened name
    always fits.
    """
    return _shortened(title, pixels, int(room / 4), "." in title if left is None else left, index, bold)


def whole_in(title: str, pixels: int, room: float) -> int:
    """Return the largest letters, of ``pixels`` at most, in which a name fits whole; the smallest ones if it fits in
    none."""
    while pixels > SMALLEST_NAME and letters(pixels)[1].horizontalAdvance(title) > room:
        pixels -= 1
    return pixels


@lru_cache(_MOST_NAMES)
def _shortened(
    title: str, pixels: int, step: int, from_left: bool, index: TitleIndex | None, bold: bool
) -> tuple[str, float]:
    advance, room = letters(pixels, bold)[1].horizontalAdvance, step * 4 + 2.0
    wide = advance(title)
    if wide <= room:
        return title, wide
    widths = [_width(letter, pixels, bold) for letter in title]
    room -= _width(_DOTS, pixels, bold)
    count = _many(widths[::-1] if from_left else widths, room)
    if not count and room < 0:
        return "", 0.0
    begin, end = ("", title[len(title) - count :]) if from_left else (title[:count], "")
    if index is not None and not index.only_one(begin, end):
        begin, end = _telling(title, widths, room, from_left, index)
    whole = at_words(begin, end, title)
    if index is None or index.only_one(*whole):
        begin, end = whole
    short = begin + _DOTS + end
    return short, advance(short)


def _many(widths: list[float], room: float) -> int:
    """Return how many letters of these widths fit, from the first one on."""
    return bisect_right(list(accumulate(widths)), room)


def _telling(title: str, widths: list[float], room: float, from_left: bool, index: TitleIndex) -> tuple[str, str]:
    """Return a beginning and an end that fit and belong to no other name: of equal length, else more from one side.
    If there are none, of equal length."""
    ways = []
    for share in (0.5, 0.3, 0.7, 0.0 if not from_left else 1.0):
        ahead = _many(widths, room * share)
        behind = _many(widths[::-1], room - sum(widths[:ahead]))
        ways.append((title[:ahead], title[len(title) - behind :] if behind else ""))
    return next((way for way in ways if index.only_one(*way)), ways[0])


@lru_cache(_MOST_NAMES)
def in_area(title: str, wide: int, high: int) -> tuple[int, list[tuple[str, float]]]:
    """Return the pixels of the letters and the lines of a name in an area of any size, each line with its width: as
    many lines as there is room for, then smaller letters, then without whole words. No word is cut; no line = there is
    no room for a word."""

    def width(words: str) -> float:
        return sum(_width(letter, pixels) for letter in words)

    for pixels in MAP_LETTERS:
        height = letters(pixels)[1].height()
        lines = in_lines(title, lambda words: width(words) <= wide)
        if lines and len(lines) * height <= high:
            return pixels, [(line, width(line)) for line in lines]
    short = without_middle(title, lambda words: width(words) <= wide) if height <= high else ""
    return pixels, [(short, width(short))] if len(short) >= LEAST_NAME else []
