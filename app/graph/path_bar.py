"""The line that describes a path, or why a class is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from app.elided_label import ElidedLabel


class PathBar(QWidget):
    """Hidden until there is something to say."""

    alone_wanted = Signal()
    list_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", True)
        self.line = ElidedLabel()
        self.alone = QPushButton("Show only this path")
        self.alone.setToolTip("Show only the classes of this path, one below the other")
        self.listing = QPushButton("List")
        self.listing.setToolTip("Show the class edges, with their rules, in the inspector")
        self.close_button = QPushButton("Clear")
        self.close_button.setToolTip("Remove the path from the graph (Esc)")
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 5, 10, 5)
        row.addWidget(self.line, 1)
        row.addWidget(self.alone)
        row.addWidget(self.listing)
        row.addWidget(self.close_button)
        self.alone.clicked.connect(self.alone_wanted)
        self.listing.clicked.connect(self.list_wanted)
        self.close_button.clicked.connect(self.closed)
        self.hide()

    def tell(self, sentence: str, *, path: bool = False, lists: bool = False) -> None:
        """Show a sentence. With ``path`` there are classes to show alone, with ``lists`` class edges to list."""
        self.line.set_text(sentence)
        self.alone.setVisible(path)
        self.listing.setVisible(lists)
        self.show()
