"""Check boxes and boxes for numbers, made from the marks ``Switch`` and ``Number`` of the settings."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QWidget

from app.panels.form.fields import form, padded
from core.protocol.setting_marks import Decides, DeclaredSetting, Number, Switch
from core.protocol.settings import Settings, declarations
from core.values import Whole

_BOX_WIDTH = 96
"""Least width of a box for a number in pixels: enough for all but the largest numbers."""

_LARGEST = 1_000_000
"""Largest number that a box takes: a larger one would widen the form."""


class DeclaredFields(QWidget):
    """A field for each setting that decides one part of a reduction and is marked as a switch or a number.

    ``switches`` and ``numbers`` hold the boxes by the name of the setting. A box is hidden for the algorithms that do
    not read its setting.
    """

    changed = Signal()

    def __init__(self, decides: Decides) -> None:
        super().__init__()
        self.switches: dict[str, QCheckBox] = {}
        self.numbers: dict[str, QDoubleSpinBox] = {}
        self._rows = form()
        self.setLayout(self._rows)
        for name, setting in declarations().items():
            if setting.decides & decides:
                self._add(name, setting)

    def values(self, algorithm: str) -> dict[str, Any]:
        """Return the settings of these fields. A setting that the algorithm does not read keeps its default."""
        ticks = {name: box.isChecked() for name, box in self.switches.items()}
        numbers = {name: _number(box) for name, box in self.numbers.items()}
        return {
            name: value if declarations()[name].acts_on(algorithm) else getattr(Settings, name)
            for name, value in (ticks | numbers).items()
        }

    def fill(self, settings: Settings) -> None:
        """Show settings."""
        for name, switch in self.switches.items():
            switch.setChecked(getattr(settings, name))
        for name, box in self.numbers.items():
            value = getattr(settings, name)
            box.setValue(box.minimum() if value is None else value)

    def show_for(self, algorithm: str) -> None:
        """Show the fields of the settings that the algorithm reads, and hide the others."""
        for name, box in (self.switches | self.numbers).items():
            self._rows.setRowVisible(box, declarations()[name].acts_on(algorithm))

    def _add(self, name: str, setting: DeclaredSetting) -> None:
        """Add the row of a setting, if it is marked as a switch or a number."""
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


def _number_box(number: Number, whole: Whole | None) -> QDoubleSpinBox:
    """Return a box whose least value stands for an unset number. Numbers that are not whole are seconds."""
    box = padded(QDoubleSpinBox())
    box.setDecimals(0 if whole else 1)
    box.setRange(whole.least - 1 if whole else 0, _LARGEST)
    box.setSpecialValueText(number.unset)
    box.setValue(box.minimum())
    box.setSuffix(number.unit and f" {number.unit}")
    box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
    box.setGroupSeparatorShown(True)
    box.setAccessibleName(number.label)
    box.setToolTip(number.tip)
    box.setMinimumWidth(_BOX_WIDTH)
    return box


def _number(box: QDoubleSpinBox) -> float | None:
    """Return the number in a box, as an int where the box has no decimals; None if the number is unset."""
    if box.value() == box.minimum():
        return None
    return box.value() if box.decimals() else int(box.value())
