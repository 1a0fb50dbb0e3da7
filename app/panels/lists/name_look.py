"""Cells of names: where there is no room, whole words are left out, and the tool tip has the rest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.shortening import Fits, short_item


class NameLook(QStyledItemDelegate):
    """A painter of names that ``shorten`` cuts."""

    def __init__(self, parent: Any, shorten: Callable[[str, Fits], str] = short_item) -> None:
        super().__init__(parent)
        self._shorten, self._painting = shorten, False

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        self._painting = True  # a column as wide as its content is measured by the whole names
        super().paint(painter, option, index)
        self._painting = False

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        own: Any = option  # Qt's stubs do not know the fields of a style option
        if self._painting and own.text:
            own.text = self.cut(own.text, own)

    def cut(self, name: str, own: Any) -> str:
        """Return a name as there is room for it in the cell of a style option."""
        style = own.widget.style() if own.widget is not None else QApplication.style()
        place = style.subElementRect(QStyle.SubElement.SE_ItemViewItemText, own, own.widget)
        margin = style.pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, own, own.widget) + 1
        room, metrics = place.width() - 2 * margin, own.fontMetrics
        # The figure is rounded: a text of just as many pixels may be cut.
        return self._shorten(name, lambda words: metrics.horizontalAdvance(words) < room) or name
