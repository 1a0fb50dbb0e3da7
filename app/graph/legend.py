"""The legend: what each colour and pattern of the graph means."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app import text
from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle
from app.graph.scene.state_words import SO_FAR, STATE_MEANINGS, state_words
from app.theme.theme import LIGHT, Theme

_SWATCH, _GAP = 14, 6


class Legend(QWidget):
    """Swatches with the number of classes in each state; empty before the first run."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = GraphStyle(LIGHT)
        self._counts: dict[ItemState, int] | None = None
        self._ended = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Legend")

    def set_theme(self, theme: Theme) -> None:
        """Other colours."""
        self._look = GraphStyle(theme)
        self.update()

    def set_counts(self, counts: dict[ItemState, int] | None, ended: bool = False) -> None:
        """Classes in each state; None = no run to explain. ``ended``: what is needed is proved."""
        if counts == self._counts and ended == self._ended:
            return
        self._ended = ended
        words = state_words(ended)
        same_room = sum((counts or {}).values()) == sum((self._counts or {}).values())
        self._counts = counts
        told = [] if counts is None else [f"{word}: {counts[state]}" for state, word in words.items()]
        self.setAccessibleDescription(", ".join(told))
        meanings = [f"{words[state]}: {meaning}" for state, meaning in STATE_MEANINGS.items()]
        self.setToolTip("" if counts is None else "\n".join(meanings))
        if not same_room:
            self.updateGeometry()
        self.update()

    def _labels(self) -> list[tuple[ItemState, str]]:
        if self._counts is None:
            return []
        # Room for the largest number, so that the legend does not dance while a run goes on.
        return [
            (state, f"{word} {text.count(self._counts[state])}") for state, word in state_words(self._ended).items()
        ]

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        wide = sum(self._slot(metrics, word) for word in SO_FAR.values()) if self._counts else 0
        return QSize(wide, max(_SWATCH, metrics.height()) + 4)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.sizeHint().height())

    def _slot(self, metrics: QFontMetrics, word: str) -> int:
        total = sum(self._counts.values()) if self._counts else 0
        return _SWATCH + _GAP + metrics.horizontalAdvance(f"{word} {text.count(total)}") + 2 * _GAP

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(self.font())
        x, middle = 0.0, self.height() / 2
        for state, label in self._labels():
            area = QRectF(x + 1.5, middle - _SWATCH / 2 + 0.5, _SWATCH - 1, _SWATCH - 1)
            outline = QPen(self._look.border[state])
            if state is ItemState.GONE:
                outline.setColor(self._look.ink[state])  # so small, its own would hardly be seen
            painter.setPen(outline)
            painter.setBrush(self._look.fill[state])
            painter.drawRoundedRect(area, 3, 3)
            if state is ItemState.TRYING:
                painter.setBrush(self._look.hatch)
                painter.drawRoundedRect(area, 3, 3)
            painter.setPen(self._look.text)
            place = QRectF(x + _SWATCH + _GAP, 0, self.width(), self.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, label)
            x += self._slot(metrics, SO_FAR[state])
