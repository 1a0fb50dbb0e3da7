"""What of a command's run counts as the failure: exit code, output, failures by name."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLineEdit, QSpinBox, QVBoxLayout, QWidget

from app.panels.form.fields import choice, choose, form
from core.protocol.settings import Settings

_ZERO, _NUMBER, _SAME, _ANY = range(4)
KINDS = ("javac", "traces")
_PATTERN = "pattern"


class ConditionFields(QWidget):
    """For a command of one's own; presets have their own condition."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.exit_rule = choice(
            "Exit code",
            "What the command's exit code must be. The same: as for the whole jar",
            [
                ("exit code 0", ""),
                ("exit code is", ""),
                ("same exit code", ""),
                ("any exit code", ""),
            ],
        )
        self.exit_code = QSpinBox()
        self.exit_code.setRange(0, 255)
        self.exit_code.setFixedWidth(70)
        self.exit_code.setValue(1)
        self.exit_code.setAccessibleName("Wanted exit code")
        self.exit_code.setVisible(False)
        self.same_out = QCheckBox("same o&utput")
        self.same_err = QCheckBox("same errors")
        self.same_out.setToolTip("Standard output must be as for the whole jar")
        self.same_err.setToolTip("Standard error must be as for the whole jar")
        self.match, self.no_match, self.pattern = QLineEdit(), QLineEdit(), QLineEdit()
        self.match.setPlaceholderText("regular expression")
        self.no_match.setPlaceholderText("regular expression")
        self.match.setAccessibleName("Output must match")
        self.no_match.setAccessibleName("Output must not match")
        self.match.setToolTip("Must be found in the command's output or errors, e.g. NullPointerException")
        self.no_match.setToolTip("Must not be found there: keeps the search on this failure")
        self.reading = choice(
            "How failures are named",
            "Reads names of failures off the output, so that one of several can be kept and told from others",
            [
                ("not read", ""),
                ("errors of javac", "javac"),
                ("Java stack traces", "traces"),
                ("by a pattern", _PATTERN),
            ],
        )
        self.pattern.setPlaceholderText("group 1, or the whole match, is the name")
        self.pattern.setAccessibleName("Pattern of a failure")
        self.pattern.setToolTip("Regular expression, searched line by line")
        self.pattern.setVisible(False)
        self.also = QSpinBox()
        self.also.setRange(0, 255)
        self.also.setSpecialValueText("none")
        self.also.setPrefix("exit code ")
        self.also.setAccessibleName("Exit code for another failure")
        self.also.setToolTip(
            "By this exit code the command says: it fails in another way. A jar is kept for each such failure"
        )
        self._lay_out()
        self.exit_rule.currentIndexChanged.connect(lambda row: self.exit_code.setVisible(row == _NUMBER))
        self.reading.currentIndexChanged.connect(
            lambda _: self.pattern.setVisible(self.reading.currentData() == _PATTERN)
        )
        for signal in (
            self.exit_rule.currentIndexChanged,
            self.exit_code.valueChanged,
            self.same_out.toggled,
            self.same_err.toggled,
            self.match.textChanged,
            self.no_match.textChanged,
            self.reading.currentIndexChanged,
            self.pattern.textChanged,
            self.also.valueChanged,
        ):
            signal.connect(lambda *_: self.changed.emit())

    def _lay_out(self) -> None:
        codes, same = QHBoxLayout(), QHBoxLayout()
        codes.addWidget(self.exit_rule, 1)
        codes.addWidget(self.exit_code)
        same.addWidget(self.same_out)
        same.addWidget(self.same_err)
        same.addStretch(1)
        rows = form()
        rows.addRow("output has", self.match)
        rows.addRow("and not", self.no_match)
        rows.addRow("failures", self.reading)
        rows.addRow("", self.pattern)
        rows.addRow("another one", self.also)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(codes)
        column.addLayout(same)
        column.addLayout(rows)

    def values(self) -> dict[str, Any]:
        """The fields of :class:`Settings` that are asked for here."""
        rule = self.exit_rule.currentIndex()
        marks = {"err": self.same_err.isChecked(), "exit": rule == _SAME, "out": self.same_out.isChecked()}
        preserve = [what for what, wanted in marks.items() if wanted]
        reading = str(self.reading.currentData() or "")
        return {
            "preserve": frozenset(preserve),
            "expect_exit": {_ZERO: 0, _NUMBER: self.exit_code.value()}.get(rule),
            "match": self.match.text() or None,
            "no_match": self.no_match.text() or None,
            "also_interesting": self.also.value() or None,
            "failures_as": (self.pattern.text() if reading == _PATTERN else reading) or None,
        }

    def fill(self, settings: Settings) -> None:
        """Shows settings."""
        if "exit" in settings.preserve:
            rule = _SAME
        elif settings.expect_exit is None:
            rule = _ANY if settings.preserve or settings.match or settings.failures_as else _ZERO
        else:
            rule = _NUMBER if settings.expect_exit else _ZERO
        self.exit_rule.setCurrentIndex(rule)
        self.exit_code.setValue(settings.expect_exit or 1)
        self.same_out.setChecked("out" in settings.preserve)
        self.same_err.setChecked("err" in settings.preserve)
        self.also.setValue(settings.also_interesting or 0)
        self.match.setText(settings.match or "")
        self.no_match.setText(settings.no_match or "")
        reading = settings.failures_as or ""
        known = reading in ("", *KINDS)
        choose(self.reading, reading if known else _PATTERN)
        self.pattern.setText("" if known else reading)
        for line in (self.match, self.no_match, self.pattern):
            line.setCursorPosition(0)  # what is longer than the field shows its beginning
