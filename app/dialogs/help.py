"""The dialogs of the help menu: the pages of ``resources/help``, the keyboard shortcuts, versions and licences."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import Qt, QUrl, qVersion
from PySide6.QtGui import QAction, QDesktopServices, QKeySequence, QTextCursor
from PySide6.QtWidgets import (
    QDialog,
    QLabel,
    QLineEdit,
    QListWidget,
    QWidget,
)

from app.panels.markdown_page import MarkdownPage
from app.theme import icons
from app.widgets import TOP, beside, closing, column_of, control, made, row_of
from core.version import VERSION
from resources import path

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
        title = made(QLabel(f"Jarlet {VERSION}"), title=True)
        words = made(
            QLabel("Reduces a jar that breaks a tool to the few classes that break it.\nMIT licence."), wordWrap=True
        )
        parts = made(
            QLabel("\n".join(versions())),
            muted=True,
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard,
            accessibleName="Versions",
        )
        emblem = made(QLabel(), pixmap=icons.emblem().pixmap(64, 64))
        row = row_of((emblem, 0, TOP), (column_of(title, words, parts, spacing=10), 1), spacing=18)
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


def shortcuts_of(actions: Iterable[QAction]) -> list[tuple[str, str]]:
    """Return text and keys of the actions that have a shortcut."""
    return [
        (
            action.text().replace("&", "").rstrip("…"),
            ", ".join(key.toString(QKeySequence.SequenceFormat.NativeText) for key in action.shortcuts()),
        )
        for action in actions
        if not action.shortcut().isEmpty()
    ]


PAGES = (
    "start", "predicate", "tools", "bugs", "results", "trust", "algorithms", "compared", "graph", "cluster", "python",
    "trouble", "shortcuts",
)  # fmt: skip
"""The user guide, in the order of reading; ``make guide`` makes one file of it."""


class HelpDialog(QDialog):
    """A list of pages at the left, the page at the right. It does not block the window.

    A text in the search field leaves only the pages with that text, and Enter goes from place to place.
    """

    def __init__(self, actions: Iterable[QAction], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle("Help")
        self._actions = list(actions)
        self.pages = made(QListWidget(), accessibleName="Pages", spacing=2)
        self.text = made(MarkdownPage(), accessibleName="Page", anchorClicked=self._follow)
        self.pages.addItems([*map(title_of, PAGES)])
        self.pages.currentRowChanged.connect(self._show)
        self.search = control(QLineEdit(), "search_help", textChanged=self._narrow, returnPressed=self._next)
        self.none = made(QLabel("No page has these words."), muted=True, wordWrap=True)
        self.none.hide()
        left = QWidget()
        column_of(self.search, self.none, (self.pages, 1), owner=left)
        splitter = beside(left, self.text, sizes=[215, 600], stretch=(0, 1))
        column_of((splitter, 1), closing(self.close), owner=self, margins=None)
        self.resize(840, 620)
        self.pages.setCurrentRow(0)

    def open_page(self, name: str) -> None:
        """Show a page by its file's name, without ``.md``."""
        if name in PAGES:
            self.search.clear()
            self.pages.setCurrentRow(PAGES.index(name))

    def _narrow(self, words: str) -> None:
        """List the pages that have all these words, and show the first page unless a listed page is shown."""
        found = pages_with(words)
        for row, name in enumerate(PAGES):
            self.pages.item(row).setHidden(name not in found)
        self.none.setVisible(not found)
        if found and PAGES[self.pages.currentRow()] not in found:
            self.pages.setCurrentRow(PAGES.index(found[0]))
        self.text.moveCursor(QTextCursor.MoveOperation.Start)
        self._find()

    def _find(self) -> bool:
        """Select the next place of the first word. Return True if there is one."""
        words = self.search.text().split()
        return bool(words) and self.text.find(words[0])

    def _next(self) -> None:
        """Go to the next place: on this page, else on the next page that has the words."""
        if self._find() or not self.search.text().split():
            return
        rows = [row for row in range(len(PAGES)) if not self.pages.item(row).isHidden()]
        if rows:
            self.pages.setCurrentRow(next((row for row in rows if row > self.pages.currentRow()), rows[0]))
            self.text.moveCursor(QTextCursor.MoveOperation.Start)
            self._find()

    def _show(self, row: int) -> None:
        words = page(PAGES[row])
        if PAGES[row] == "shortcuts":
            words = words.replace("{actions}", _table(self._actions))
        self.text.show_markdown(words)

    def _follow(self, link: QUrl) -> None:
        if link.scheme() in ("http", "https"):
            QDesktopServices.openUrl(link)
        else:
            self.open_page(Path(link.path()).stem)


def page(name: str) -> str:
    """Return the text of a page."""
    return path(f"help/{name}.md").read_text(encoding="utf-8")


def pages_with(words: str) -> list[str]:
    """Return the pages that have all of some words, in the order of reading; upper and lower case are the same."""
    wanted = words.casefold().split()
    return [name for name in PAGES if all(word in page(name).casefold() for word in wanted)]


def title_of(name: str) -> str:
    """Return the heading of a page."""
    return page(name).splitlines()[0].lstrip("# ")


def _table(actions: list[QAction]) -> str:
    rows = [f"| {text} | {keys} |" for text, keys in shortcuts_of(actions)]
    return "\n".join(["| Action | Keys |", "| --- | --- |", *rows])
