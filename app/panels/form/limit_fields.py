"""The limits of a probe and of the reduction, the libraries of the input, and the JDK."""

from __future__ import annotations

import os
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)

from app.panels.form.fields import choice, form, padded
from core.protocol import events
from core.protocol.settings import Settings

_BOX_WIDTH = 96
"""Width of a number in pixels: enough for all but the largest limits."""


class LimitFields(QWidget):
    """Time and memory of a probe; time and number of probes of the reduction. An empty field is no limit."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.timeout, self.time_limit = padded(QDoubleSpinBox()), padded(QDoubleSpinBox())
        self.timeout.setRange(0, 86400)
        self.timeout.setSpecialValueText("Automatic")
        self.time_limit.setRange(0, 1e6)
        self.time_limit.setSpecialValueText("None")
        for seconds in (self.timeout, self.time_limit):
            seconds.setDecimals(1)
            seconds.setSuffix(" s")
            seconds.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        self.max_probes, self.memory = padded(QSpinBox()), padded(QSpinBox())
        self.max_probes.setRange(0, 1_000_000)
        self.memory.setRange(0, 1_000_000)
        self.memory.setSuffix(" MiB")
        self.memory.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType)
        for number in (self.max_probes, self.memory):
            number.setSpecialValueText("None")
            number.setGroupSeparatorShown(True)
        rows = form()
        fields: tuple[tuple[str, QDoubleSpinBox | QSpinBox, str, str], ...] = (
            (
                "Timeout per run",
                self.timeout,
                "Timeout per run",
                "A run that takes longer is killed. Automatic: 5 times the slowest run that fails, at least 0.5 s",
            ),
            (
                "Memory per run",
                self.memory,
                "Memory limit per run",
                "A run whose processes take more is killed",
            ),
            (
                "Total time limit",
                self.time_limit,
                "Total time limit",
                "The reduction ends after this time and keeps the smallest so far",
            ),
            (
                "Run limit",
                self.max_probes,
                "Run limit",
                "The reduction ends after so many runs and keeps the smallest so far",
            ),
        )
        for words, box, name, tip in fields:
            box.setAccessibleName(name)
            box.setToolTip(tip)
            box.setMinimumWidth(_BOX_WIDTH)
            box.valueChanged.connect(lambda *_: self.changed.emit())
            rows.addRow(words, box)
        self.setLayout(rows)

    def values(self) -> dict[str, Any]:
        """Return the settings of these fields."""
        return {
            "timeout": self.timeout.value() or None,
            "memory": self.memory.value() or None,
            "time_limit": self.time_limit.value() or None,
            "max_probes": self.max_probes.value() or None,
        }

    def changes(self) -> int:
        """Return the number of limits that are set."""
        return sum(value is not None for value in self.values().values())

    def fill(self, settings: Settings) -> None:
        """Show settings."""
        self.timeout.setValue(settings.timeout or 0)
        self.memory.setValue(settings.memory or 0)
        self.time_limit.setValue(settings.time_limit or 0)
        self.max_probes.setValue(settings.max_probes or 0)


class LibraryField(QWidget):
    """The class path: jars and folders that the input uses."""

    changed = Signal()
    jars_wanted = Signal()
    """Jars are to be chosen and added."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.line.setPlaceholderText(f"Jars and folders, separated by {os.pathsep}")
        self.line.setAccessibleName("Libraries of the input")
        self.line.setToolTip("The class path of the input: used by it, not reduced")
        self.button = QPushButton("Add…")
        self.button.setToolTip("Add jars to the libraries")
        self.button.setAccessibleName("Add libraries")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        self.line.textChanged.connect(lambda _: self.changed.emit())
        self.button.clicked.connect(lambda _=False: self.jars_wanted.emit())

    @property
    def paths(self) -> list[str]:
        """The libraries."""
        return [word.strip() for word in self.line.text().split(os.pathsep) if word.strip()]

    def set_paths(self, paths: list[str]) -> None:
        """Show libraries."""
        self.line.setText(os.pathsep.join(paths))

    def add(self, jars: list[str]) -> bool:
        """Add libraries. Return whether any of them was not there."""
        fresh = [path for path in jars if path not in self.paths]
        self.set_paths([*self.paths, *fresh])
        return bool(fresh)


class JdkField(QWidget):
    """The JDK that tools, javac and the command run on: its folder or version. An empty field is the automatic
    choice."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.box = choice("JDK", "The JDK for tools, javac and the command. Automatic: one that reads the input")
        self.box.setEditable(True)
        self.box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        line = self.box.lineEdit()
        assert line is not None  # it is editable
        line.setPlaceholderText("JDK: automatic, by the input")
        line.setAccessibleName("JDK")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box, 1)
        self.box.editTextChanged.connect(lambda _: self.changed.emit())

    @property
    def jdk(self) -> str:
        """The folder or the version; empty for the automatic choice."""
        return self.box.currentText().strip()

    def set_jdk(self, wanted: str) -> None:
        """Show a folder or a version."""
        self.box.setEditText(wanted)

    def offer(self, presets: events.Presets) -> None:
        """Offer the JDKs that are here. The text of the field stays."""
        wanted = self.jdk
        self.box.blockSignals(True)
        self.box.clear()
        for version, home in presets.jdks:
            self.box.addItem(home)
            self.box.setItemData(self.box.count() - 1, f"JDK {version}", Qt.ItemDataRole.ToolTipRole)
        self.box.setCurrentIndex(-1)
        self.box.setEditText(wanted)
        self.box.blockSignals(False)
