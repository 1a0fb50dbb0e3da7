"""The progress chart: the best so far as a falling line, each rejected probe as a mark."""

from __future__ import annotations

import bisect

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from app import text
from app.engine.run_state import RunState
from app.engine.runs import StepSummary
from app.painting import inked, lettered, smooth
from app.theme.theme import Theme, worn
from app.widgets import CENTRE, RIGHT, made
from core.protocol import events
from core.protocol.run_words import AnswerOrigin

MARKS_MOST = 1500
"""Rejected probes drawn at most; of more, every second, third, ... one."""
_LEFT, _TOP, _RIGHT, _BOTTOM = 62, 12, 14, 24
_DECADES = 4
"""Powers of ten of the logarithmic axis, below the size of the input."""
_GREYED = 0.3
"""Opacity of a chart that is of an earlier input."""
REASONS = ("not interesting", "invalid", "timed out", "unresolved")
"""Why a candidate was rejected; a broken one counts as unresolved."""


def reason_of(probe: events.Probed) -> str:
    """Return one of :data:`REASONS`, or ``interesting``."""
    if probe.origin == AnswerOrigin.INVALID:
        return "invalid"
    return probe.verdict if probe.verdict in ("interesting", *REASONS) else "unresolved"


class Chart(QWidget):
    """Size against time or probes, classes or bytes."""

    def __init__(self) -> None:
        super().__init__()
        self.by_time = False
        self.in_bytes = False
        self.logarithmic = False
        """True if each step up is a factor. The end of a search is then as visible as its beginning."""
        self.marks_shown = True
        """True if rejected probes are drawn."""
        self._state = RunState()
        self._across = self._up = 1.0
        """Values at the ends of the axes."""
        self._pointer: QPointF | None = None
        self.setMouseTracking(True)
        self.setAccessibleName("Progress chart")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setMinimumSize(220, 110)

    def sizeHint(self) -> QSize:
        return QSize(420, 190)

    def show_state(self, state: RunState) -> None:
        """Paint the present state of the model."""
        self._state = state
        best = state.best()
        self.setAccessibleDescription(f"{best.classes} classes after {state.executed} runs")
        self.update()

    # -- coordinates --------------------------------------------------------------------

    def _area(self) -> QRectF:
        return QRectF(_LEFT, _TOP, max(1, self.width() - _LEFT - _RIGHT), max(1, self.height() - _TOP - _BOTTOM))

    def _measure(self) -> None:
        """Set the values at the right and upper end of the axes."""
        state = self._state
        start = state.steps[0] if state.steps else state.best()
        self._across = max(self._now() * 1.03, 1e-3 if self.by_time else 1.0)
        self._up = max(1.0, float(self._height(start)))

    def _now(self) -> float:
        return self._state.now if self.by_time else float(self._state.answered)

    def _height(self, thing: object) -> int:
        return int(getattr(thing, "bytes" if self.in_bytes else "classes"))

    def _point(self, across: float, up: float) -> QPointF:
        area, share = self._area(), up / self._up
        if self.logarithmic:
            share = max(0.0, 1.0 + np.log10(max(share, 10.0**-_DECADES)) / _DECADES)
        return QPointF(area.x() + area.width() * across / self._across, area.bottom() - area.height() * share)

    def _step_point(self, step: StepSummary) -> QPointF:
        return self._point(self._place(step), self._height(step))

    def _place(self, step: StepSummary) -> float:
        return step.at if self.by_time else step.probes

    def _step_at(self, x: float) -> tuple[StepSummary, float]:
        """Return the last step before a pixel, and the value on the axis there."""
        area = self._area()
        across = (x - area.x()) / area.width() * self._across
        steps = self._state.steps
        return steps[max(0, bisect.bisect_right(steps, across, key=self._place) - 1)], across

    # -- painting -----------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), worn().surface)
            painter.setOpacity(1.0 if self.isEnabled() else _GREYED)
            smooth(painter)
            if not self._state.steps:
                painter.setPen(worn().muted)
                painter.drawText(
                    self.rect(),
                    CENTRE,
                    "The size of the smallest jar is drawn here\nwhile a reduction runs.",
                )
                return
            self._measure()
            self._axes(painter)
            self._rejected(painter)
            self._line(painter)
            self._cursor(painter)

    def _axes(self, painter: QPainter) -> None:
        area, theme = self._area(), worn()
        metrics = lettered(painter, 11)
        for value in self._levels(self._up, area.height()):
            y = self._point(0, value).y()
            painter.setPen(QPen(theme.line, 1, Qt.PenStyle.DotLine if value else Qt.PenStyle.SolidLine))
            painter.drawLine(QPointF(area.x(), y), QPointF(area.right(), y))
            label = text.size(value) if self.in_bytes else text.count(int(value))
            painter.setPen(theme.muted)
            place = QRectF(0, y - 9, _LEFT - 7, 18)
            painter.drawText(place, RIGHT, label)
        for value in nice_ticks(self._across, max(2, int(area.width() / 90))):
            if not self.by_time and value != int(value):
                continue  # there is no half a run
            x = self._point(value, 0).x()
            label = text.seconds(value) if self.by_time else text.count(int(value))
            if self.by_time and not value:
                label = "0 s"
            wide = metrics.horizontalAdvance(label)
            x = min(x - wide / 2, self.width() - wide - 4)
            painter.drawText(QPointF(x, self.height() - 7), label)

    def _levels(self, end: float, height: float) -> list[float]:
        """Return the values that have a line: round ones, or powers of ten."""
        if not self.logarithmic:
            return nice_ticks(end, max(2, int(height / 30)))
        top = int(np.floor(np.log10(end)))
        return [10.0**power for power in range(top - _DECADES + 1, top + 1) if power >= 0]

    def _line(self, painter: QPainter) -> None:
        first, *steps = self._state.steps
        path = QPainterPath(self._step_point(first))
        for point in map(self._step_point, steps):
            path.lineTo(point.x(), path.currentPosition().y())
            path.lineTo(point)
        now = self._point(self._now(), 0)
        path.lineTo(now.x(), path.currentPosition().y())
        under = QPainterPath(path)
        under.lineTo(now)
        under.lineTo(self._point(0, 0))
        wash = made(QColor(worn().kept), alpha=28)
        painter.fillPath(under, wash)
        inked(painter, QPen(worn().kept, 2))
        painter.drawPath(path)

    def _rejected(self, painter: QPainter) -> None:
        state = self._state
        if not self.marks_shown or not state.probes:
            return
        stride = -(-len(state.probes) // MARKS_MOST)
        for probe, order in zip(state.probes[::stride], state.orders[::stride], strict=True):
            reason = reason_of(probe)
            if reason != "interesting":
                across = probe.at if self.by_time else order
                mark(painter, reason, self._point(min(across, self._across), self._height(probe)), worn())

    def _cursor(self, painter: QPainter) -> None:
        if self._pointer is None or not self._area().contains(self._pointer):
            return
        area, x = self._area(), self._pointer.x()
        step, _ = self._step_at(x)
        painter.setPen(QPen(worn().muted, 1, Qt.PenStyle.DashLine))
        painter.drawLine(QPointF(x, area.y()), QPointF(x, area.bottom()))
        inked(painter, QPen(worn().surface, 1.5), worn().kept)
        painter.drawEllipse(QPointF(x, self._step_point(step).y()), 4.5, 4.5)

    # -- pointer ------------------------------------------------------------------------

    def value_at(self, point: QPointF) -> str:
        """Return the values of the chart at a pixel, in words."""
        if not self._state.steps or not self._area().contains(point):
            return ""
        self._measure()
        step, across = self._step_at(point.x())
        when = text.seconds(across) if self.by_time else f"run {text.count(round(across))}"
        return f"{when}: {text.classes(step.classes)}, {text.size(step.bytes)}"

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        words = self.value_at(event.position())
        if words:
            QToolTip.showText(event.globalPosition().toPoint(), words, self)
        else:
            QToolTip.hideText()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.update()


def mark(painter: QPainter, reason: str, at: QPointF, theme: Theme) -> None:
    """Draw a rejected probe: each reason has a colour and a shape of its own."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    x, y = at.x(), at.y()
    if reason == "not interesting":
        inked(painter, None, theme.trying)
        painter.drawEllipse(at, 2.8, 2.8)
    elif reason == "invalid":
        painter.setPen(QPen(theme.muted, 1.3))
        painter.drawEllipse(at, 2.4, 2.4)
    elif reason == "timed out":
        painter.setPen(QPen(theme.bad, 1.6))
        painter.drawLine(QPointF(x - 3, y - 3), QPointF(x + 3, y + 3))
        painter.drawLine(QPointF(x - 3, y + 3), QPointF(x + 3, y - 3))
    else:
        painter.setPen(QPen(theme.needed_by, 1.4))
        painter.drawPolygon(QPolygonF([QPointF(x, y - 3.5), QPointF(x + 3.5, y + 3), QPointF(x - 3.5, y + 3)]))


def nice_ticks(end: float, wanted: int) -> list[float]:
    """Return round values from 0 to ``end``, about ``wanted`` of them, in steps of 1, 2 or 5 times a power of ten."""
    rough = end / max(wanted, 1)
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999))
    return [float(number * step) for number in range(int(end / step + 1e-6) + 1)]
