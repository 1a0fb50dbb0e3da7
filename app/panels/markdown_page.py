"""A page of Markdown in the colours of the theme."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QEvent
from PySide6.QtGui import (
    QBrush,
    QPalette,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextFrame,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser

from app.widgets import made

_PADDING, _GAP = 5, 8
"""Room in a cell of a table, and above and below a table, in pixels."""
_ABOVE_HEADING, _ABOVE_LOW = (0, 0, 16, 10), (0, 0, 8, 8)
"""Least room above a heading by its level, in pixels: the text before it may be code, which has none."""


class MarkdownPage(QTextBrowser):
    """A browser with thin lines in tables, and with words and code of a cell at one height. Headings of a ``low`` page
    are as large as its text."""

    def __init__(self, low: bool = False) -> None:
        super().__init__()
        self._low = low
        self.setOpenLinks(False)

    def show_markdown(self, words: str) -> None:
        """Show a text of Markdown."""
        self.setMarkdown(words)
        for block in _blocks(self.document().begin()):
            if self._low:
                _lower(block)
            _set_apart(block, _ABOVE_LOW if self._low else _ABOVE_HEADING)
        self._dress_tables()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.PaletteChange:
            self._dress_tables()

    def _dress_tables(self) -> None:
        """Give all tables the line colour of the palette, which a document does not follow by itself."""
        line = QBrush(self.palette().color(QPalette.ColorRole.Mid))
        for table in _tables(self.document().rootFrame()):
            form = made(
                table.format(),
                borderCollapse=True,
                border=1,
                borderStyle=QTextFrameFormat.BorderStyle.BorderStyle_Solid,
                borderBrush=line,
                cellPadding=_PADDING,
                topMargin=_GAP,
                bottomMargin=_GAP,
            )
            table.setFormat(form)
            for row in range(table.rows()):
                for column in range(table.columns()):
                    cell = table.cellAt(row, column)
                    middle = QTextCharFormat.VerticalAlignment.AlignMiddle
                    cell.setFormat(made(cell.format(), verticalAlignment=middle))


def _blocks(block: QTextBlock) -> Iterator[QTextBlock]:
    while block.isValid():
        yield block
        block = block.next()


def _set_apart(block: QTextBlock, above: Sequence[int]) -> None:
    """Give a heading the room that it needs ``above`` it, by its level."""
    level = block.blockFormat().headingLevel()
    least = above[min(level, len(above) - 1)]
    if level and block.blockFormat().topMargin() < least:
        form = made(QTextBlockFormat(), topMargin=least)
        QTextCursor(block).mergeBlockFormat(form)


def _lower(block: QTextBlock) -> None:
    """Give a heading the size of the text, and wrap lines of code: a bar to scroll them hides one of few."""
    QTextCursor(block).mergeBlockFormat(made(QTextBlockFormat(), nonBreakableLines=False))
    if block.blockFormat().headingLevel():
        form = QTextCharFormat()
        form.setProperty(QTextFormat.Property.FontSizeAdjustment, 0)
        cursor = QTextCursor(block)
        cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
        cursor.mergeCharFormat(form)


def _tables(frame: QTextFrame) -> Iterator[QTextTable]:
    for child in frame.childFrames():
        if isinstance(child, QTextTable):
            yield child
        yield from _tables(child)
