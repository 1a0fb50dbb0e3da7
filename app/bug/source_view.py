"""A source with the numbers of its lines, some of them marked, and the line that corresponds in another source."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from difflib import SequenceMatcher

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFormat,
    QTextLayout,
)
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from app.panels.code_view import java_spans
from app.theme.theme import worn
from app.widgets import RIGHT, Soon, fixed_font, made

_NEAR = 15
"""Rows above and below the failing one in which its counterpart is looked for."""
_LIKE = 0.6
"""Least similarity of a counterpart, from 0 to 1."""


def counterpart(line: str, others: Sequence[str], row: int) -> int:
    """Return the row of the line in ``others`` that is most like ``line``, of those near ``row``; -1 if none is like
    it. Among equally similar lines the nearest one is taken.
    """
    wanted = line.strip()
    if row < 0 or not wanted:
        return -1
    near = range(max(0, row - _NEAR), min(len(others), row + _NEAR + 1))
    found = [(_likeness(wanted, others[at].strip()), -abs(at - row), at) for at in near]
    best = max(found, default=(0.0, 0, -1))
    return best[2] if best[0] >= _LIKE else -1


def _likeness(one: str, other: str) -> float:
    if one == other:
        return 1.0
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= _LIKE and matcher.quick_ratio() >= _LIKE else 0.0


_MARK = "▶"


class SourceView(QPlainTextEdit):
    """Text with row numbers of its own; 0 = an empty row that keeps two texts in step."""

    followed = Signal(str, str)
    """The line, and the word in it that was followed."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFont(fixed_font())
        self.setTabChangesFocus(True)
        self.setProperty("flat", True)
        self.setAccessibleName(name)
        self._numbers: Sequence[int] = ()
        self._marked: frozenset[int] = frozenset()
        self._current = -1
        self._centred = -1
        """Scroll position at which the current row was brought into the middle."""
        self._formats: dict[str, QTextCharFormat] = {}
        self._gone: frozenset[int] = frozenset()
        self._struck = made(QTextCharFormat(), fontStrikeOut=True)
        self._look = 0
        """Number of the present colours: lines with another one are coloured anew."""
        self._gutter = _Gutter(self)
        self._dress = Soon(self, 0, self._dress_visible)
        self.updateRequest.connect(self._moved)
        self._colour()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.StyleChange:
            self._colour()

    def _colour(self) -> None:
        """Colour the text anew, in the colours of the theme."""
        theme = worn()
        inks = {
            "word": theme.accent, "annotation": theme.warn, "number": theme.needed_by, "operation": theme.accent,
            "string": theme.good, "comment": theme.muted,
        }  # fmt: skip
        self._formats = {name: made(QTextCharFormat(), foreground=ink) for name, ink in inks.items()}
        self._struck.setForeground(theme.muted)
        self._look += 1
        self._show_marks()
        self._dress.start()

    def show_rows(
        self,
        words: str,
        numbers: Sequence[int],
        marked: Sequence[int],
        placeholder: str = "",
        gone: Collection[int] = (),
        folded: Collection[int] = (),
    ) -> None:
        """Show another text with the number of each row, the marked rows, those struck out as ``gone``, and without
        those ``folded``. The scroll position stays."""
        self.setPlaceholderText(placeholder)
        if self._gone != set(gone):
            self._gone = frozenset(gone)
            self._look += 1
        self._numbers, self._marked = numbers, frozenset(marked)
        if words != self.toPlainText():
            top = self.top_row()
            self.setPlainText(words)
            for row in folded:
                block = self.document().findBlockByNumber(row)
                block.setVisible(False)
                block.setLineCount(0)
            self.scroll_to(top)
        wide = 0
        if any(self._numbers):
            wide = self.fontMetrics().horizontalAdvance(f"{_MARK} {max(self._numbers)} ") + 6
        self.setViewportMargins(wide, 0, 0, 0)
        self._gutter.setFixedWidth(wide)
        told = ", ".join(str(numbers[row]) for row in sorted(self._marked) if row < len(numbers))
        self.setAccessibleDescription(f"Failing lines: {told}" if told else "")
        self._show_marks()
        self._gutter.update()
        self._dress.start()

    def go_to(self, row: int, scroll: bool = True) -> None:
        """Show that a row is meant, and ``scroll`` it into the middle; -1 = none."""
        self._current = row
        if row >= 0 and scroll:
            self.setTextCursor(QTextCursor(self.document().findBlockByNumber(row)))
            self._centre()
        self._show_marks()

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

    def top_row(self) -> int:
        """Return the first row in sight."""
        return self.firstVisibleBlock().blockNumber()

    def scroll_to(self, row: int) -> None:
        """Scroll until a row is the first in sight."""
        self.verticalScrollBar().setValue(max(0, self.document().findBlockByNumber(row).firstLineNumber()))

    def _centre(self) -> None:
        rows = max(1, self.viewport().height() // max(1, self.fontMetrics().lineSpacing()))
        current = self.document().findBlockByNumber(self._current).firstLineNumber()
        self.verticalScrollBar().setValue(max(0, current - rows // 2))
        self._centred = self.verticalScrollBar().value()

    def paint_gutter(self, event: QPaintEvent) -> None:
        """Draw the numbers of the visible rows, and a mark at the failing ones."""
        with QPainter(self._gutter) as painter:
            painter.setFont(self.font())
            painter.fillRect(event.rect(), worn().window)
            block, wide = self.firstVisibleBlock(), self._gutter.width()
            offset = self.contentOffset()
            while block.isValid():
                area = self.blockBoundingGeometry(block).translated(offset)
                if area.top() > event.rect().bottom():
                    break
                row = block.blockNumber()
                number = self._numbers[row] if row < len(self._numbers) else 0
                if number and block.isVisible():
                    failing = row in self._marked
                    painter.setPen(worn().bad if failing else worn().muted)
                    place = QRect(0, int(area.top()), wide - 6, self.fontMetrics().height())
                    painter.drawText(place, RIGHT, str(number))
                    if failing:
                        painter.drawText(place.adjusted(3, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, _MARK)
                block = block.next()

    def resizeEvent(self, event: QResizeEvent) -> None:
        still = self.verticalScrollBar().value() == self._centred
        super().resizeEvent(event)
        if still and self._current >= 0:  # nobody has scrolled since
            self._centre()
        area = self.contentsRect()
        self._gutter.setGeometry(area.left(), area.top(), self._gutter.width(), self.viewport().height())
        self._dress.start()

    def _moved(self, area: QRect, down: int) -> None:
        if down:
            self._gutter.scroll(0, down)
            self._dress.start()
        else:
            self._gutter.update(0, area.y(), self._gutter.width(), area.height())

    def _show_marks(self) -> None:
        found = []
        for row in sorted(self._marked | ({self._current} if self._current >= 0 else set())):
            block = self.document().findBlockByNumber(row)
            if not block.isValid():
                continue
            one = QTextEdit.ExtraSelection()
            colour = worn().selected
            if row in self._marked:
                colour = made(QColor(worn().bad), alpha=95 if row == self._current else 45)
            one.format.setBackground(colour)
            one.format.setProperty(QTextFormat.Property.FullWidthSelection, True)
            cursor = self.textCursor()
            cursor.setPosition(block.position())
            cursor.movePosition(
                QTextCursor.MoveOperation.NextBlock, QTextCursor.MoveMode.KeepAnchor
            )  # wrapped lines too
            one.cursor = cursor
            found.append(one)
        self.setExtraSelections(found)

    def _dress_visible(self) -> None:
        """Colour the visible rows that have no colours yet."""
        block, bottom = self.firstVisibleBlock(), self.viewport().height()
        offset = self.contentOffset()
        while block.isValid() and self.blockBoundingGeometry(block).translated(offset).top() <= bottom:
            if block.userState() != self._look:
                block.setUserState(self._look)
                spans = [(self._formats[name], start, end) for name, start, end in java_spans(block.text())]
                if block.blockNumber() in self._gone:
                    spans = [(self._struck, len(block.text()) - len(block.text().lstrip()), len(block.text()))]
                ranges = []
                for look, start, end in spans:
                    one = QTextLayout.FormatRange()
                    one.start, one.length, one.format = start, end - start, look
                    ranges.append(one)
                block.layout().setFormats(ranges)
                self.document().markContentsDirty(block.position(), block.length())
            block = block.next()


class _Gutter(QWidget):
    """The strip with the numbers."""

    def __init__(self, view: SourceView) -> None:
        super().__init__(view)
        self._view = view

    def paintEvent(self, event: QPaintEvent) -> None:
        self._view.paint_gutter(event)
