"""Bytecode or source as text with plain colours: before and after."""

from __future__ import annotations

import re

from PySide6.QtGui import QColor, QFontDatabase, QSyntaxHighlighter, QTextCharFormat, QTextDocument
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
        if self._formats:
            for name, start, end in java_spans(text):
                self.setFormat(start, end - start, self._formats[name])


class CodeView(QWidget):
    """One text under a heading."""

    def __init__(self, title: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(title)
        self.title.setProperty("muted", True)
        self.title.setContentsMargins(8, 3, 8, 3)
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.text.setTabChangesFocus(True)
        self.text.setProperty("flat", True)
        self.text.setAccessibleName(name)
        self.colours = Colours(self.text.document())
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
            self.text.setPlainText(shown)
            bar.setValue(before)
