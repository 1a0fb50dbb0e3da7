"""Painting the marks of the selection, the pointer and the search, above everything else; and the edges to cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app import text
from app.engine.opened_jar import Floats, Ints
from app.graph.paint import graph_style as looks
from app.graph.paint.drawing import Painting, draw_lines, draw_rects, draw_round, in_view, lines_in_view
from app.graph.paint.edges import curves, heads
from app.graph.paint.graph_style import GraphStyle, ink_on, mixed
from app.graph.scene.scene import border_lines
from app.painting import inked, lettered, smooth
from app.widgets import CENTRE, made

_HEADS_MOST = 80
"""Arrow heads are drawn for up to this many edges one way."""
_SMOOTH_MOST = 400
"""Up to this many lines or outlines are smoothed and wider than a hair: thousands of such take longer than a frame."""


def _arrows(painting: Painting, lines: Floats, pen: QPen, curved: bool, long: float, rim: bool = False) -> None:
    """Draw lines, rows x1, y1, x2, y2 in pixels, as curves or straight, with heads of ``long`` pixels (0 = none), and
    maybe a ``rim`` in the colour of the ground."""
    painter = painting.painter
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for one in [QPen(painting.look.canvas, pen.widthF() + 3), pen] if rim else [pen]:
        painter.setPen(one)
        painter.drawPath(curves(lines)) if curved else draw_lines(painter, lines)
    if long:
        painter.fillPath(heads(lines, curved, long), pen.color())


def _usual_heads(edges: int) -> float:
    return 8.0 if edges <= _HEADS_MOST else 0.0


def relations(painting: Painting, ways: Sequence[Floats], curved: bool) -> None:
    """Draw the edges of a node, as :func:`~app.graph.scene.scene.drawn_ways` has them: those to its dependencies in one
    colour, those from its dependents in another and dashed.

    They lie below the nodes, so that a class with hundreds of dependents does not hide their names.
    """
    painter, _, camera, look, size, _ = painting
    for way, outward in zip(reversed(ways), (False, True), strict=True):
        many, lines = len(way), camera.lines(way)
        lines = lines[lines_in_view(lines, *size)]
        colour = QColor(look.needs if outward else look.needed_by)
        if many > _SMOOTH_MOST:
            colour = mixed(colour, look.canvas, 0.3)  # thousands of lines that show through take longer than a frame
        elif many > looks.FADE_FROM:
            colour.setAlpha(max(60, int(255 * looks.FADE_FROM / many)))
        pen = QPen(colour, 1.6)
        if many > looks.FADE_FROM:
            pen.setWidthF(1)  # many dashes make a pattern of their own, and are dear
        elif not outward:
            pen.setDashPattern([5, 3])
        before = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        smooth(painter, before and len(lines) <= _SMOOTH_MOST)
        _arrows(painting, lines, pen, curved, _usual_heads(many))
        smooth(painter, before)


def neighbours(painting: Painting, node: int) -> None:
    """Draw outlines around the neighbours of a node."""
    scene, look = painting.scene, painting.look
    for others, colour in ((scene.needed_by.of(node), look.needed_by), (scene.needs.of(node), look.needs)):
        # Of a neighbourhood nearly everything is a neighbour: there the outlines must not shout.
        wide = 1.2 if scene.view in ("focus", "treemap") else 2.0
        rings(painting, others[scene.rects[others, 2] > 0], QPen(colour, wide), 1.0)


def path(painting: Painting, nodes: Ints, lines: Floats, curved: bool) -> None:
    """Draw a path through some nodes along its lines: thick, with a bright rim, arrow heads, outlines."""
    colour = painting.look.path
    _arrows(painting, painting.camera.lines(lines), QPen(colour, 3), curved, 12.0, rim=True)
    _outlines(painting, painting.scene.rects[nodes], 2.0, QPen(colour, 2.6))


def named(painting: Painting, pairs: Ints) -> None:
    """Draw dashed edges from nodes to those that they name in strings alone."""
    pen = QPen(painting.look.accent, 1.5)
    pen.setDashPattern([2, 3])
    _arrows(painting, _between(painting, pairs), pen, False, _usual_heads(len(pairs)))


def edge(painting: Painting, line: tuple[float, float, float, float], curved: bool) -> None:
    """Draw the line that the user chose, with its head."""
    _arrows(painting, painting.camera.lines(np.array([line])), QPen(painting.look.path, 3), curved, 12.0, rim=True)


def box_edges(painting: Painting, box: int) -> None:
    """Draw the edges within a component's box, which the background leaves out; with heads if they are few."""
    scene = painting.scene
    inside = scene.node_box == box
    pairs = [
        (node, other) for node in np.flatnonzero(inside).tolist() for other in scene.needs.of(node) if inside[other]
    ]
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    colour = QColor(painting.look.needs)
    if len(pairs) > looks.FADE_FROM:
        colour.setAlpha(max(70, int(255 * looks.FADE_FROM / len(pairs))))
    ends = np.array(pairs, np.int32).reshape(-1, 2)
    _arrows(painting, _between(painting, ends), QPen(colour, 1.3), False, _usual_heads(len(pairs)))


