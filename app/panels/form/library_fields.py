"""The libraries of the input, and the JDK."""

from __future__ import annotations

import os

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QLineEdit, QPushButton

from app.panels.form.fields import Fields, FormField, editable, list_field
from app.widgets import column_of, control, row_of
from core.protocol import events


class LibraryFields(Fields):
    """The class path, with jars and folders that the input uses; and the JDK of tools, javac and the command, by its
    folder or version. Without a JDK, the choice is automatic."""

    def __init__(self) -> None:
        super().__init__()
        words = f"Jars and folders, separated by {os.pathsep}"
        self.line = control(QLineEdit(), "libraries", placeholderText=words)
        self.button = control(QPushButton(), "add_libraries")
        self.jdk = editable("jdk", "JDK: automatic, by the input")
        column_of(row_of((self.line, 1), self.button), self.jdk, owner=self, spacing=6)
        self.own(
            classpath=list_field(self.line, os.pathsep),
            jdk=FormField(
                self.jdk, self.jdk.editTextChanged, lambda: self.jdk.currentText().strip(), self.jdk.setEditText
            ),
        )

    @property
    def paths(self) -> list[str]:
        """The libraries."""
        return list(self.fields["classpath"].read())

    def add(self, jars: list[str]) -> bool:
        """Add libraries. Return whether any of them was not there."""
        fresh = [path for path in jars if path not in self.paths]
        self.fields["classpath"].write([*self.paths, *fresh])
        return bool(fresh)

    def offer(self, presets: events.Presets) -> None:
        """Offer the JDKs that are here. The text of the field stays."""
        wanted = self.jdk.currentText().strip()
        with QSignalBlocker(self.jdk):
            self.jdk.clear()
            for version, home in presets.jdks:
                self.jdk.addItem(home)
                self.jdk.setItemData(self.jdk.count() - 1, f"JDK {version}", Qt.ItemDataRole.ToolTipRole)
            self.jdk.setCurrentIndex(-1)
            self.jdk.setEditText(wanted)
