"""Code as text with plain colours, before and after; the declarations that its words lead to."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QMouseEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextLayout,
)
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QWidget
from shiboken6 import isValid

from app.theme.theme import Theme
from app.widgets import column_of, fixed_font, made
from core.protocol.java_names import internal, split

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
        self.formats: dict[str, QTextCharFormat] = {}

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
        self.formats = {}
        for name, ink in inks.items():
            self.formats[name] = QTextCharFormat()
            self.formats[name].setForeground(QColor(ink))
        if self.document() is not None:
            self.rehighlight()

    def highlightBlock(self, text: str) -> None:
        if self.formats:
            for name, start, end in java_spans(text):
                self.setFormat(start, end - start, self.formats[name])

    def ranges(self, line: str) -> list[QTextLayout.FormatRange]:
        """Return the colours of a line as Qt draws them, for a text that this highlighter does not serve."""
        found = []
        for name, start, end in java_spans(line) if self.formats else ():
            one = QTextLayout.FormatRange()
            one.start, one.length, one.format = start, end - start, self.formats[name]
            found.append(one)
        return found


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

    def __init__(self, title: str, name: str) -> None:
        super().__init__()
        self.title = made(QLabel(title), muted=True)
        self.title.setContentsMargins(8, 3, 8, 3)
        self.text = made(
            CodeText(),
            toolTip="Ctrl + click on a name, or F12 at it, shows its declaration; Alt + Left leads back",
            readOnly=True,
            lineWrapMode=QPlainTextEdit.LineWrapMode.NoWrap,
            font=fixed_font(),
            tabChangesFocus=True,
            flat=True,
            accessibleName=name,
        )
        self.colours = Colours(self.text.document())
        self._coloured: set[int] = set()
        self._formats = self.colours.formats
        self.text.updateRequest.connect(self._colour_sight)
        column_of(self.title, (self.text, 1), owner=self, spacing=0)

    def show_text(self, words: str, placeholder: str = "") -> None:
        """Show a text, at the scrolled place of the one before it; ``placeholder`` says why there is none."""
        bar = self.text.verticalScrollBar()
        before = bar.value()
        self.text.setPlaceholderText(placeholder)
        shown = (
            words
            if len(words) <= MOST
            else words[:MOST] + f"\n[… {len(words) - MOST:,} more characters are not shown]\n"
        )
        if shown != self.text.toPlainText():
            document = self.text.document()
            served = None if shown.count("\n") > _LONG else document
            if self.colours.document() is not served:
                self.colours.setDocument(served)
            self.text.setPlainText(shown)
            self._coloured.clear()  # setting the text has removed the colours set meanwhile
            self.text.viewport().update()
            bar.setValue(before)

    def set_theme(self, theme: Theme) -> None:
        """Use the colours of the theme."""
        self.colours.set_theme(theme)
        self._colour_sight()

    def _colour_sight(self) -> None:
        """Colour the lines of a long text that have come in sight."""
        document = self.text.document()
        if not isValid(self.colours) or self.colours.document() is not None:
            return
        if self._formats is not self.colours.formats:  # another theme
            self._formats = self.colours.formats
            self._coloured.clear()
        first, last = self.text.lines_in_sight()
        lines = range(first, min(last + 1, document.blockCount()))
        fresh = [document.findBlockByNumber(number) for number in lines if number not in self._coloured]
        if not fresh:
            return
        self._coloured.update(lines)
        for block in fresh:
            block.layout().setFormats(self.colours.ranges(block.text()))
        begin = fresh[0].position()  # all at once: Qt answers each change by asking for this again
        document.markContentsDirty(begin, fresh[-1].position() + fresh[-1].length() - begin)


_MEMBER = re.compile(r'// (?:InterfaceMethod|Method|Field) (?:"?([\w/$]+)"?\.)?"?([\w$<>]+)"?:(\S+)')
_CLASS = re.compile(r"// class \"?\[*L?([\w/$]+);?\"?")
_IMPORT = re.compile(r"^\s*import\s+(?:static\s+)?([\w.]+)\s*;", re.MULTILINE)


class CodeLinks:
    """The classes of an input by the last parts of their names."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = frozenset(names)
        self._by_word: dict[str, list[str]] = {}
        for name in sorted(self._names):
            simple = name.rpartition("/")[2]
            self._by_word.setdefault(simple.rpartition("$")[2], []).append(name)

    def target(self, line: str, word: str, text: str, owner: str, members: Callable[[str], list[str]]) -> str:
        """Return the name of the class or member behind a word of a line; empty = none known.

        ``text`` is the whole code of the class ``owner``, ``members`` returns the known members of a class.
        """
        if found := _MEMBER.search(line):
            above = found[1] or owner
            name = found[2].strip('"')
            return f"{above}.{name}:{found[3]}" if above in self._names else ""
        if (found := _CLASS.search(line)) and found[1] in self._names:
            return found[1]
        return self._class(word, text, owner) or self._member(word, owner, members)

    def _class(self, word: str, text: str, owner: str) -> str:
        there = self._by_word.get(word, [])
        if not there:
            return ""
        imported = {internal(one) for one in _IMPORT.findall(text)}
        package, top = owner.rpartition("/")[0], owner.partition("$")[0]
        ranked = sorted(
            there,
            key=lambda name: (
                not name.startswith(f"{top}$"),
                name.replace("$", "/") not in imported,
                name.rpartition("/")[0] != package,
                name,
            ),
        )
        return ranked[0]

    def _member(self, word: str, owner: str, members: Callable[[str], list[str]]) -> str:
        found = (name for name in members(owner) if split(name)[1].lstrip(".").partition(":")[0] == word)
        return next(found, "")


def declaration_line(text: str, member: str) -> int:
    """Return the index of the line of javap's listing with the declaration of a member (``name:descriptor``, from the
    dot on); else of the first line with its name, -1 = none."""
    name, _, descriptor = member.lstrip(".").partition(":")
    name = name.partition("!")[0]
    lines = text.splitlines()
    first = -1
    count = _parameters(descriptor)
    for number, line in enumerate(lines):
        plain = line.strip()
        if not re.search(rf"(?<![\w$]){re.escape(name)}(?![\w$])", plain):
            continue
        if first < 0:
            first = number
        declares = line.startswith("  ") and not line.startswith("   ") and plain.endswith((";", "{"))
        if declares and (count is None or plain.partition("(")[2].partition(")")[0].count(",") + 1 == max(count, 1)):
            return number
    return first


def _parameters(descriptor: str) -> int | None:
    """Return the number of parameters of a method's descriptor; None for a field's."""
    if not descriptor.startswith("("):
        return None
    inside = descriptor[1 : descriptor.find(")")]
    return len(re.findall(r"\[*(?:L[^;]+;|[BCDFIJSZ])", inside))
