"""Parts of forms: sections that fold, lists of choices, and fields made from the marks of the settings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from app.widgets import ElidedBox, column_of, control, made
from core.protocol.setting_marks import Decides, DeclaredSetting, Number, Switch, Words
from core.protocol.settings import Settings, declarations
from core.values import Whole

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
        column_of(self.head, self.body, owner=self, spacing=0)
        self.head.toggled.connect(self._fold)
        self.head.setChecked(unfolded)
        self._fold(unfolded)

    def add(self, *parts: QWidget | QLayout) -> None:
        """Put parts below the heading."""
        column_of(*parts, owner=self.body, margins=(0, 2, 0, 4), spacing=6)

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


def choice(name: str, **values: Any) -> QComboBox:
    """Return a list to choose from, as :func:`control` makes it. The longest row does not widen the list."""
    policy = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    return control(made(ElidedBox(), sizeAdjustPolicy=policy, minimumContentsLength=10), name, **values)


def editable(name: str, placeholder: str) -> QComboBox:
    """Return a list to choose from or to type another text into, which nobody adds to the list."""
    box = choice(name, editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert)
    if (line := box.lineEdit()) is not None:
        made(line, placeholderText=placeholder, accessibleName=box.accessibleName())
    return box


def choose(box: QComboBox, value: str) -> bool:
    """Choose a row by its value. Return whether there is such a row."""
    row = box.findData(value)
    if row >= 0:
        box.setCurrentIndex(row)
    return row >= 0


HEADING = "-"
"""Data of a row that is the title of a group."""


def offer(box: QComboBox, groups: Iterable[tuple[str, Iterable[tuple[str, str, str]]]]) -> None:
    """Fill a list with groups, without a signal: each a title that cannot be chosen, and rows of words, value, tip."""
    with QSignalBlocker(box):
        box.clear()
        for title, rows in groups:
            box.addItem(title, HEADING)
            item = box.model().item(box.count() - 1)  # type: ignore[attr-defined]
            item.setEnabled(False)
            item.setFont(made(item.font(), bold=True))
            for words, value, tip in rows:
                box.addItem(words, value)
                box.setItemData(box.count() - 1, tip or None, Qt.ItemDataRole.ToolTipRole)


def muted(words: str = "") -> QLabel:
    """Return a label with secondary text that wraps."""
    return made(QLabel(words), wordWrap=True, muted=True)


def form() -> QFormLayout:
    """Return a layout for rows of a label and a field."""
    rows = made(
        QFormLayout(),
        horizontalSpacing=8,
        verticalSpacing=5,
        fieldGrowthPolicy=QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow,
        rowWrapPolicy=QFormLayout.RowWrapPolicy.DontWrapRows,
    )
    rows.setContentsMargins(0, 0, 0, 0)
    return rows


_BOX_WIDTH = 96
"""Least width of a box for a number in pixels: enough for all but the largest numbers."""

_LARGEST = 1_000_000
"""Largest number that a box takes: a larger one would widen the form."""


class DeclaredFields(QWidget):
    """A field for each setting that decides one part of a reduction and is marked as a switch, a number or
    words.

    ``switches``, ``numbers`` and ``lines`` hold the boxes by the name of the setting. A box is hidden for the
    algorithms that do not read its setting.
    """

    changed = Signal()

    def __init__(self, decides: Decides) -> None:
        super().__init__()
        self.switches: dict[str, QCheckBox] = {}
        self.numbers: dict[str, QDoubleSpinBox] = {}
        self.lines: dict[str, QLineEdit] = {}
        self._rows = form()
        self.setLayout(self._rows)
        for name, setting in declarations().items():
            if setting.decides & decides:
                self._add(name, setting)

    def values(self, algorithm: str) -> dict[str, Any]:
        """Return the settings of these fields. A setting that the algorithm does not read keeps its default."""
        ticks = {name: box.isChecked() for name, box in self.switches.items()}
        numbers = {name: _number(box) for name, box in self.numbers.items()}
        lines = {name: tuple(line.text().split()) for name, line in self.lines.items()}
        return {
            name: value if declarations()[name].acts_on(algorithm) else getattr(Settings, name)
            for name, value in (ticks | numbers | lines).items()
        }

    def fill(self, settings: Settings) -> None:
        """Show settings."""
        for name, switch in self.switches.items():
            switch.setChecked(getattr(settings, name))
        for name, box in self.numbers.items():
            value = getattr(settings, name)
            box.setValue(box.minimum() if value is None else value)
        for name, line in self.lines.items():
            line.setText(" ".join(getattr(settings, name)))

    def show_for(self, algorithm: str) -> None:
        """Show the fields of the settings that the algorithm reads, and hide the others."""
        for name, box in (self.switches | self.numbers | self.lines).items():
            self._rows.setRowVisible(box, declarations()[name].acts_on(algorithm))

    def _add(self, name: str, setting: DeclaredSetting) -> None:
        """Add the row of a setting, if it is marked as a switch, a number or words."""
        if switch := setting.mark(Switch):
            tick = self.switches[name] = QCheckBox(switch.label)
            tick.setToolTip(switch.tip)
            tick.setChecked(getattr(Settings, name))
            tick.toggled.connect(self.changed)
            self._rows.addRow(tick)
        if number := setting.mark(Number):
            box = self.numbers[name] = _number_box(number, setting.mark(Whole))
            box.valueChanged.connect(self.changed)
            self._rows.addRow(number.label, box)
        if words := setting.mark(Words):
            line = self.lines[name] = made(QLineEdit(), accessibleName=words.label, toolTip=words.tip)
            line.textChanged.connect(self.changed)
            self._rows.addRow(words.label, line)


def _number_box(number: Number, whole: Whole | None) -> QDoubleSpinBox:
    """Return a box; its least value stands for an unset number. Numbers that are not whole are seconds."""
    least = whole.least - 1 if whole else 0
    return made(
        padded(QDoubleSpinBox()),
        decimals=0 if whole else 1,
        minimum=least,
        maximum=_LARGEST,
        value=least,
        specialValueText=number.unset,
        suffix=number.unit and f" {number.unit}",
        stepType=QDoubleSpinBox.StepType.AdaptiveDecimalStepType,
        groupSeparatorShown=True,
        accessibleName=number.label,
        toolTip=number.tip,
        minimumWidth=_BOX_WIDTH,
    )


def _number(box: QDoubleSpinBox) -> float | None:
    """Return the number in a box, as an int if the box has no decimals; None if the number is unset."""
    if box.value() == box.minimum():
        return None
    return box.value() if box.decimals() else int(box.value())
