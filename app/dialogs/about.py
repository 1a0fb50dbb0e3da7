"""About: what this is, which versions it runs with, under which licences."""

from __future__ import annotations

import platform
from importlib import metadata

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QWidget

from app.theme import icons
from app.widgets import closing, column_of, made
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
        parts = made(
            QLabel("\n".join(versions())),
            muted=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard,
            accessibleName="Versions",
        )
        row = QHBoxLayout()
        row.setSpacing(18)
        emblem = icons.emblem().pixmap(64, 64)
        if not emblem.isNull():
            picture = QLabel()
            picture.setPixmap(emblem)
            row.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column_of(title, words, parts, spacing=10), 1)
        column_of(row, closing(self.reject), owner=self, margins=(22, 20, 22, 16))
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
