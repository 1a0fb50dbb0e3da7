"""About: what this is, which versions it runs with, under which licences."""

from __future__ import annotations

import platform
from importlib import metadata

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.theme import icons
from core.version import VERSION

_PARTS = (
    ("PySide6", "LGPL-3.0", pyside_version),
    ("Qt", "LGPL-3.0", ""),
    ("networkx", "BSD-3-Clause", ""),
    ("pygraphviz", "BSD-3-Clause", ""),
    ("jawa", "MIT", ""),
    ("python-sat", "MIT", ""),
    ("numpy", "BSD-3-Clause", ""),
    ("platformdirs", "MIT", ""),
    ("psutil", "BSD-3-Clause", ""),
)


class AboutDialog(QDialog):
    """The dialog of versions, which can be selected and copied into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("About Jarlet")
        title = QLabel(f"Jarlet {VERSION}")
        title.setProperty("title", True)
        words = QLabel("Reduces a jar that breaks a tool to the few classes that break it.\nMIT licence.")
        words.setWordWrap(True)
        parts = QLabel("\n".join(versions()))
        parts.setProperty("muted", True)
        parts.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        parts.setAccessibleName("Versions")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        text = QVBoxLayout()
        text.setSpacing(10)
        for widget in (title, words, parts):
            text.addWidget(widget)
        row = QHBoxLayout()
        row.setSpacing(18)
        emblem = icons.emblem().pixmap(64, 64)
        if not emblem.isNull():
            picture = QLabel()
            picture.setPixmap(emblem)
            row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(text, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(22, 20, 22, 16)
        column.addLayout(row)
        column.addWidget(buttons)
        self.setMinimumWidth(430)


def versions() -> list[str]:
    """Return one line for Python, and one for every library that is installed."""
    lines = [f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"]
    for name, licence, known in _PARTS:
        version = qVersion() if name == "Qt" else known
        if not version:
            try:
                version = metadata.version(name)
            except metadata.PackageNotFoundError:
                continue
        lines.append(f"{name} {version} ({licence})")
    return lines
