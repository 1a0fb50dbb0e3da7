"""The style of the graph: pens, brushes and thresholds of a theme; colours of classes by their package, size or use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor, QPen

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.theme.theme import Theme, worn
from app.widgets import made

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
        self.canvas = theme.canvas
        self.plate = made(QColor(theme.canvas), alpha=225)
        self.text = theme.text
        self.muted = theme.muted
        self.surface = theme.surface
        self.accent = theme.accent
        self.selected = theme.selected
        self.size = made(QColor(theme.hull_line), alpha=110)
        self.size_left = made(QColor(theme.needed), alpha=90)
        self.found = QPen(theme.found, 2.4)
        self.hull = QBrush(theme.hull)
        self.hull_pen = _cosmetic(theme.hull_line)
        self.frame_pen = QPen(theme.gone_line, 1.3)
        self._edge = theme.edge
        self.edge_gone = _cosmetic(theme.edge_gone)
        self.edge_weak = _cosmetic(mixed(self._edge, self.canvas, 0.3))
        self.idle = QBrush(theme.surface)
        self.idle_small = QBrush(theme.idle)
        self.idle_pen = _cosmetic(theme.hull_line)
        self.no_pen = QPen(Qt.PenStyle.NoPen)
        self.fill: dict[ItemState | None, QBrush] = {
            state: QBrush(getattr(theme, state.name.lower())) for state in ItemState
        }
        self.fill[None] = self.idle
        needed_line = theme.text if not theme.dark else QColor("#d6fff2")
        self.border = {
            None: self.idle_pen,
            ItemState.KEPT: QPen(theme.kept.darker(125), 1),
            ItemState.NEEDED: QPen(needed_line, 2),
            ItemState.SO_FAR: QPen(theme.needed, 1.5),
            ItemState.TRYING: QPen(theme.trying.darker(130), 1),
            ItemState.GONE: QPen(theme.gone_line, 1, Qt.PenStyle.DotLine),
        }
        for pen in self.border.values():
            pen.setCosmetic(True)
        self.ink = {
            None: self.text,
            ItemState.KEPT: theme.on_kept,
            ItemState.NEEDED: theme.on_needed,
            ItemState.SO_FAR: theme.text,
            ItemState.TRYING: theme.on_trying,
            ItemState.GONE: theme.on_gone,
        }
        self.bar_ground = QBrush(QColor(0, 0, 0, 90))
        self.bar_left = QBrush(QColor(255, 255, 255, 235))
        self.gone_bar = QBrush(theme.line)
        self.hatch = QBrush(QColor(0, 0, 0, 70), Qt.BrushStyle.BDiagPattern)
        self.path = theme.found
        self.below = theme.kept
        self.needs = theme.needs
        self.needed_by = theme.needed_by

    def fills(self, state: ItemState | None) -> list[QBrush]:
        """Return the brushes for a box in a state, to be used one after the other; None = before a run."""
        return [self.fill[state], self.hatch] if state is ItemState.TRYING else [self.fill[state]]

    def edge_strong(self, width: float) -> QPen:
        """Return the pen for an edge among others of many weights, the heavier the darker."""
        return _cosmetic(mixed(self.muted, self.canvas, 0.4 + 0.1 * width), width)

    def edge(self, lines: int) -> QPen:
        """Return the pen for one of ``lines`` edges. More edges are paler, since many would make a solid mass."""
        share = min(0.55, max(0.0, (lines - 150) / 2500))
        return _cosmetic(mixed(self._edge, self.canvas, 1 - share))


_style = lru_cache(GraphStyle)


def worn_style() -> GraphStyle:
    """Return the tools in the colours of the theme that the application wears now."""
    return _style(worn())


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


def _cosmetic(colour: QColor, width: float = 1) -> QPen:
    return made(QPen(colour, width), cosmetic=True)


PACKAGES = 10
"""Packages, the largest ones, that have colours of their own."""
SIZES = 6
"""Steps of size, each three times the one before."""
_LEAST_SIZE = 700
"""Bytes of the first step at most."""

_PACKAGE_HUES = (205, 28, 140, 285, 55, 330, 175, 95, 250, 0)
OTHERS = PACKAGES
_FIRST_SIZE = PACKAGES + 1
_FIRST_USE = _FIRST_SIZE + SIZES
USES = ("never reached", "reachable", "loaded", "ran or was read", "named by the failure")
"""Uses of an item by a run of the full input, each more than the one before. Reachable: a loaded class leads there."""
_USE_COLOURS = (
    ("#d3d8df", "#4d5561"), ("#ece0c2", "#6b6146"), ("#b7d3ee", "#3a5a7d"), ("#4f9bd8", "#3d8fd0"),
    ("#f0a35e", "#c9772c"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class UsedItems:
    """The use of the full input by a watched run, item by item; None = not known."""

    loaded: NDArray[np.bool_] | None = None
    ran: NDArray[np.bool_] | None = None
    read: NDArray[np.bool_] | None = None
    named: NDArray[np.bool_] | None = None

    def ran_or_read(self) -> NDArray[np.bool_] | None:
        """Return the classes with executed code and the read resources; None = neither is known."""
        known = [found for found in (self.ran, self.read) if found is not None]
        return np.logical_or.reduce(known) if known else None


def tints_of(jar: OpenedJar, mode: str, used: UsedItems) -> tuple[np.ndarray | None, list[tuple[int, str]]]:
    """Return a colour's number for each item, and the meanings of the colours; None = the colours of the states."""
    if mode == "used":
        return _by_use(jar, used)
    if mode == "package":
        return _by_package(jar)
    if mode == "size":
        return _by_size(jar)
    return None, []


