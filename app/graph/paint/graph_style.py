"""The style of the graph: pens, brushes and thresholds of a theme, and the choice of what to draw at which zoom."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from app.engine.run_state import ItemState
from app.theme.theme import Theme

LABEL_HEIGHT = 9.2
"""Pixels: nodes lower than this are drawn without their name."""
LABEL_WIDTH = 26.0
BOX_TITLE_WIDTH = 84.0
"""Pixels: boxes at least this wide get a title as long as their nodes have no labels."""
ROUNDED_MOST = 1500
"""Up to this many visible nodes get round corners."""
SMALLEST = 2.0
"""Pixels: no node is drawn smaller, however far away."""
SMOOTH_NODES_MOST = 2500
"""Up to this many visible nodes have smoothed borders: without, their gaps look uneven."""
OUTLINE_HEIGHT = 8.5
"""Pixels: nodes lower than this have no outline."""
CURVES_MOST = 700
"""Up to this many visible edges are drawn as smooth curves."""
HEADS_MOST = 400
"""Up to this many visible edges of one weight have heads."""
SMOOTH_MOST = 4000
"""Up to this many visible edges are smoothed."""
FADE_FROM = 50
"""A selected node's edges are drawn paler when they are more than this."""


class GraphStyle:
    """Qt's drawing tools in a theme's colours."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.canvas = QColor(theme.canvas)
        self.plate = QColor(theme.canvas)
        self.plate.setAlpha(225)
        self.text = QColor(theme.text)
        self.muted = QColor(theme.muted)
        self.surface = QColor(theme.surface)
        self.accent = QColor(theme.accent)
        self.found = QPen(QColor(theme.found), 2.4)
        self.hull = QBrush(QColor(theme.hull))
        self.hull_pen = _hair(theme.hull_line)
        self.frame_pen = QPen(QColor(theme.gone_line), 1.3)
        self._edge = QColor(theme.edge)
        self.edge_gone = _hair(theme.edge_gone)
        self.edge_weak = _hair(theme.edge_gone)
        self.edge_weak.setColor(mixed(self._edge, self.canvas, 0.3))
        self.idle = QBrush(QColor(theme.surface))
        self.idle_small = QBrush(QColor(theme.idle))
        self.idle_pen = _hair(theme.hull_line)
        self.no_pen = QPen(Qt.PenStyle.NoPen)
        self.fill = {
            ItemState.KEPT: QBrush(QColor(theme.kept)),
            ItemState.NEEDED: QBrush(QColor(theme.needed)),
            ItemState.SO_FAR: QBrush(QColor(theme.so_far)),
            ItemState.TRYING: QBrush(QColor(theme.trying)),
            ItemState.GONE: QBrush(QColor(theme.gone)),
        }
        needed_line = QColor(theme.text) if not theme.dark else QColor("#d6fff2")
        self.border = {
            ItemState.KEPT: QPen(QColor(theme.kept).darker(125), 1),
            ItemState.NEEDED: QPen(needed_line, 2),
            ItemState.SO_FAR: QPen(QColor(theme.needed), 1.5),
            ItemState.TRYING: QPen(QColor(theme.trying).darker(130), 1),
            ItemState.GONE: QPen(QColor(theme.gone_line), 1, Qt.PenStyle.DotLine),
        }
        for pen in self.border.values():
            pen.setCosmetic(True)
        self.ink = {
            ItemState.KEPT: QColor(theme.on_kept),
            ItemState.NEEDED: QColor(theme.on_needed),
            ItemState.SO_FAR: QColor(theme.text),
            ItemState.TRYING: QColor(theme.on_trying),
            ItemState.GONE: QColor(theme.on_gone),
        }
        self.bar_ground = QBrush(QColor(0, 0, 0, 90))
        self.bar_left = QBrush(QColor(255, 255, 255, 235))
        self.gone_bar = QBrush(QColor(theme.line))
        self.hatch = QBrush(QColor(0, 0, 0, 70), Qt.BrushStyle.BDiagPattern)
        self.path = QColor(theme.found)
        self.below = QColor(theme.kept)
        self.needs = QColor(theme.needs)
        self.needed_by = QColor(theme.needed_by)

    def edge_strong(self, width: float) -> QPen:
        """Return the pen for an edge among others of many weights, the heavier the darker."""
        pen = QPen(mixed(self.muted, self.canvas, 0.4 + 0.1 * width), width)
        pen.setCosmetic(True)
        return pen

    def edge(self, lines: int) -> QPen:
        """Return the pen for edges that are ``lines`` in all: paler where many would make a solid mass."""
        share = min(0.55, max(0.0, (lines - 150) / 2500))
        pen = QPen(mixed(self._edge, self.canvas, 1 - share), 1)
        pen.setCosmetic(True)
        return pen


def ink_on(ground: QColor) -> QColor:
    """Return black or white, whichever has more contrast on an opaque colour: at least 4.5 : 1 (WCAG 2.2)."""
    parts = (ground.redF(), ground.greenF(), ground.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return QColor(Qt.GlobalColor.black if (luminance + 0.05) ** 2 > 0.05 * 1.05 else Qt.GlobalColor.white)


def mixed(ink: QColor, ground: QColor, share: float) -> QColor:
    """Return a mixture of ``ink`` and ``ground``."""
    return QColor.fromRgbF(
        ink.redF() * share + ground.redF() * (1 - share),
        ink.greenF() * share + ground.greenF() * (1 - share),
        ink.blueF() * share + ground.blueF() * (1 - share),
    )


def _hair(colour: str) -> QPen:
    pen = QPen(QColor(colour), 1)
    pen.setCosmetic(True)
    return pen
