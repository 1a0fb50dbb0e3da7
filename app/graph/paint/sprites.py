"""Round boxes, drawn once and copied (a tenth of the time of drawing), and names that fit their room."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPen, QPixmap

from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle
from app.painting import blank, inked, letters, smooth
from app.shortening import Alone, Fits, TitleIndex, in_lines, short_package, without_middle
from app.widgets import made

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
    picture = blank(width + 2 * _AROUND, height + 2 * _AROUND, ratio)
    with QPainter(picture) as painter:
        smooth(painter)
        draw_box(painter, state, QRectF(_AROUND, _AROUND, width, height), look)
    return picture


def draw_box(painter: QPainter, state: ItemState | None, place: QRectF, look: GraphStyle) -> None:
    """Draw a box at its place."""
    pen = made(QPen(look.border[state]), cosmetic=False)  # the outline grows with the screen's scale
    inset = 0.5 if pen.widthF() <= 1 else 0.0
    area = place.adjusted(inset, inset, -inset, -inset)
    for fill in look.fills(state):
        inked(painter, pen, fill)
        painter.drawRoundedRect(area, 3, 3)


class _Widths(dict[str, float]):
    """The widths of letters in pixels, each measured once."""

    def __init__(self, pixels: int, bold: bool) -> None:
        self._metrics = letters(pixels, bold)[1]

    def __missing__(self, letter: str) -> float:
        wide = self[letter] = self._metrics.horizontalAdvance(letter)
        return wide

    def of(self, words: str) -> float:
        return sum(map(self.__getitem__, words))

    def fitting(self, room: float) -> Fits:
        return lambda words: self.of(words) <= room


_widths = lru_cache(_Widths)


def fitted(
    title: str, pixels: int, room: float, left: bool = False, index: TitleIndex | None = None, bold: bool = False
) -> tuple[str, float]:
    """Return the name shortened to ``room`` pixels, and its width in letters of ``pixels``. With ``left``, and of a
    name with a dot, the beginning goes: of packages and nested classes the end tells more. With ``index``, what tells
    the name from the others of the scene stays: then the middle goes.

    Adding up the widths of letters takes a microsecond, Qt's own ways take twenty, and a zoom shortens hundreds of
    names anew each frame. Kerning moves letters together, so the sum is a little too large and the shortened name
    always fits.
    """
    return _shortened(title, pixels, int(room / 4), left or "." in title, index, bold)


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

    fits = _widths(pixels, bold).fitting(room)
    alone: Alone = index.only_one if index is not None else lambda begin, end: True
    short = short_package(title, fits) if from_left else ""
    if len(short) < LEAST_NAME or not alone(*short.split(_DOTS, 1)):
        begins = (f"{title[:count]}{_DOTS}" for count in range(len(title) - 1, 0, -1))
        ways = [without_middle(title, fits, alone), short, next(filter(fits, begins), "")]
        ways = [way for way in ways if way]
        short = next((way for way in ways if alone(*way.split(_DOTS, 1))), (ways or [""])[0])
    return short, advance(short)


@lru_cache(_MOST_NAMES)
def in_area(title: str, wide: int, high: int) -> tuple[int, list[tuple[str, float]]]:
    """Return the pixels of the letters and the lines of a name in an area of any size, each line with its width: as
    many lines as there is room for, then smaller letters, then without whole words. No word is cut; no line = there is
    no room for a word."""
    for pixels in MAP_LETTERS:
        widths = _widths(pixels, False)
        height = letters(pixels)[1].height()
        lines = in_lines(title, widths.fitting(wide))
        if lines and len(lines) * height <= high:
            return pixels, [(line, widths.of(line)) for line in lines]
    short = without_middle(title, widths.fitting(wide)) if height <= high else ""
    return pixels, [(short, widths.of(short))] if len(short) >= LEAST_NAME else []
