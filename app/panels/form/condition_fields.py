"""The fields of the condition: exit code, output, names of failures."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QCheckBox, QLabel, QLineEdit, QSpinBox

from app.panels.form.fields import Fields, Section, choice, choose, field_of, form, padded
from app.widgets import column_of, control, row_of
from core.protocol.run_words import NO_NAMES
from core.protocol.settings import Settings

_USUAL, _NUMBER, _SAME = range(3)
_PATTERN = "pattern"


class ConditionFields(Fields):
    """The condition of a command. Presets have a condition of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.exit_rule = choice("exit_rule")
        self.exit_code = control(padded(QSpinBox()), "exit_code")
        self.same_out, self.same_err = control(QCheckBox(), "same_out"), control(QCheckBox(), "same_err")
        self.same_files = control(QCheckBox(), "same_files")
        self.same = {"out": self.same_out, "err": self.same_err, "files": self.same_files}
        self.match, self.no_match = control(QLineEdit(), "match"), control(QLineEdit(), "no_match")
        self.reading, self.pattern = choice("reading"), control(QLineEdit(), "pattern")
        self.also = control(padded(QSpinBox()), "other_exit")
        self._lay_out()
        self.exit_rule.currentIndexChanged.connect(lambda row: self.exit_code.setVisible(row == _NUMBER))
        self.reading.currentIndexChanged.connect(
            lambda _: self.pattern.setVisible(self.reading.currentData() == _PATTERN)
        )
        self.own(match=field_of(self.match), no_match=field_of(self.no_match), also_interesting=field_of(self.also))
        for one in (self.exit_rule, self.exit_code, *self.same.values(), self.reading, self.pattern):
            field_of(one).changed.connect(self.changed)

    def _lay_out(self) -> None:
        same, other = column_of(*self.same.values()), row_of(QLabel("Other-failure exit code"), (self.also, 1))
        rows = form()
        for part in (QLabel("Failures in the output"), self.reading, self.pattern):
            rows.addRow(part)  # whole rows: their words are long
        self.more = Section("More conditions", False)
        self.more.add(rows, QLabel("Output must not match"), self.no_match, same, other)
        column_of(
            row_of((self.exit_rule, 1), self.exit_code),
            QLabel("Output matches"),
            self.match,  # a whole row: the expression is long
            self.more,
            owner=self,
            spacing=6,
        )
        self.changed.connect(self._count_more)
        self.changed.connect(self._name_usual)

    def _name_usual(self) -> None:
        """Name the exit code that counts if none is chosen: 0, or any once another condition is set."""
        others = (*self._same, self.match.text(), self.names_failures)
        self.exit_rule.setItemText(_USUAL, "Any exit code" if any(others) else "Exit code 0")

    def _count_more(self) -> None:
        """Say on the line of the folded conditions how many of them are set."""
        marks = (*self._same, bool(self.no_match.text()), self.also.value() > 0, bool(self.reading.currentData()))
        self.more.count(sum(map(bool, marks)))

    @property
    def _same(self) -> list[str]:
        """The outputs that must be those of the whole jar."""
        return [what for what, box in self.same.items() if box.isChecked()]

    @property
    def names_failures(self) -> bool:
        """True if the failures in the output have names."""
        return self.values()["failures_as"] not in (None, NO_NAMES)

    def values(self) -> dict[str, Any]:
        """Return the settings of these fields."""
        rule = self.exit_rule.currentIndex()
        preserve = [*self._same, *["exit"] * (rule == _SAME)]
        reading = str(self.reading.currentData() or "")
        return super().values() | {
            "preserve": frozenset(preserve),
            "expect_exit": self.exit_code.value() if rule == _NUMBER else None,
            "failures_as": (self.pattern.text() if reading == _PATTERN else reading) or None,
        }

    def use_exit(self, code: int) -> None:
        """Make that exit code the wanted one."""
        self.exit_code.setValue(code)
        self.exit_rule.setCurrentIndex(_NUMBER)

    def fill(self, settings: Settings) -> None:
        super().fill(settings)
        number = settings.expect_exit
        self.exit_rule.setCurrentIndex(_SAME if "exit" in settings.preserve else _USUAL if number is None else _NUMBER)
        self.exit_code.setValue(1 if number is None else number)
        for what, box in self.same.items():
            box.setChecked(what in settings.preserve)
        reading = settings.failures_as or ""
        known = self.reading.findData(reading) >= 0
        choose(self.reading, reading if known else _PATTERN)
        field_of(self.pattern).write("" if known else reading)
