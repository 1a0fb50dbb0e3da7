"""The argument of all painters of the graph, and functions that draw whole numpy arrays with one call of Qt.

``shiboken6.wrapInstance`` lets Qt read the array's memory as an array of ``QRectF`` or
``QLineF``; the array must live until the call returns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import shiboken6
from PySide6.QtCore import QLineF, QRect, QRectF
from PySide6.QtGui import QPainter, QPen

from app.engine.opened_jar import Floats, Ints
from app.graph.paint.graph_style import GraphStyle, brush, worn_style
from app.graph.scene.camera import Camera
from app.graph.scene.scene import Scene
from app.painting import inked, smooth

_T = TypeVar("_T")


class Painting(NamedTuple):
    """One painting of a scene: the painter, the scene and its look."""

    painter: QPainter
    scene: Scene
    camera: Camera
    look: GraphStyle
    size: tuple[int, int]
    """Width and height of the widget, in pixels."""
    states: np.ndarray | None
    """State of each item (:class:`ItemState`); None before the first run."""

    def seen(self, rects: Floats) -> tuple[Ints, Floats]:
        """Return which rows x, y, width, height of the scene can be seen, and those rows in pixels."""
        shown = self.camera.rects(rects)
        numbers = np.flatnonzero(in_view(shown, *self.size)).astype(np.int32)
        return numbers, shown[numbers]


class WholePicture(NamedTuple):
    """All of a view, to be drawn into a file."""

    title: str
    size: tuple[int, int]
    """Width and height in pixels of the screen."""
    stages: tuple[Callable[[QPainter], None], ...]
    """Functions that draw it, one after another, each within the time of a frame."""
    rows: Sequence[Sequence[str | int]] = ()
    """Heads of a table, and its rows with numbers of bytes: they stand below the picture in a page."""


def _at(memory: Floats, kind: type[_T]) -> _T:
    first: _T = shiboken6.wrapInstance(memory.ctypes.data, kind)  # type: ignore[assignment]
    return first


def draw_rects(painter: QPainter, rects: Floats) -> None:
    """Draw rows x, y, width, height in the painter's pen and brush."""
    if len(rects):
        memory = np.ascontiguousarray(rects, np.float64)
        painter.drawRects(_at(memory, QRectF), len(memory))


def draw_round(painter: QPainter, rects: Floats, radius: float) -> None:
    """Draw rows x, y, width, height with round corners."""
    for rect in rects.tolist():
        painter.drawRoundedRect(QRectF(*rect), radius, radius)


def draw_tinted(painter: QPainter, rects: Floats, tints: np.ndarray) -> None:
    """Draw rows x, y, width, height in the painter's pen, each in the colour of its number."""
    for tint in np.flatnonzero(np.bincount(tints)).tolist():
        painter.setBrush(brush(tint, worn_style().theme.dark))
        draw_rects(painter, rects[tints == tint])


def draw_lines(painter: QPainter, lines: Floats) -> None:
    """Draw rows x1, y1, x2, y2 in the painter's pen."""
    if len(lines):
        memory = np.ascontiguousarray(lines, np.float64)
        painter.drawLines(_at(memory, QLineF), len(memory))


def in_view(rects: Floats, width: float, height: float) -> np.ndarray:
    """Return a flag per row x, y, width, height: does it touch a widget of that size? Rows of width 0 never do."""
    return np.asarray(
        (rects[:, 2] > 0)
        & (rects[:, 0] < width)
        & (rects[:, 1] < height)
        & (rects[:, 0] + rects[:, 2] > 0)
        & (rects[:, 1] + rects[:, 3] > 0)
    )


def lines_in_view(lines: Floats, width: float, height: float) -> np.ndarray:
    """Return a flag per line: may its bounding box touch a widget of that size?"""
    low_x, high_x = np.minimum(lines[:, 0], lines[:, 2]), np.maximum(lines[:, 0], lines[:, 2])
    low_y, high_y = np.minimum(lines[:, 1], lines[:, 3]), np.maximum(lines[:, 1], lines[:, 3])
    return np.asarray((low_x < width) & (high_x > 0) & (low_y < height) & (high_y > 0))


def overlaps(rects: Floats, area: Floats) -> bool:
    """Return True if any of the rectangles (x, y, width, height) has a point in common with ``area``."""
    x, y, w, h = area.tolist()
    apart = (rects[:, 0] >= x + w) | (rects[:, 0] + rects[:, 2] <= x)
    apart |= (rects[:, 1] >= y + h) | (rects[:, 1] + rects[:, 3] <= y)
    return not bool(apart.all())


def keyboard_line(painter: QPainter, area: QRect) -> None:
    """Draw a line around a picture that has the keyboard."""
    smooth(painter, False)
    inked(painter, QPen(worn_style().accent, 1))
    painter.drawRect(area.adjusted(0, 0, -1, -1))
