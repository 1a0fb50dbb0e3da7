"""The place of a page that has nothing to show yet: what the page is for, or what is being done."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

_WIDTH = 520
"""Pixels of a line of words."""


class BlankPage(QWidget):
    """A title and a few sentences in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.title, self.words = QLabel(), QLabel()
        self.title.setProperty("title", True)
        self.words.setProperty("muted", True)
        column = QVBoxLayout(self)
        column.setSpacing(10)
        column.addStretch(2)
        for label in (self.title, self.words):
            label.setWordWrap(True)
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setFixedWidth(_WIDTH)
            column.addWidget(label, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(3)

    def tell(self, title: str, words: str) -> None:
        """Show another title and other words."""
        for label, told in ((self.title, title), (self.words, words)):
            label.setText(told)
            label.setMinimumHeight(label.heightForWidth(_WIDTH))  # a layout that centres a label does not ask it