def _by_package(jar: OpenedJar) -> tuple[np.ndarray, list[tuple[int, str]]]:
    counts = Counter(compress(jar.packages, jar.is_class))
    largest = sorted(counts, key=lambda name: (-counts[name], name))[:PACKAGES]
    number = {name: at for at, name in enumerate(largest)}
    tints = np.array([number.get(name, OTHERS) for name in jar.packages], np.int64)
    legend = [(at, name or "(unnamed)") for at, name in enumerate(largest)]
    return tints, [*legend, (OTHERS, "other packages")] if len(counts) > PACKAGES else legend


def _by_size(jar: OpenedJar) -> tuple[np.ndarray, list[tuple[int, str]]]:
    bounds = [_LEAST_SIZE * 3**step for step in range(SIZES - 1)]
    tints = _FIRST_SIZE + np.searchsorted(bounds, jar.sizes)
    words = [f"up to {bound / 1000:.3g} kB" for bound in bounds] + [f"over {bounds[-1] / 1000:.3g} kB"]
    return tints, [(_FIRST_SIZE + step, word) for step, word in enumerate(words)]


def _by_use(jar: OpenedJar, used: UsedItems) -> tuple[np.ndarray | None, list[tuple[int, str]]]:
    """Return tints in which only known uses have a colour in the legend; None if nothing is known."""
    levels = ((2, used.loaded), (3, used.ran), (3, used.read), (4, used.named))
    known = [(level, found) for level, found in levels if found is not None]
    if not known:
        return None, []
    if used.loaded is not None:
        known.insert(0, (1, jar.steps_from(used.loaded) >= 0))
    tints = np.zeros(jar.items, np.int64)
    for level, found in known:
        tints[found] = level
    shown = sorted({0, *(level for level, _ in known)})
    words = [USES[0] if used.loaded is not None else "not known to be used", *USES[1:]]
    return tints + _FIRST_USE, [(_FIRST_USE + level, words[level]) for level in shown]


def sums_of(jar: OpenedJar, tints: np.ndarray, colours: Sequence[tuple[int, str]]) -> Iterator[tuple[str | int, ...]]:
    """Yield a row for each jar and each package: its name, its bytes, and those of each colour."""
    parts: dict[str, list[NDArray[np.int64]]] = {}
    for folder in jar.folders:
        own, name = folder.jar or jar.title, folder.name or "(unnamed package)"
        for title in (own, f"{folder.jar}: {name}" if folder.jar else name):
            parts.setdefault(title, []).append(folder.numbers)
    for title, numbers in parts.items():
        items = np.concatenate(numbers)
        sums = np.bincount(tints[items], jar.sizes[items], int(tints.max()) + 1).astype(np.int64).tolist()
        yield title, sum(sums), *(sums[tint] for tint, _ in colours)


@lru_cache(maxsize=64)
def brush(tint: int, dark: bool) -> QBrush:
    """Return the colour of a number."""
    if tint < PACKAGES:
        light = QColor.fromHsl(_PACKAGE_HUES[tint], 150, 105 if dark else 185)
    elif tint == OTHERS:
        light = QColor("#4d5561" if dark else "#d3d8df")
    elif tint >= _FIRST_USE:
        light = QColor(_USE_COLOURS[tint - _FIRST_USE][dark])
    else:
        step = tint - _FIRST_SIZE
        light = QColor.fromHsl(25, 170, 45 + 22 * step if dark else 238 - 24 * step)
    return QBrush(light)
