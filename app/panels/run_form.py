"""The fields of the run panel: command, what counts as the failure, algorithm, limits."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from app.panels.run_settings import RunSettings
from core.run import events

_ZERO, _NUMBER, _SAME, _ANY = range(4)


class RunForm(QWidget):
    """Reads and writes :class:`RunSettings`."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._explanations: dict[str, str] = {}
        self._build_command(column)
        self._build_condition(column)
        self._build_algorithm(column)
        self._build_limits(column)

    # -- fields -------------------------------------------------------------------------

    def _build_command(self, column: QVBoxLayout) -> None:
        self.command = QPlainTextEdit()
        self.command.setPlaceholderText(self.tr("./check.sh {jar}"))
        self.command.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.command.setTabChangesFocus(True)
        self.command.setFixedHeight(4 * self.command.fontMetrics().lineSpacing() + 18)
        self.command.setAccessibleName(self.tr("Command that shows the failure"))
        self.command.setToolTip(
            self.tr(
                "Run once for each candidate, in an empty folder of its own, without a shell.\n"
                "{jar}  the candidate as a jar\n"
                "{classes}  the candidate as a folder of classes\n"
                "{file:PATH}  a file of yours\n"
                "Exit code 125 says: cannot tell."
            )
        )
        label = QLabel(self.tr("Co&mmand that shows the failure"))
        label.setProperty("heading", True)
        label.setBuddy(self.command)
        hint = QLabel(self.tr("{jar} stands for the candidate, {classes} for its folder of classes"))
        hint.setProperty("muted", True)
        hint.setWordWrap(True)
        column.addWidget(label)
        column.addWidget(self.command)
        column.addWidget(hint)
        self.command.textChanged.connect(self.changed)

    def _build_condition(self, column: QVBoxLayout) -> None:
        heading = QLabel(self.tr("It still fails if"))
        heading.setProperty("heading", True)
        column.addSpacing(4)
        column.addWidget(heading)
        self.exit_rule = QComboBox()
        self.exit_rule.addItems(
            [
                self.tr("the exit code is 0"),
                self.tr("the exit code is"),
                self.tr("the exit code is the same"),
                self.tr("(any exit code)"),
            ]
        )
        self.exit_rule.setAccessibleName(self.tr("Exit code"))
        self.exit_rule.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.exit_rule.setMinimumContentsLength(10)
        self.exit_rule.setToolTip(self.tr("What the command's exit code must be. The same: as for the whole jar"))
        self.exit_code = QSpinBox()
        self.exit_code.setRange(0, 255)
        self.exit_code.setFixedWidth(70)
        self.exit_code.setValue(1)
        self.exit_code.setAccessibleName(self.tr("Wanted exit code"))
        self.exit_code.setVisible(False)
        row = QHBoxLayout()
        row.addWidget(self.exit_rule, 1)
        row.addWidget(self.exit_code)
        column.addLayout(row)
        self.same_out = QCheckBox(self.tr("same o&utput"))
        self.same_err = QCheckBox(self.tr("same &errors"))
        self.same_out.setToolTip(self.tr("Standard output must be as for the whole jar"))
        self.same_err.setToolTip(self.tr("Standard error must be as for the whole jar"))
        row = QHBoxLayout()
        row.addWidget(self.same_out)
        row.addWidget(self.same_err)
        row.addStretch(1)
        column.addLayout(row)
        self.match, self.no_match = QLineEdit(), QLineEdit()
        self.match.setPlaceholderText(self.tr("regular expression, e.g. NullPointerException"))
        self.no_match.setPlaceholderText(self.tr("regular expression"))
        self.match.setAccessibleName(self.tr("Output must match"))
        self.no_match.setAccessibleName(self.tr("Output must not match"))
        self.match.setToolTip(self.tr("Must be found in the command's output or errors"))
        self.no_match.setToolTip(self.tr("Must not be found there: keeps the search on this failure"))
        form = _form()
        form.addRow(self.tr("output has"), self.match)
        form.addRow(self.tr("and not"), self.no_match)
        column.addLayout(form)
        self.exit_rule.currentIndexChanged.connect(lambda now: self.exit_code.setVisible(now == _NUMBER))
        self.exit_rule.view().setAccessibleName(self.tr("Exit code"))
        for signal in (
            self.exit_rule.currentIndexChanged,
            self.exit_code.valueChanged,
            self.same_out.toggled,
            self.same_err.toggled,
            self.match.textChanged,
            self.no_match.textChanged,
        ):
            signal.connect(lambda *_: self.changed.emit())

    def _build_algorithm(self, column: QVBoxLayout) -> None:
        label = QLabel(self.tr("Al&gorithm"))
        label.setProperty("heading", True)
        self.algorithm = QComboBox()
        self.algorithm.setAccessibleName(self.tr("Algorithm"))
        self.algorithm.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.algorithm.setMinimumContentsLength(12)
        self.algorithm.view().setAccessibleName(self.tr("Algorithms"))
        label.setBuddy(self.algorithm)
        self.explanation = QLabel()
        self.explanation.setWordWrap(True)
        self.explanation.setProperty("muted", True)
        self.classic = QCheckBox(self.tr("as in the &textbook"))
        self.classic.setToolTip(
            self.tr("Delta debugging exactly as published: subsets first, from the start after each success")
        )
        column.addSpacing(4)
        column.addWidget(label)
        column.addWidget(self.algorithm)
        column.addWidget(self.explanation)
        column.addWidget(self.classic)
        self.algorithm.currentIndexChanged.connect(self._explain)

    def _build_limits(self, column: QVBoxLayout) -> None:
        heading = QLabel(self.tr("Limits"))
        heading.setProperty("heading", True)
        column.addSpacing(4)
        column.addWidget(heading)
        self.timeout, self.time_limit = QDoubleSpinBox(), QDoubleSpinBox()
        self.timeout.setRange(0, 86400)
        self.timeout.setSpecialValueText(self.tr("automatic"))
        self.time_limit.setRange(0, 1e6)
        self.time_limit.setSpecialValueText(self.tr("none"))
        for box in (self.timeout, self.time_limit):
            box.setDecimals(1)
            box.setSuffix(" s")
            box.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.max_probes = QSpinBox()
        self.max_probes.setRange(0, 1_000_000)
        self.max_probes.setSpecialValueText(self.tr("none"))
        self.max_probes.setGroupSeparatorShown(True)
        self.timeout.setToolTip(
            self.tr("A probe that takes longer is killed. Automatic: ten times the check, at least 5 s")
        )
        self.time_limit.setToolTip(self.tr("The reduction ends after this time, with the best so far"))
        self.max_probes.setToolTip(self.tr("The reduction ends after so many probes, with the best so far"))
        self.timeout.setAccessibleName(self.tr("Time limit of a probe"))
        self.time_limit.setAccessibleName(self.tr("Time limit of the reduction"))
        self.max_probes.setAccessibleName(self.tr("Most probes"))
        form = _form()
        form.addRow(self.tr("one probe"), self.timeout)
        form.addRow(self.tr("in all"), self.time_limit)
        form.addRow(self.tr("probes"), self.max_probes)
        column.addLayout(form)

    # -- values -------------------------------------------------------------------------

    def settings(self) -> RunSettings:
        """What the fields say now."""
        rule = self.exit_rule.currentIndex()
        preserve = ["exit"] if rule == _SAME else []
        preserve += ["out"] if self.same_out.isChecked() else []
        preserve += ["err"] if self.same_err.isChecked() else []
        exit_code = {_ZERO: 0, _NUMBER: self.exit_code.value()}.get(rule)
        return RunSettings(
            predicate=self.command.toPlainText().replace("\n", " ").strip(),
            preserve=preserve,
            expect_exit=exit_code,
            match=self.match.text(),
            no_match=self.no_match.text(),
            timeout=self.timeout.value() or None,
            algorithm=str(self.algorithm.currentData() or ""),
            time_limit=self.time_limit.value() or None,
            max_probes=self.max_probes.value() or None,
            classic=self.classic.isChecked() and self.classic.isEnabled(),
        )

    def set_settings(self, settings: RunSettings) -> None:
        """Fill the fields."""
        self.command.setPlainText(settings.predicate)
        if "exit" in settings.preserve:
            rule = _SAME
        elif settings.expect_exit is None:
            rule = _ANY if settings.preserve or settings.match else _ZERO
        else:
            rule = _NUMBER if settings.expect_exit else _ZERO
        self.exit_rule.setCurrentIndex(rule)
        self.exit_code.setValue(settings.expect_exit or 1)
        self.same_out.setChecked("out" in settings.preserve)
        self.same_err.setChecked("err" in settings.preserve)
        self.match.setText(settings.match)
        self.no_match.setText(settings.no_match)
        self.timeout.setValue(settings.timeout or 0)
        self.time_limit.setValue(settings.time_limit or 0)
        self.max_probes.setValue(settings.max_probes or 0)
        self.classic.setChecked(settings.classic)
        if settings.algorithm:
            self.choose_algorithm(settings.algorithm)

    def set_algorithms(self, offered: events.Algorithms) -> None:
        """Fill the list of algorithms; the choice stays if it is still offered."""
        chosen = self.algorithm.currentData() or offered.default
        self._explanations = dict(zip(offered.names, offered.explanations, strict=True))
        self.algorithm.clear()
        for name, title in zip(offered.names, offered.titles, strict=True):
            self.algorithm.addItem(title, name)
            self.algorithm.setItemData(
                self.algorithm.count() - 1, self._explanations[name], Qt.ItemDataRole.ToolTipRole
            )
        self.choose_algorithm(chosen)

    def choose_algorithm(self, name: str) -> None:
        """Choose by the name that the command line uses."""
        row = self.algorithm.findData(name)
        if row >= 0:
            self.algorithm.setCurrentIndex(row)

    def _explain(self) -> None:
        name = str(self.algorithm.currentData() or "")
        self.explanation.setText(self._explanations.get(name, ""))
        # Only delta debugging has a textbook variant that asks differently.
        self.classic.setEnabled(name != "binary")
        self.changed.emit()


def _form() -> QFormLayout:
    form = QFormLayout()
    form.setContentsMargins(0, 0, 0, 0)
    form.setHorizontalSpacing(8)
    form.setVerticalSpacing(5)
    form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
    return form
