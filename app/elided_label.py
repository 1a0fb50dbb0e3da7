"""A sentence on one line, shortened where there is no room for all of it: in its middle, or figure by figure."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.shortening import without_fragments


class ElidedLabel(QWidget):
    """A label that never makes its window wider. Its tool tip is the whole sentence."""

    def __init__(self, figures: bool = False, parent: QWidget | None = None) -> None:
        """Make a label. With ``figures``, the text is a list of figures, separated by commas, of which the last are
        left out first.
        """
        super().__init__(parent)
        self._text, self._figures = "", figures
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """Return the whole sentence."""
        return self._text

    def set_text(self, text: str) -> None:
        """Set another sentence."""
        if text != self._text:
            self._text = text
            self.setToolTip(text)
            self.setAccessibleName(text)
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(120, self.fontMetrics().height() + 6)

    def shown(self) -> str:
        """Return the part of the text that fits. Of figures it is empty if less than half, or no whole word, would
        fit; of a sentence longer than that the beginning is shown."""
        metrics, text, wide = self.fontMetrics(), self._text, self.contentsRect().width()
        while self._figures and ", " in text and metrics.horizontalAdvance(text) > wide:
            text = text.rpartition(", ")[0]
        less = wide < metrics.horizontalAdvance(text) // 2
        if less and self._figures:
            return ""
        where = Qt.TextElideMode.ElideRight if less else Qt.TextElideMode.ElideMiddle
        shown = without_fragments(metrics.elidedText(text, where, wide))
        return "" if self._figures and shown != text and " … " not in shown else shown

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setPen(self.palette().windowText().color())
            where = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
            painter.drawText(self.contentsRect(), where, self.shown())
