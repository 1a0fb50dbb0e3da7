"""The legend: what each colour, pattern and line of the graph means."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import text
from app.engine.run_state import ItemState
from app.graph.paint.callouts import wish_swatch
from app.graph.paint.graph_style import brush, worn_style
from app.painting import inked, smooth
from app.widgets import LEFT, made
from app.words import STATE_MEANINGS, STATE_WORDS

_SWATCH, _GAP = 14, 6
_ROWS = 2
"""Rows at most."""


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A sign, its words, and words as wide as they will ever be."""

    draw: Callable[[QPainter, QRectF], None]
    words: str
    longest: str = ""
    """Empty = the words do not change."""

    def width(self, metrics: QFontMetrics) -> int:
        """Return the pixels of sign and words, with the room behind them."""
        return _SWATCH + _GAP + metrics.horizontalAdvance(self.longest or self.words) + 2 * _GAP


class Legend(QWidget):
    """Swatches with the number of classes in each state, or with the meanings of other colours, in two rows where one
    is too narrow; then the lines and marks, as many as fit. The tool tip has all."""

    def __init__(self) -> None:
        super().__init__()
        self._counts: dict[ItemState, int] | None = None
        self._steps: dict[ItemState, str] = {}
        """Meanings of the states while steps are shown."""
        self._view = ""
        self._room = QSize()
        """Size for which there is room."""
        self.colours: Sequence[tuple[int, str]] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self.setAccessibleName("Legend")
        self._tell()

    def set_counts(self, counts: dict[ItemState, int] | None, steps: dict[ItemState, str] | None = None) -> None:
        """Show the number of classes in each state; None: no run to explain. ``steps``: meanings of the states while
        steps are shown."""
        steps = steps or {}
        if (counts, steps) != (self._counts, self._steps):
            self._counts, self._steps = counts, steps
            self._tell()

    def set_view(self, view: str) -> None:
        """Explain the lines and marks of this view alone."""
        self._view = view
        self._tell()

    def set_colours(self, colours: Sequence[tuple[int, str]]) -> None:
        """Explain these colours instead of the states: numbers of :mod:`app.graph.paint.graph_style` and words."""
        self.colours = colours
        self._tell()

    @property
    def counted(self) -> bool:
        """Return True if the classes of the best so far are counted."""
        return self._counts is not None

    def entries(self) -> list[LegendEntry]:
        """Return all that is explained, the most important first."""
        return [*self._states(), *self._marks()]

    def _tell(self) -> None:
        shown = self._shown_states()
        told = [f"{STATE_WORDS[state]}: {count}" for state, count in shown.items()]
        self.setAccessibleDescription(", ".join([*told, *(one.words for one in self._marks())]))
        lines = [f"{STATE_WORDS[state]}: {STATE_MEANINGS[state]}" for state in shown]
        lines += [f"{word}: of the steps that are selected" for word in self._steps.values()]
        lines += [
            "orange line: what the selected class needs",
            "dashed violet line: what needs the selected class",
            "pale frame: classes of a dependency cycle; click it to see its edges",
            "dashed frame: an opened package",
            "dot: pinned; triangle: dropped first",
            "bar in a box: how much of the class is left",
            "cell of the matrix: the row needs the column; orange: above the diagonal, it closes a cycle",
        ]
        self.setToolTip("\n".join(lines))
        if self.sizeHint() != self._room:
            self._room = self.sizeHint()
            self.updateGeometry()
        self.update()

    def _shown_states(self) -> dict[ItemState, int]:
        """Return the number of classes in each explained state: needed classes are either proved, or needed so far."""
        counts = self._counts or {}
        unused = ItemState.SO_FAR if counts.get(ItemState.NEEDED) else ItemState.NEEDED
        return {state: counts.get(state, 0) for state in STATE_WORDS if counts and state is not unused}

    def _states(self) -> list[LegendEntry]:
        if self.colours:
            return [LegendEntry(partial(_tint, tint), words) for tint, words in self.colours]
        if self._steps:
            return [LegendEntry(partial(_swatch, state), words) for state, words in self._steps.items()]
        # Room for the largest number, so that the legend does not dance while a run goes on.
        shown = self._shown_states()
        total = text.count(sum(shown.values()))
        return [
            LegendEntry(
                partial(_swatch, state), f"{STATE_WORDS[state]} {text.count(count)}", f"{STATE_WORDS[state]} {total}"
            )
            for state, count in shown.items()
        ]

    def _marks(self) -> list[LegendEntry]:
        cycle = LegendEntry(_cycle, "cycle")
        if self._view == "matrix":
            cells = (("below", "needs"), ("needs", "closes a cycle"))
            return [*(LegendEntry(partial(_cell, colour), words) for colour, words in cells), cycle]
        marks = [LegendEntry(partial(_line, True), "needs"), LegendEntry(partial(_line, False), "needed by")]
        marks = [] if self._view == "treemap" else marks  # there are no lines
        marks += [cycle] * (self._view in ("packages", "components", "focus"))
        marks += [LegendEntry(_frame, "open package")] * (self._view == "packages")
        return [*marks, LegendEntry(partial(wish_swatch, True), "pinned")]

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        wide = sum(entry.width(metrics) for entry in self.entries())
        return QSize(wide, max(_SWATCH, metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return len(self._rows(width)) * self.sizeHint().height()

    def _rows(self, width: int) -> list[list[LegendEntry]]:
        """Return what a width in pixels has room for."""
        metrics, states = QFontMetrics(self.font()), self._states()
        rows: list[list[LegendEntry]] = [[]]
        room = whole = width + 2 * _GAP
        for at, entry in enumerate([*states, *self._marks()]):
            if entry.width(metrics) > room:
                if at >= len(states) or len(rows) == _ROWS or not rows[0]:
                    break
                rows.append([])
                room = whole
            rows[-1].append(entry)
            room -= entry.width(metrics)
        return rows

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw(painter, self.rect())

    def draw(self, painter: QPainter, area: QRect) -> None:
        """Draw as many entries as an area has room for, at its right end."""
        smooth(painter)
        metrics, rows = QFontMetrics(self.font()), self._rows(area.width())
        high = area.height() / len(rows)
        for line, row in enumerate(rows):
            x, y = area.x() + max(0, area.width() - sum(entry.width(metrics) for entry in row)), area.y() + line * high
            for entry in row:
                painter.save()
                sign = QRectF(x + 1.5, y + (high - _SWATCH + 1) / 2, _SWATCH - 1, _SWATCH - 1)
                entry.draw(painter, sign)
                painter.restore()
                painter.setPen(worn_style().text)
                painter.drawText(QRectF(x + _SWATCH + _GAP, y, area.width(), high), LEFT, entry.words)
                x += entry.width(metrics)


def _swatch(state: ItemState, painter: QPainter, area: QRectF) -> None:
    look = worn_style()
    outline = made(QPen(look.border[state]), cosmetic=False)
    if state is ItemState.GONE:
        outline.setColor(look.ink[state])  # so small, its own would hardly be seen
    for fill in look.fills(state):
        inked(painter, outline, fill)
        painter.drawRoundedRect(area, 3, 3)


def _tint(tint: int, painter: QPainter, area: QRectF) -> None:
    inked(painter, worn_style().idle_pen, brush(tint, worn_style().theme.dark))
    painter.drawRoundedRect(area, 3, 3)


def _cell(colour: str, painter: QPainter, area: QRectF) -> None:
    painter.fillRect(area.adjusted(1, 1, -1, -1), getattr(worn_style(), colour))


def _line(outward: bool, painter: QPainter, area: QRectF) -> None:
    pen = QPen(worn_style().needs if outward else worn_style().needed_by, 2)
    if not outward:
        pen.setDashPattern([2.5, 1.5])
    painter.setPen(pen)
    painter.drawLine(QPointF(area.left(), area.center().y()), QPointF(area.right(), area.center().y()))


def _cycle(painter: QPainter, area: QRectF) -> None:
    inked(painter, worn_style().hull_pen, worn_style().hull)
    painter.drawRoundedRect(area, 3, 3)


def _frame(painter: QPainter, area: QRectF) -> None:
    painter.setPen(made(QPen(worn_style().frame_pen), style=Qt.PenStyle.DashLine))
    painter.drawRoundedRect(area, 3, 3)
