"""The chart with its choices and a key to its marks."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QWidget

from app.engine.run_state import RunState
from app.painting import smooth
from app.panels.progress.chart import MARKS_MOST, REASONS, Chart, mark, reason_of
from app.theme.theme import worn
from app.widgets import LEFT, STRETCH, column_of, control, row_of
from app.words import verdict

_WIDE_RANGE = 20
"""Ratio of the sizes of input and best from which on the scale is logarithmic."""


class ProgressPanel(QWidget):
    """The chart with its choices and a legend of its marks."""

    def __init__(self) -> None:
        super().__init__()
        self.chart = Chart()
        self.up, self.across = control(QComboBox(), "measure"), control(QComboBox(), "across")
        self.logarithmic, self.rejected = control(QCheckBox(), "logarithmic"), control(QCheckBox(), "rejected")
        self.key = MarkKey()
        column_of(
            row_of(self.up, self.across, self.logarithmic, self.rejected, STRETCH, margins=(10, 5, 10, 5), spacing=8),
            self.key,
            (self.chart, 1),
            owner=self,
            spacing=0,
        )
        self.up.currentIndexChanged.connect(self._choose)
        self.across.currentIndexChanged.connect(self._choose)
        self.logarithmic.toggled.connect(self._choose)
        self.logarithmic.clicked.connect(self._chose_scale)
        self.rejected.toggled.connect(self._choose)
        self._scale_chosen = False
        """True if the user has chosen the scale."""
        self.up.setCurrentIndex(1)  # classes stay the same once only their members go

    def _choose(self) -> None:
        self.chart.in_bytes = self.up.currentIndex() == 1
        self.chart.by_time = self.across.currentIndex() == 1
        self.chart.logarithmic = self.logarithmic.isChecked()
        self.chart.marks_shown = self.rejected.isChecked()
        self.key.set_wanted(self.rejected.isChecked())
        self.chart.update()

    def _chose_scale(self) -> None:
        self._scale_chosen = True

    def show_state(self, state: RunState) -> None:
        """Show the state of the run, on a logarithmic scale if a linear one would show a line on the floor."""
        if state.steps and not self._scale_chosen:
            self.logarithmic.setChecked(state.steps[0].bytes > _WIDE_RANGE * max(1, state.steps[-1].bytes))
        self.chart.show_state(state)
        self.key.show_reasons({reason_of(probe) for probe in state.probes[-MARKS_MOST:]})


class MarkKey(QWidget):
    """The explanation of the marks on the chart."""

    def __init__(self) -> None:
        super().__init__()
        self._reasons: list[str] = []
        self._wanted = True
        self.setAccessibleName("Marks of rejected runs")
        self.setFixedHeight(18)
        policy = self.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the panel must not grow during a run
        self.setSizePolicy(policy)
        self.hide()

    def set_wanted(self, wanted: bool) -> None:
        """Show the explanation of marks only if marks are drawn."""
        self._wanted = wanted
        self.setVisible(wanted and bool(self._reasons))

    def show_reasons(self, reasons: set[str]) -> None:
        """Explain these."""
        wanted = [reason for reason in REASONS if reason in reasons or (reason in self._reasons and reasons)]
        if wanted != self._reasons:
            self._reasons = wanted
            self.setVisible(bool(wanted) and self._wanted)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(sum(metrics.horizontalAdvance(verdict(reason)) + 24 for reason in self._reasons), 18)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            smooth(painter)
            metrics, x = QFontMetrics(self.font()), 15.0
            for reason in self._reasons:
                mark(painter, reason, QPointF(x, self.height() / 2), worn())
                painter.setPen(worn().muted)
                painter.drawText(
                    QRectF(x + 8, 0, 200, self.height()),
                    LEFT,
                    verdict(reason),
                )
                x += metrics.horizontalAdvance(verdict(reason)) + 24