def _between(painting: Painting, pairs: Ints) -> Floats:
    """Return the lines in pixels between pairs of nodes."""
    rects = painting.scene.rects
    return painting.camera.lines(border_lines(rects[pairs[:, 0]], rects[pairs[:, 1]]))


def rings(painting: Painting, nodes: Ints, pen: QPen, distance: float = 2.5) -> None:
    """Draw outlines around some nodes, ``distance`` pixels away: neighbours, or hits of the search field."""
    painter, scene, camera, _, size, _ = painting
    if len(nodes):
        around = _grown(camera.rects(scene.rects[nodes]), distance)
        around = around[in_view(around, *size)]
        before = painter.testRenderHint(QPainter.RenderHint.Antialiasing)
        few = len(around) <= _SMOOTH_MOST
        smooth(painter, before and few)
        inked(painter, pen if few else QPen(pen.color(), 1))
        draw_rects(painter, around)
        smooth(painter, before)


def selected(painting: Painting, node: int, focused: bool) -> None:
    """Draw the outline of the selected node, with a second one while the keyboard is here."""
    rects = painting.scene.rects[node : node + 1]
    if rects[0, 2] > 0:
        _outlines(painting, rects, 2.0, QPen(painting.look.text, 2.4))
        if focused:
            _outlines(painting, rects, 5.0, QPen(painting.look.accent, 1.4), 6)


def box(painting: Painting, index: int) -> None:
    """Draw the outline of the selected component."""
    _outlines(painting, painting.scene.boxes[index : index + 1], 2.0, QPen(painting.look.accent, 2.4), 7)


def hover(painting: Painting, node: int) -> None:
    """Draw a light outline under the pointer."""
    _outlines(painting, painting.scene.rects[node : node + 1], 1.5, QPen(painting.look.accent, 1.6))


def _outlines(painting: Painting, rects: Floats, by: float, pen: QPen, radius: float = 4) -> None:
    """Draw round outlines ``by`` pixels around rows x, y, width, height of the scene."""
    inked(painting.painter, pen)
    draw_round(painting.painter, _grown(painting.camera.rects(rects), by), radius)


def _grown(rects: np.ndarray, by: float) -> np.ndarray:
    grown = rects.copy()
    grown[:, :2] -= by
    grown[:, 2:] += 2 * by
    return grown


CUTS_MOST = 12
"""Edges to cut that one picture of the graph shows: more would be a tangle again."""
_VEIL = 205
"""Opacity of the veil over the other edges, of 255."""
_CUT_PIXELS = 10
"""Height of the figures."""


def veil(painter: QPainter, size: tuple[int, int], look: GraphStyle) -> None:
    """Pale the edges that are drawn so far."""
    painter.fillRect(QRectF(0, 0, *size), made(QColor(look.canvas), alpha=_VEIL))


def cut_lines(painting: Painting, pairs: Ints) -> None:
    """Draw the edges as curves, to lie below the nodes. ``pairs`` has rows *from, to, class edges*."""
    _arrows(painting, _between(painting, pairs), QPen(painting.look.path, 2.2), True, 10.0, rim=True)


def cut_marks(painting: Painting, pairs: Ints) -> None:
    """Draw outlines around both ends, and the figures, to lie above the nodes."""
    painter, scene, _, look, *_ = painting
    ends = _between(painting, pairs)
    _outlines(painting, scene.rects[np.unique(pairs[:, :2])], 2.0, QPen(look.path, 1.8), 5)
    metrics = lettered(painter, _CUT_PIXELS)
    for number, weight in enumerate(pairs[:, 2].tolist()):
        words = text.count(weight)
        middle = curves(ends[number : number + 1]).pointAtPercent(0.5)
        wide, high = metrics.horizontalAdvance(words) + 8, metrics.height() + 2
        plate = QRectF(middle.x() - wide / 2, middle.y() - high / 2, wide, high)
        inked(painter, QPen(look.canvas, 1), look.path)
        painter.drawRoundedRect(plate, high / 2, high / 2)
        painter.setPen(ink_on(look.path))
        painter.drawText(plate, CENTRE, words)
