"""Bytecode or source as text with plain colours: before and after."""

from __future__ import annotations

import re
from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontDatabase,
    QKeyEvent,
    QMouseEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QVBoxLayout, QWidget

from app.theme.theme import Theme

_KEYWORDS = (
    "abstract|assert|boolean|break|byte|case|catch|char|class|const|continue|default|do|double|else|enum|extends|"
    "final|finally|float|for|goto|if|implements|import|instanceof|int|interface|long|native|new|package|private|"
    "protected|public|record|return|sealed|permits|short|static|strictfp|super|switch|synchronized|this|throw|throws|"
    "transient|try|var|void|volatile|while|true|false|null|yield|Code"
)
_PATTERNS = (
    ("word", re.compile(rf"\b(?:{_KEYWORDS})\b")),
    ("annotation", re.compile(r"@\w+")),
    ("number", re.compile(r"(?<![\w#])(?:0x[\da-fA-F]+|\d[\d_.]*[LFDlfd]?)\b|#\d+")),
    ("operation", re.compile(r"(?<=^)\s*\d+: [a-z][\w]*")),
    ("string", re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])+\'')),
    ("comment", re.compile(r"//.*$|/\*.*?\*/|^\s*\*.*$|^\s*/\*.*$")),
)
_LONGEST = 2000
"""Characters of a line that is coloured."""
_LONG = 1500
"""Lines from which a text is coloured as far as it is in sight: all at once would hold the window up."""
MOST = 400_000
"""Characters that are shown at most."""


def java_spans(line: str) -> list[tuple[str, int, int]]:
    """Return the coloured parts of a line of code: kind, begin and end; a later part wins."""
    if len(line) > _LONGEST:
        return []
    return [(name, match.start(), match.end()) for name, pattern in _PATTERNS for match in pattern.finditer(line)]


class Colours(QSyntaxHighlighter):
    """Words of Java, numbers, strings and comments; a later pattern wins."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._formats: dict[str, QTextCharFormat] = {}
        self.visible: Callable[[], tuple[int, int]] | None = None
        """Of a long text, the first and last line in sight; the others are coloured once they come there."""

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of the theme."""
        inks = {
            "word": theme.accent,
            "annotation": theme.warn,
            "number": theme.needed_by,
            "operation": theme.accent,
            "string": theme.good,
            "comment": theme.muted,
        }
        for name, ink in inks.items():
            self._formats[name] = QTextCharFormat()
            self._formats[name].setForeground(QColor(ink))
        self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if self._formats and self._in_sight(self.currentBlock().blockNumber()):
            for name, start, end in java_spans(text):
                self.setFormat(start, end - start, self._formats[name])

    def _in_sight(self, line: int) -> bool:
        if self.visible is None or self.document().blockCount() <= _LONG:
            return True
        first, last = self.visible()
        return first <= line <= last


class CodeText(QPlainTextEdit):
    """Code, in which Ctrl + click on a word, or F12 at it, follows the word."""

    followed = Signal(str, str)
    """The line, and the word in it."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.button() == Qt.MouseButton.LeftButton:
            self._follow(self.cursorForPosition(event.position().toPoint()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F12:
            self._follow(self.textCursor())
        else:
            super().keyPressEvent(event)

    def _follow(self, cursor: QTextCursor) -> None:
        line = cursor.block().text()
        cursor.select(QTextCursor.SelectionType.WordUnderCursor)
        self.followed.emit(line, cursor.selectedText())

    def lines_in_sight(self) -> tuple[int, int]:
        """Return the numbers of the first and the last line that can be seen."""
        first = self.firstVisibleBlock().blockNumber()
        return first, first + self.viewport().height() // max(1, self.fontMetrics().height()) + 1

    def go_to_line(self, number: int) -> None:
        """Show a line in the middle and mark it."""
        block = self.document().findBlockByNumber(number)
        if not block.isValid():
            return
        cursor = QTextCursor(block)
        cursor.select(QTextCursor.SelectionType.LineUnderCursor)
        self.setTextCursor(cursor)
        self.centerCursor()


class CodeView(QWidget):
    """One text under a heading."""

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(title)
        self.title.setProperty("muted", True)
        self.title.setContentsMargins(8, 3, 8, 3)
        self.text = CodeText()
        self.text.setToolTip("Ctrl + click on a name, or F12 at it, shows its declaration; Alt + Left leads back")
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.text.setProperty("flat", True)
        self.text.setAccessibleName(name)
        self.colours = Colours(self.text.document())
        self.colours.visible = self.text.lines_in_sight
        self._coloured: set[int] = set()
        self.text.updateRequest.connect(lambda *_: self._colour_sight())
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.title)
        column.addWidget(self.text, 1)

    def show_text(self, words: str, placeholder: str = "") -> None:
        """Show a text, at the place where the one before it was; ``placeholder`` says why there is none."""
        bar = self.text.verticalScrollBar()
        before = bar.value()
        self.text.setPlaceholderText(placeholder)
        shown = (
            words
            if len(words) <= MOST
            else words[:MOST] + f"\n[… {len(words) - MOST:,} more characters are not shown]\n"
        )
        if shown != self.text.toPlainText():
            self._coloured.clear()
            self.text.setPlainText(shown)
            bar.setValue(before)

    def _colour_sight(self) -> None:
        """Colour the lines of a long text that have come in sight."""
        document = self.text.document()
        if document.blockCount() <= _LONG:
            return
        first, last = self.text.lines_in_sight()
        for number in range(first, min(last + 1, document.blockCount())):
            if number not in self._coloured:
                self._coloured.add(number)
                self.colours.rehighlightBlock(document.findBlockByNumber(number))
