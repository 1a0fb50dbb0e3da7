"""The mouse wheel over a form: it scrolls the form, and changes a field only if the field has the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QWidget


class WheelGuard(QObject):
    """A filter that keeps the wheel from spin boxes and lists without the keyboard."""

    def __init__(self, form: QWidget) -> None:
        super().__init__(form)
        for field in (*form.findChildren(QAbstractSpinBox), *form.findChildren(QComboBox)):
            field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # not the wheel's
            field.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel and isinstance(watched, QWidget) and not watched.hasFocus():
            event.ignore()  # so it goes on to the form's scroll area
            return True
        return False
