"""Painting the dependency structure matrix: rows need columns; below the diagonal all is well, above it are the cycles.
The user's actions on it are in ``matrix.py``."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent

from app.engine.opened_jar import Floats
from app.engine.run_state import ItemState
from app.graph.paint.drawing import WholePicture, draw_lines, draw_rects, draw_tinted, in_view, keyboard_line
from app.graph.paint.graph_style import ink_on, mixed, worn_style
from app.graph.paint.package_painting import draw_states, most_telling
from app.graph.paint.sprites import fitted
from app.graph.paint.walked import WalkedPicture
from app.graph.scene.camera import Camera
from app.graph.scene.cells import NO_CELLS, Cells, without_prefix
from app.painting import inked, lettered, letters
from app.widgets import CENTRE

_HEAD = 132
"""Pixels that names may always take, left and above."""
_LETTERS = 8
"""Height of a name in pixels; if rows are lower, only some have names."""
_READABLE, _READ_MOST = 10.0, 160
"""Pixels of a row when a matrix is first shown, and rows up to which a part of the matrix is shown rather than lower
rows."""
_WIDEST_CELL = 2.4
"""Heights of a cell that it is wide at most, to use the page."""
_SHADES = ((1, 90), (4, 140), (15, 195), (1 << 30, 255))
"""Cells of up to so many class edges are so opaque."""
_GONE = 2 * len(_SHADES)
"""Behind the inks of ordinary cells: below the diagonal, then above it, by shade."""
_MOST_AT_FIT = 24.0
_COUNTED = 15.0
"""Pixels: in cells at least this large stands how many class edges they are."""
_BAND = 60
"""Opacity of the bands of the selected row and column, of 255."""
_MEASURED = 400
"""Most names to measure for the room of names."""
_HEAD_SHARE, _LEAST_HEAD = 0.32, 60
"""Names take at most this share of the widget, and so many pixels at least."""


class MatrixPicture(WalkedPicture):
    """A picture of a matrix as a camera sees it: a row is one scene unit high."""

    inks = _GONE + 1
    """Number of colours of cells."""

    def __init__(self) -> None:
        super().__init__()
        self.cells = NO_CELLS
        self.head = _HEAD
        """Pixels for the names, left and above."""
        self._short: list[str] = []
        self._widest = 0.0
        self.stretch = 1.0
        """Width of a cell in heights."""
        self.selected = (-1, -1)
        """Row and column."""
        self.hover = (-1, -1)
        self.cuts: list[tuple[int, int]] = []
        """Edges to cut, as pairs of items: row and column."""
        self._states: np.ndarray | None = None
        self._tints: np.ndarray | None = None
        self._inks = np.zeros(0, np.int8)
        self._touched = False
        self.setAccessibleName("Dependency structure matrix")

    # -- what is shown ------------------------------------------------------------------

    def set_cells(self, cells: Cells) -> None:
        """Show another matrix, whole."""
        self.cells, self._states = cells, None
        self._inks = _inks(cells)
        self.selected = self.hover = (-1, -1)
        self.cuts = self.cuts if cells.size else []
        self._short = without_prefix(cells.short)
        self._widest = max(map(letters(12)[1].horizontalAdvance, self._short[:_MEASURED]), default=0.0)
        self._show_readable()

    def set_states(self, states: np.ndarray | None) -> None:
        """Set the states of the items; None: no run."""
        cells = self.cells
        self._states = None if states is None or not cells.size else most_telling(cells.members, states, cells.size)
        self.update()

    def set_tints(self, tints: np.ndarray | None) -> None:
        """Set the number of a colour of each item, for the diagonal; None: the colours of the states."""
        self._tints = tints
        self.update()

    # -- camera -------------------------------------------------------------------------

    def fit(self) -> None:
        """Show the whole matrix."""
        self._place(0.0)

    def _show_readable(self) -> None:
        """Show the whole matrix, or of one with rows too low for their names the upper left part."""
        self._place(_READABLE if self.cells.size <= _READ_MOST else 0.0)

    def _place(self, least: float) -> None:
        """Show the whole matrix, but no row lower than ``least`` pixels."""
        size = max(self.cells.size, 1)
        most = max(_HEAD, _HEAD_SHARE * min(self.width(), self.height()))
        self.head = int(min(most, max(_LEAST_HEAD, self._widest + 18)))
        room = min(self.width(), self.height()) - self.head - 12
        scale = max(least, min(_MOST_AT_FIT, max(room, 40) / size))
        wide = self.width() - self.head - 12
        self.stretch = min(_WIDEST_CELL, max(1.0, wide / (scale * size)))
        left = self.head + max(0.0, (wide - scale * self.stretch * size) / 2)
        self.camera = Camera(scale, left, self.head)
        self._touched = False
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if not self._touched:
            self._show_readable()

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.paint(painter)

    def paint(self, painter: QPainter) -> None:
        """Paint the matrix as its camera sees it."""
        painter.fillRect(self.rect(), worn_style().canvas)
        if not self.cells.size:
            return
        painter.setClipRect(self.head, self.head, self.width() - self.head, self.height() - self.head)
        self._ground(painter, self.cells)
        there, inks = self._marks(painter, self.cells)
        self._outline_cuts(painter)
        self._cross(painter, self.cells)
        if self.camera.scale >= _COUNTED and self.cells.rows != "classes":
            self._counts(painter, self.cells, there, inks)
        painter.setClipping(False)
        self._names(painter, self.cells)
        if self.hasFocus():
            keyboard_line(painter, self.rect())

    def whole(self, title: str) -> WholePicture | None:
        """Return the matrix as it looks now, all of it, without selection and pointer; None if there is none."""
        if not self.cells.size:
            return None
        clone = MatrixPicture()
        for name in ("cells", "cuts", "_states", "_tints", "_inks", "_short", "_widest"):
            setattr(clone, name, getattr(self, name))
        clone.head = int(min(_HEAD, self._widest + 18))
        clone.camera = Camera(_COUNTED, clone.head, clone.head)
        side = round(clone.head + _COUNTED * self.cells.size + 12)
        clone.resize(side, side)
        return WholePicture(title, (side, side), (clone.paint,))

    def _pixels(
        self, row: np.ndarray | int, column: np.ndarray | int, rows: np.ndarray | int = 1, inset: float = 0.0
    ) -> Floats:
        """Return x, y, width, height in pixels of cells, or of blocks of so many ``rows``, without ``inset`` rows at
        each side."""
        sides = (column * self.stretch + inset, row + inset, rows * self.stretch - 2 * inset, rows - 2 * inset)
        return self.camera.rects(np.column_stack(np.broadcast_arrays(*sides)))

    def _ground(self, painter: QPainter, cells: Cells) -> None:
        look, size = worn_style(), cells.size
        whole = QRectF(*self._pixels(0, 0, size)[0].tolist())
        painter.fillRect(whole, look.surface)
        inked(painter, look.hull_pen, look.hull)
        first, count = cells.groups.T
        draw_rects(painter, self._pixels(first, first, count))
        if self.camera.scale >= 7:
            painter.setPen(look.edge_gone)
            at = np.arange(size + 1.0)
            none, ends, across = 0 * at, 0 * at + size, at * self.stretch
            draw_lines(painter, self.camera.lines(np.column_stack([none, at, ends * self.stretch, at])))
            draw_lines(painter, self.camera.lines(np.column_stack([across, none, across, ends])))
        inked(painter, look.hull_pen)
        painter.drawRect(whole)

    def _marks(self, painter: QPainter, cells: Cells) -> tuple[np.ndarray, np.ndarray]:
        """Paint the cells in view. Return the cells and their inks."""
        (left, top), (right, low) = self.camera.to_scene(0, 0), self.camera.to_scene(self.width(), self.height())
        row, column = cells.cells[:, 0], cells.cells[:, 1]
        seen = (row >= top - 1) & (row <= low) & (column >= left / self.stretch - 1) & (column <= right / self.stretch)
        there = np.flatnonzero(seen)
        row, column, ink = row[there], column[there], self._inks[there]
        if self._states is not None:
            gone = self._states == ItemState.GONE
            ink = np.where(gone[row] | gone[column], _GONE, ink)
        shown = self._pixels(row, column, inset=0.08 if self.camera.scale >= 7 else 0.0)
        shown[:, 2:] = np.maximum(shown[:, 2:], 1.4)  # a cell of a large matrix is still a dot
        for number in (_GONE, *range(_GONE)):
            inked(painter, None, self.colour(number))
            draw_rects(painter, shown[ink == number])
        self._diagonal(painter, cells)
        return there, ink

    def _outline_cuts(self, painter: QPainter) -> None:
        """Draw outlines around the cells with edges to cut."""
        row, column = self.cells.members[np.array(self.cuts, np.int64).reshape(-1, 2)].T
        there = (row >= 0) & (column >= 0) & (row != column)
        inked(painter, QPen(worn_style().path, 1.8))
        draw_rects(painter, self._pixels(row[there], column[there]))

    def colour(self, ink: int) -> QColor:
        """Return the colour of an ink."""
        if ink == _GONE:
            return worn_style().gone_bar.color()
        upward, shade = divmod(ink, len(_SHADES))
        opaque = 220 if self.cells.rows == "classes" else _SHADES[shade][1]
        look = worn_style()
        return mixed(look.needs if upward else look.below, look.surface, opaque / 255)

    def _counts(self, painter: QPainter, cells: Cells, there: np.ndarray, inks: np.ndarray) -> None:
        """Draw the number of class edges in each visible cell."""
        plain = [self.colour(ink) for ink in range(self.inks)]
        banded = [mixed(worn_style().accent, colour, _BAND / 255) for colour in plain]
        pens, banded_pens = [ink_on(colour) for colour in plain], [ink_on(colour) for colour in banded]
        metrics = lettered(painter, int(min(11, self.camera.scale * 0.5)))
        row, column, weights = cells.cells[there].T
        banded_cells = (row == self.selected[0]) | (column == self.selected[1])
        rects = self._pixels(row, column)
        for rect, weight, ink, marked in zip(
            rects.tolist(), weights.tolist(), inks.tolist(), banded_cells.tolist(), strict=True
        ):
            words = str(weight) if weight < 1000 else f"{weight // 1000}k"
            if metrics.horizontalAdvance(words) <= rect[2] - 2:
                painter.setPen((banded_pens if marked else pens)[ink])
                painter.drawText(QRectF(*rect), CENTRE, words)

    def _diagonal(self, painter: QPainter, cells: Cells) -> None:
        look = worn_style()
        at = np.arange(cells.size)
        rects = self._pixels(at, at)
        rects[:, 2:] = np.maximum(rects[:, 2:], 2.0)
        seen = in_view(rects, float(self.width()), float(self.height()))
        painter.setPen(Qt.PenStyle.NoPen)
        if self._tints is not None and len(self._tints) == len(cells.members):
            tint = np.zeros(cells.size, np.int64)
            placed = cells.members >= 0
            np.maximum.at(tint, cells.members[placed], self._tints[placed])
            there = seen if self._states is None else seen & (self._states != ItemState.GONE)
            draw_tinted(painter, rects[there], tint[there])
            return
        if self._states is None:
            painter.setBrush(look.idle_small)
            draw_rects(painter, rects[seen])
            return
        draw_states(painter, rects[seen], self._states[seen], outlined=self.camera.scale >= 7)

    def _cross(self, painter: QPainter, cells: Cells) -> None:
        """Draw bands along the row and the column under the pointer, and outlines of the selected ones."""
        whole = QRectF(*self._pixels(0, 0, cells.size)[0].tolist())
        for (row, column), strong in ((self.selected, True), (self.hover, False)):
            if row < 0:
                continue
            x, y, wide, high = self._pixels(row, column)[0].tolist()
            bands = [QRectF(whole.x(), y, whole.width(), max(high, 1.0))]
            bands.append(QRectF(x, whole.y(), max(wide, 1.0), whole.height()))
            shade = QColor(worn_style().accent)
            shade.setAlpha(_BAND if strong else 34)
            for band in bands:
                painter.fillRect(band, shade)
            if strong:
                cell = bands[0].intersected(bands[1])
                inked(painter, QPen(worn_style().text, 2))
                painter.drawRect(cell.adjusted(-1, -1, 1, 1))
                if self.hasFocus():
                    painter.setPen(QPen(worn_style().accent, 1.4))
                    painter.drawRect(cell.adjusted(-3.5, -3.5, 3.5, 3.5))

    def _names(self, painter: QPainter, cells: Cells) -> None:
        """Draw the names of the rows at the left, of the columns above, turned; as many as there is room for."""
        pixels = int(min(12, max(_LETTERS, self.camera.scale * 0.9)))
        metrics, look = lettered(painter, pixels), worn_style()
        below = metrics.ascent() - metrics.height() / 2

        special = {row for row in (self.selected[0], self.hover[0]) if row >= 0}
        special_columns = {column for column in (self.selected[1], self.hover[1]) if column >= 0}
        for turned, chosen in ((False, special), (True, special_columns)):
            origin = self.camera.x if turned else self.camera.y
            scale = self.camera.scale * (self.stretch if turned else 1.0)
            every = max(1, int(np.ceil(_LETTERS / scale)))
            length = self.width() if turned else self.height()
            first = max(0, int((self.head - origin) / scale))
            last = min(cells.size, int((length - origin) / scale) + 1)
            near = {at for c in chosen for at in range(c - every + 1, c + every)} if every > 1 else set()
            shown = [i for i in range(first, last) if i % every == 0 and i not in near]
            shown += [i for i in sorted(chosen) if first <= i < last]
            painter.save()
            edge = min(self.camera.y if turned else self.camera.x, (self.height() if turned else self.width()) - 60.0)
            edge = max(float(self.head), edge) - 5
            if turned:
                painter.translate(0, edge)
                painter.rotate(-90)
            for index in dict.fromkeys(shown):
                middle = origin + (index + 0.5) * scale
                if middle < self.head:
                    continue
                gone = self._states is not None and self._states[index] == ItemState.GONE
                painter.setPen(look.accent if index in chosen else look.muted if gone else look.text)
                words, wide = fitted(cells.short[index], pixels, self.head - 12, left=True)
                painter.drawText(QPointF(0 if turned else edge - wide, middle + below), words)
            painter.restore()


def _inks(cells: Cells) -> np.ndarray:
    """Return the colour of each cell while its row and its column are kept."""
    row, column, weight = cells.cells[:, 0], cells.cells[:, 1], cells.cells[:, 2]
    if cells.rows == "classes":  # one shade for all
        weight = np.ones_like(weight)
    shade = np.searchsorted([most for most, _ in _SHADES], weight)
    return ((column > row) * len(_SHADES) + shade).astype(np.int8)
