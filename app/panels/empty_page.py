"""What the window shows before a jar is open."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.theme import icons

_WIDTH = 520


class EmptyPage(QWidget):
    """Open a jar, drop one here, or try the sample; while a jar loads, how far it is."""

    open_wanted = Signal()
    folder_wanted = Signal()
    sample_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        card = QFrame()
        card.setProperty("drop", True)
        card.setFixedWidth(_WIDTH)
        column = QVBoxLayout(card)
        column.setContentsMargins(36, 30, 36, 28)
        column.setSpacing(10)
        emblem = icons.emblem().pixmap(64, 64)
        if not emblem.isNull():
            picture = QLabel()
            picture.setPixmap(emblem)
            column.addWidget(picture, 0, Qt.AlignmentFlag.AlignHCenter)
        title = QLabel("Open a jar, or drop one here")
        title.setProperty("title", True)
        title.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        hint = QLabel(
            "Jarlet takes a jar on which a tool fails and a command that shows the failure, "
            "and removes everything that the failure does not need."
        )
        hint.setWordWrap(True)
        hint.setProperty("muted", True)
        hint.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        # A layout that centres its content does not ask a wrapped label how high it gets.
        hint.setMinimumHeight(hint.heightForWidth(_WIDTH - 72) + 4)
        self.open_button = QPushButton("Open &jar…")
        self.open_button.setProperty("primary", True)
        self.folder_button = QPushButton("Open class fol&der…")
        self.sample_button = QPushButton("Tr&y the sample")
        for button, tip, signal in (
            (self.open_button, "A jar, war or zip (Ctrl+O)", self.open_wanted),
            (self.folder_button, "A folder of .class files (Ctrl+Shift+O)", self.folder_wanted),
            (self.sample_button, "A small program with a known failure, part of Jarlet", self.sample_wanted),
        ):
            button.setToolTip(tip)
            button.setAccessibleName(button.text().replace("&", "").rstrip("…"))
            button.clicked.connect(signal)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addStretch(1)
        for button in (self.open_button, self.folder_button, self.sample_button):
            row.addWidget(button)
        row.addStretch(1)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName("Class files read")
        self.progress.hide()
        column.addWidget(title)
        column.addWidget(hint)
        column.addSpacing(8)
        column.addLayout(row)
        column.addWidget(self.progress)
        self.title = title
        outer = QVBoxLayout(self)
        outer.addStretch(2)
        outer.addWidget(card, 0, Qt.AlignmentFlag.AlignHCenter)
        outer.addStretch(3)

    def set_loading(self, name: str | None, done: int = 0, total: int = 0) -> None:
        """Show how far ``name`` is read; None = nothing is being read."""
        busy = name is not None
        self.progress.setVisible(busy)
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        for button in (self.open_button, self.folder_button, self.sample_button):
            button.setEnabled(not busy)
        self.title.setText(f"Reading {name}…" if busy else "Open a jar, or drop one here")
