"""The line that describes a path, or why a class is kept."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QWidget

from app.elided_label import ElidedLabel
from app.widgets import made, row_of


class PathBar(QWidget):
    """Hidden until there is something to say."""

    alone_wanted = Signal()
    list_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("bar", True)
        self.line = ElidedLabel()
        self.alone = made(
            QPushButton("Show only this path"),
            toolTip="Show only the classes of this path, one below the other",
            clicked=self.alone_wanted,
        )
        self.listing = made(
            QPushButton("List"),
            toolTip="Show the class edges, with their rules, in the inspector",
            clicked=self.list_wanted,
        )
        self.close_button = made(
            QPushButton("Clear"), toolTip="Remove the path from the graph (Esc)", clicked=self.closed
        )
        row_of((self.line, 1), self.alone, self.listing, self.close_button, owner=self, margins=(12, 5, 10, 5))
        self.hide()

    def tell(self, sentence: str, *, path: bool = False, lists: bool = False) -> None:
        """Show a sentence. With ``path`` there are classes to show alone, with ``lists`` class edges to list."""
        self.line.set_text(sentence)
        self.alone.setVisible(path)
        self.listing.setVisible(lists)
        self.show()
