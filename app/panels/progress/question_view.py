"""A drawing of the algorithm's present question: the halved interval, the walked list, and the probe of each worker."""

from __future__ import annotations

import time

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import text
from app.engine.run_state import Lane, RunState
from app.painting import inked, lettered
from app.theme.theme import worn
from app.widgets import CENTRE, made
from app.words import verdict
from core.protocol import events
from core.protocol.java_names import item_title
from core.protocol.run_words import phase_words

_ROW, _BAR, _MARGIN = 20, 14, 12
_TICK_MS = 200


class QuestionView(QWidget):
    """Painted from the model; running clocks move while something runs."""

    def __init__(self) -> None:
        super().__init__()
        self._state = RunState()
        self.setAccessibleName("Present question of the algorithm")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._timer = made(QTimer(self), interval=_TICK_MS, timeout=self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, 160)

    def minimumSizeHint(self) -> QSize:
        return QSize(180, 90)

    def show_state(self, state: RunState) -> None:
        """Show the state of the run."""
        self._state = state
        self.setAccessibleDescription(" ".join((state_words(state), question_words(state.question))).strip())
        busy = any(lane.trial is not None for lane in state.lanes.values())
        if busy and state.phase.reducing and self.isVisible():
            if not self._timer.isActive():
                self._timer.start()
        else:
            self._timer.stop()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), worn().surface)
            state = self._state
            if not (state.phases or state.lanes):
                painter.setPen(worn().muted)
                words = "The question of the search and the runs of the workers are drawn here while a reduction runs."
                area = self.rect().adjusted(_MARGIN, 0, -_MARGIN, 0)
                painter.drawText(area, CENTRE | Qt.TextFlag.TextWordWrap, words)
                return
            lettered(painter, 12)
            y = 8.0
            for words, ink in ((state_words(state), worn().text), (question_words(state.question), worn().muted)):
                if words:
                    self._write(painter, _MARGIN, y, words, ink)
                    y += _ROW
            y = self._question(painter, y + 2, state.question)
            for number in sorted(state.lanes):
                if y > self.height() - _ROW:
                    break
                y = self._lane(painter, y, number, state.lanes[number])

    def _write(self, painter: QPainter, x: int, y: float, words: str, ink: QColor) -> None:
        """Write as much of a line as there is room for, from ``x`` on."""
        wide = self.width() - _MARGIN - x
        painter.setPen(ink)
        shown = QFontMetrics(painter.font()).elidedText(words, Qt.TextElideMode.ElideRight, wide)
        painter.drawText(QRectF(x, y, wide, _ROW), Qt.AlignmentFlag.AlignVCenter, shown)

    def _question(self, painter: QPainter, y: float, asked: events.Asked | None) -> float:
        """Return the candidates as a bar: answered ones grey, those that may be the answer in colour."""
        if asked is None or asked.n < 2:
            return y
        theme, wide = worn(), self.width() - 2 * _MARGIN
        whole = QRectF(_MARGIN, y, wide, _BAR)
        painter.fillRect(whole, theme.gone)
        if asked.kind == "least":
            first, last = asked.low / asked.n, (asked.high + 1) / asked.n
        else:
            first, last = asked.done / asked.n, 1.0
        part = QRectF(_MARGIN + wide * first, y, max(2.0, wide * (last - first)), _BAR)
        painter.fillRect(part, theme.kept)
        at = (asked.low + asked.high) / 2 / asked.n if asked.kind == "least" else first
        painter.fillRect(QRectF(_MARGIN + wide * min(at, 1 - 2 / wide), y - 2, 2.5, _BAR + 4), theme.trying)
        inked(painter, QPen(theme.gone_line, 1))
        painter.drawRect(whole)
        return y + _BAR + 8

    def _lane(self, painter: QPainter, y: float, number: int, lane: Lane) -> float:
        theme = worn()
        spot = QRectF(_MARGIN, y + _ROW / 2 - 4, 8, 8)
        trial = lane.trial
        inked(painter, QPen(theme.gone_line, 1.2), theme.trying if trial else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(spot)
        words = f"Worker {number + 1}: "
        if trial is not None:
            took = text.seconds(max(0.0, time.monotonic() - lane.since))
            words += f"{trial_words(trial)}, {text.classes(trial.classes)}, {text.size(trial.bytes)}, for {took}"
            words += " (looking ahead)" if trial.ahead else ""
        else:
            words += "idle"
            if lane.last:
                words += f"; last: {verdict(lane.last)} after {text.seconds(lane.seconds)}"
        self._write(painter, _MARGIN + 15, y, words, theme.text if trial else theme.muted)
        return y + _ROW


def trial_words(trial: events.Trying) -> str:
    """Return words such as ``run 7 without Rational.reciprocal(), code and 3 more``."""
    if not trial.without:
        return f"run {trial.probe}"
    more = f" and {text.count(trial.more)} more" if trial.more else ""
    return f"run {trial.probe} without {item_title(trial.without, True)}{more}"


def state_words(state: RunState) -> str:
    """Return the phase of the algorithm, in words; empty before the first."""
    if not state.phases:
        return ""
    phase = state.phases[-1]
    what = phase_words(phase.phase, phase.level, phase.elements)
    return f"Round {phase.round}: {what}" if phase.round > 1 else text.capital(what)


def question_words(asked: events.Asked | None) -> str:
    """Return the question, in words, with an upper bound of the probes that it still takes."""
    if asked is None:
        return ""
    left = f", at most {text.counted(asked.left, 'run')} more" if asked.left >= 0 else ""
    if asked.kind == "least":
        positions = asked.high - asked.low + 1
        told = left if asked.left < positions else ""  # as many runs as positions: nobody expects that of halving
        return f"Binary search: {positions:,} of {asked.n or asked.high + 1:,} positions left{told}"
    if asked.kind == "first" and asked.high > 1:
        return f"Trying smaller jars: {min(asked.low + 1, asked.high):,} of {asked.high:,}{left}"
    return f"Trying a jar with {text.count(asked.size)} of them"
