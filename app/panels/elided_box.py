"""A list to choose from whose chosen row ends in dots where there is no room for all of it."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QComboBox, QStyle, QStyleOptionComboBox, QStylePainter


class ElidedBox(QComboBox):
    """A combo box that says when it does not show all. Qt's own cuts a letter in two."""

    def shown(self) -> str:
        """Return the part of the chosen row that fits."""
        option: Any = QStyleOptionComboBox()  # Qt's stubs do not know the fields of a style option
        self.initStyleOption(option)
        field = QStyle.SubControl.SC_ComboBoxEditField
        room = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, field, self).width()
        return self.fontMetrics().elidedText(self.currentText(), Qt.TextElideMode.ElideRight, room)

    def paintEvent(self, event: QPaintEvent) -> None:
        option: Any = QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.shown()
        painter = QStylePainter(self)
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()
