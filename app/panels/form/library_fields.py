"""The libraries of the input, and the JDK."""

from __future__ import annotations

import os

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from app.panels.form.fields import editable
from app.widgets import control, row_of
from core.protocol import events


class LibraryField(QWidget):
    """The class path: jars and folders that the input uses."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        words = f"Jars and folders, separated by {os.pathsep}"
        self.line = control(QLineEdit(), "libraries", placeholderText=words, textChanged=self.changed)
        self.button = control(QPushButton(), "add_libraries")
        row_of((self.line, 1), self.button, owner=self)

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

    def __init__(self) -> None:
        super().__init__()
        self.box = editable("jdk", "JDK: automatic, by the input")
        row_of((self.box, 1), owner=self)
        self.box.editTextChanged.connect(self.changed)

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
        with QSignalBlocker(self.box):
            self.box.clear()
            for version, home in presets.jdks:
                self.box.addItem(home)
                self.box.setItemData(self.box.count() - 1, f"JDK {version}", Qt.ItemDataRole.ToolTipRole)
            self.box.setCurrentIndex(-1)
            self.box.setEditText(wanted)
