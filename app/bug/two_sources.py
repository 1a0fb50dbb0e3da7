"""Two sources scrolled together: beside each other, or one above the other where width lacks."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QWidget

from app.bug.source_view import SourceView
from app.widgets import column_of

_WIDE = 800
"""Pixels of width from which the two sources stand beside each other."""


class TwoSources(QSplitter):
    """A source and the same members elsewhere, each below a head. The first one leads."""

    def __init__(self, *heads: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.views = SourceView("Source of the smallest so far"), SourceView("The same members elsewhere")
        self._following = False
        for head, view, other in zip(heads, self.views, self.views[::-1], strict=True):
            side = QWidget()
            column_of(head, (view, 1), owner=side, spacing=0)
            self.addWidget(side)
            view.verticalScrollBar().valueChanged.connect(partial(self._follow, view, other))
        self.setSizes([500, 500])

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = event.size().width() >= _WIDE
        self.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)
        self.level()  # the first one found its line before the other could be scrolled as far

    def level(self) -> None:
        """Scroll the other side as far as the first one."""
        self._follow(*self.views)

    def _follow(self, leader: SourceView, other: SourceView, _: int = 0) -> None:
        """Scroll the other side too; a side without text leads nowhere."""
        if not self._following and not leader.document().isEmpty():
            self._following = True
            other.scroll_to(leader.top_row())
            self._following = False
