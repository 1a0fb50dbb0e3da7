"""Parts of forms: sections that fold, lists of choices, and fields made from the marks of the settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QSignalBlocker, Qt, Signal, SignalInstance
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
    QSpinBox,
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


class FormField(NamedTuple):
    """The widget for the value of one setting, its signal of a change, and functions to read and to write the value."""

    widget: QWidget
    changed: SignalInstance
    read: Callable[[], Any]
    write: Callable[[Any], object]


def field_of(widget: QWidget) -> FormField:
    """Return the field of a widget. An empty line, and the least value of a box for a number, stand for an unset one.
    A text longer than its line shows its beginning."""
    own: Any = widget
    if isinstance(widget, QCheckBox):
        return FormField(widget, own.toggled, own.isChecked, own.setChecked)
    if isinstance(widget, QComboBox):
        return FormField(widget, own.currentIndexChanged, lambda: str(own.currentData()), partial(choose, own))
    if isinstance(widget, QLineEdit):
        return FormField(
            widget,
            own.textChanged,
            lambda: own.text() or None,
            lambda words: made(own, text=words or "", cursorPosition=0),
        )
    return FormField(
        widget,
        own.valueChanged,
        lambda: None if own.value() == own.minimum() else own.value(),
        lambda value: own.setValue(own.minimum() if value is None else value),
    )


def list_field(line: QLineEdit, separator: str | None = None) -> FormField:
    """Return the field of a line with several texts, parted by ``separator``; None = by spaces."""

    def read() -> tuple[str, ...]:
        return tuple(filter(None, map(str.strip, line.text().split(separator))))

    return FormField(line, line.textChanged, read, lambda words: line.setText((separator or " ").join(words)))


class Fields(QWidget):
    """Fields for some settings, by the names of the settings."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, FormField] = {}

    def own(self, **fields: FormField) -> None:
        """Read and write these fields too, and tell their changes."""
        for one in fields.values():
            one.changed.connect(self.changed)
        self.fields |= fields

    def values(self) -> dict[str, Any]:
        """Return the settings of these fields."""
        return {name: one.read() for name, one in self.fields.items()}

    def fill(self, settings: Settings) -> None:
        """Show settings."""
        for name, one in self.fields.items():
            one.write(getattr(settings, name))


_BOX_WIDTH = 96
"""Least width of a box for a number in pixels: enough for all but the largest numbers."""

_LARGEST = 1_000_000
"""Largest number that a box takes: a larger one would widen the form."""


class DeclaredFields(Fields):
    """A field for each setting that decides one part of a reduction and is marked as a switch, a number or words. A
    field is hidden for the algorithms that do not read its setting.
    """

    def __init__(self, decides: Decides) -> None:
        super().__init__()
        self._algorithm = Settings.algorithm
        self._rows = form()
        self.setLayout(self._rows)
        for name, setting in declarations().items():
            if setting.decides & decides:
                self._add(name, setting)

    def values(self) -> dict[str, Any]:
        """Return the settings of these fields. A setting that the algorithm does not read keeps its default."""
        return {
            name: one.read() if self._is_read(name) else getattr(Settings, name) for name, one in self.fields.items()
        }

    def show_for(self, algorithm: str) -> None:
        """Show the fields of the settings that the algorithm reads, and hide the others."""
        self._algorithm = algorithm
        for name, one in self.fields.items():
            self._rows.setRowVisible(one.widget, self._is_read(name))

    def _is_read(self, name: str) -> bool:
        return declarations()[name].acts_on(self._algorithm)

    def _add(self, name: str, setting: DeclaredSetting) -> None:
        """Add the row of a setting, if it is marked as a switch, a number or words."""
        if switch := setting.mark(Switch):
            tick = made(QCheckBox(switch.label), toolTip=switch.tip, checked=getattr(Settings, name))
            self._rows.addRow(tick)
            self.own(**{name: field_of(tick)})
        if number := setting.mark(Number):
            box = _number_box(number, setting.mark(Whole))
            self._rows.addRow(number.label, box)
            self.own(**{name: field_of(box)})
        if words := setting.mark(Words):
            line = made(QLineEdit(), accessibleName=words.label, toolTip=words.tip)
            self._rows.addRow(words.label, line)
            self.own(**{name: list_field(line)})


def _number_box(number: Number, whole: Whole | None) -> QSpinBox | QDoubleSpinBox:
    """Return a box; its least value stands for an unset number. Numbers that are not whole are seconds."""
    least = whole.least - 1 if whole else 0
    box = QSpinBox() if whole else made(QDoubleSpinBox(), decimals=1)
    return made(
        padded(box),
        minimum=least,
        maximum=_LARGEST,
        value=least,
        specialValueText=number.unset,
        suffix=number.unit and f" {number.unit}",
        stepType=QAbstractSpinBox.StepType.AdaptiveDecimalStepType,
        groupSeparatorShown=True,
        accessibleName=number.label,
        toolTip=number.tip,
        minimumWidth=_BOX_WIDTH,
    )
