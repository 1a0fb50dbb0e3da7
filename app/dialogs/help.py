"""The help pages, read inside the window: Markdown files of ``resources/help``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QSplitter,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from app.dialogs.shortcuts import shortcuts_of
from resources import path

PAGES = ("start", "predicate", "algorithms", "graph", "results", "shortcuts")


class HelpDialog(QDialog):
    """A list of pages at the left, the page at the right. It does not block the window."""

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        self._actions = list(actions)
        self.pages = QListWidget()
        self.pages.setAccessibleName("Pages")
        self.text = QTextBrowser()
        self.text.setOpenLinks(False)
        self.text.setAccessibleName("Page")
        self.text.anchorClicked.connect(self._follow)
        self.pages.setSpacing(2)
        for name in PAGES:
            item = QListWidgetItem(title_of(name))
            item.setData(256, name)
            self.pages.addItem(item)
        self.pages.currentRowChanged.connect(self._show)
        splitter = QSplitter()
        splitter.addWidget(self.pages)
        splitter.addWidget(self.text)
        splitter.setStretchFactor(1, 1)
        splitter.setSizes([190, 600])
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        column = QVBoxLayout(self)
        column.addWidget(splitter, 1)
        column.addWidget(buttons)
        self.resize(840, 620)
        self.pages.setCurrentRow(0)

    def open_page(self, name: str) -> None:
        """Shows a page by its file's name, without ``.md``."""
        if name in PAGES:
            self.pages.setCurrentRow(PAGES.index(name))

    def _show(self, row: int) -> None:
        words = page(PAGES[row])
        if PAGES[row] == "shortcuts":
            words = words.replace("{actions}", _table(self._actions))
        self.text.setMarkdown(words)

    def _follow(self, link: QUrl) -> None:
        if link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
        else:
            self.open_page(Path(link.path()).stem)


def page(name: str) -> str:
    """The text of a page."""
    return path(f"help/{name}.md").read_text(encoding="utf-8")


def title_of(name: str) -> str:
    """The heading of a page."""
    return page(name).splitlines()[0].lstrip("# ")


def _table(actions: list[QAction]) -> str:
    rows = [f"| {text} | {keys} |" for text, keys in shortcuts_of(actions)]
    return "\n".join(["| Action | Keys |", "| --- | --- |", *rows])
