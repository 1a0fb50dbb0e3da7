"""Small parts of forms: headings, sections that fold, lists of choices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QLayout,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.widgets import ElidedBox, choice_of, column_of, made

SpinBox = TypeVar("SpinBox", bound=QAbstractSpinBox)
_SPIN_MARGIN = 6
"""Pixels from the border of a spin box to its text, as in other fields."""


class Section(QWidget):
    """A heading with a part below it that folds."""

    def __init__(self, title: str, unfolded: bool = True) -> None:
        super().__init__()
        self._title = title
        self.head = made(
            QToolButton(),
            text=title,
            section=True,
            checkable=True,
            toolButtonStyle=Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
        )
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.head.setAccessibleName(title.replace("&", ""))
        self.body = QWidget()
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(0, 2, 0, 4)
        self.column.setSpacing(6)
        column_of(self.head, self.body, owner=self, spacing=0)
        self.head.toggled.connect(self._fold)
        self.head.setChecked(unfolded)
        self._fold(unfolded)

    def add(self, *parts: QWidget | QLayout) -> None:
        """Put parts below the heading."""
        for part in parts:
            if isinstance(part, QWidget):
                self.column.addWidget(part)
            else:
                self.column.addLayout(part)

    def count(self, fields: int) -> None:
        """Say on the heading how many fields below it are set: they may be folded."""
        self.head.setText(f"{self._title} ({fields} set)" if fields else self._title)

    def _fold(self, unfolded: bool) -> None:
        self.body.setVisible(unfolded)
        self.head.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        self.head.setAccessibleDescription("unfolded" if unfolded else "folded")


def padded(box: SpinBox) -> SpinBox:
    """Set the text of a spin box off its border, and return the box. Qt ignores the padding of the style sheet
    there."""
    box.lineEdit().setTextMargins(_SPIN_MARGIN, 0, 0, 0)
    return box


def choice(name: str, tip: str = "", rows: Iterable[tuple[str, str]] = ()) -> QComboBox:
    """Return a list of (title, value) to choose from. The longest row does not widen the list."""
    box = made(
        ElidedBox(),
        sizeAdjustPolicy=QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon,
        minimumContentsLength=10,
    )
    return choice_of(box, name, tip, rows)


def choose(box: QComboBox, value: str) -> bool:
    """Choose a row by its value. Return whether there is such a row."""
    row = box.findData(value)
    if row >= 0:
        box.setCurrentIndex(row)
    return row >= 0


def muted(words: str = "") -> QLabel:
    """Return a label with secondary text that wraps."""
    return made(QLabel(words), wordWrap=True, muted=True)


def form() -> QFormLayout:
    """Return a layout for rows of a label and a field."""
    made = QFormLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(8)
    made.setVerticalSpacing(5)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return made
