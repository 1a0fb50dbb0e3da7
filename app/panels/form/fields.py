"""Small parts that forms are made of: headings, sections that fold, lists of choices."""

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

SpinBox = TypeVar("SpinBox", bound=QAbstractSpinBox)
_SPIN_MARGIN = 6
"""Pixels from the border of a spin box to its text, as in the other fields."""


class Section(QWidget):
    """A heading that folds what is below it."""

    def __init__(self, title: str, unfolded: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.head = QToolButton()
        self.head.setText(title)
        self.head.setProperty("section", True)
        self.head.setCheckable(True)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.head.setAccessibleName(title.replace("&", ""))
        self.body = QWidget()
        self.column = QVBoxLayout(self.body)
        self.column.setContentsMargins(0, 2, 0, 8)
        self.column.setSpacing(6)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.head)
        outer.addWidget(self.body)
        self.head.toggled.connect(self._fold)
        self.head.setChecked(unfolded)
        self._fold(unfolded)

    def add(self, *parts: QWidget | QLayout) -> None:
        """Puts parts below the heading."""
        for part in parts:
            if isinstance(part, QWidget):
                self.column.addWidget(part)
            else:
                self.column.addLayout(part)

    def _fold(self, unfolded: bool) -> None:
        self.body.setVisible(unfolded)
        self.head.setArrowType(Qt.ArrowType.DownArrow if unfolded else Qt.ArrowType.RightArrow)
        self.head.setAccessibleDescription("unfolded" if unfolded else "folded")


def padded(box: SpinBox) -> SpinBox:
    """A spin box whose text stands off its border: Qt ignores the padding that a style sheet gives to its inside."""
    box.lineEdit().setTextMargins(_SPIN_MARGIN, 0, 0, 0)
    return box


def choice(name: str, tip: str = "", rows: Iterable[tuple[str, str]] = ()) -> QComboBox:
    """A list of (title, value) to choose from, that does not grow with its longest row."""
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(10)
    box.view().setAccessibleName(name)
    for title, value in rows:
        box.addItem(title, value)
    return box


def choose(box: QComboBox, value: str) -> bool:
    """Chooses a row by its value; whether there is one."""
    row = box.findData(value)
    if row >= 0:
        box.setCurrentIndex(row)
    return row >= 0


def muted(words: str = "") -> QLabel:
    """Secondary text that wraps."""
    label = QLabel(words)
    label.setWordWrap(True)
    label.setProperty("muted", True)
    return label


def form() -> QFormLayout:
    """Rows of a label and a field."""
    made = QFormLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(8)
    made.setVerticalSpacing(5)
    made.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    made.setRowWrapPolicy(QFormLayout.RowWrapPolicy.DontWrapRows)
    return made
