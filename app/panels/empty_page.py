"""Pages without content: the window before a jar is open, a page beside the graph that has nothing to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QLabel,
    QProgressBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app import text
from app.theme import icons
from app.widgets import ACROSS, STRETCH, TOP, button, column_of, made, row_of, scrolled
from core.protocol import events

_WIDTH, _MARGINS = 556, 40
"""Width of the card, and of its margins, in pixels."""
_MOST_RECENT = 4
"""Recent inputs and sessions that are offered."""
_STEPS = (
    "Open the jar on which a tool fails.",
    "Say what the failure is: choose a preset, or write a command. “Check” runs it on the whole jar. "
    "“Which tools fail” runs all installed tools, and lists their failures to choose from.",
    "Start. Export the reduced jar and the bug report whenever they are small enough.",
)


class EmptyPage(QWidget):
    """Open a jar, drop one here, or try the sample; while a jar loads, how far it is."""

    recent_wanted = Signal(list)
    """Paths of an input that was open before."""
    session_wanted = Signal(str)
    """Folder of an interrupted session."""

    def __init__(self) -> None:
        super().__init__()
        card = made(QFrame(), drop=True, fixedWidth=_WIDTH)
        self.title = made(QLabel("Open a jar, or drop one here"), title=True, alignment=ACROSS)
        hint = made(
            QLabel(
                "Jarlet takes a jar on which a tool fails and a command that shows the failure, "
                "and removes everything that the failure does not need."
            ),
            wordWrap=True,
            muted=True,
            alignment=ACROSS,
        )
        # A layout that centres its content does not ask a wrapped label how high it gets.
        hint.setMinimumHeight(hint.heightForWidth(_WIDTH - _MARGINS) + 4)
        self.open_button = made(button("Open &jar…", "A jar, war or zip (Ctrl+O)"), primary=True)
        tip = "Choose a jar, and run every installed tool on it"
        self.tools_button = button("&Which tools fail…", tip)
        tip = "A folder of .class files (Ctrl+Shift+O)"
        self.folder_button = button("Open class fol&der…", tip)
        tip = "A small program with a known failure, part of Jarlet"
        self.sample_button = button("Tr&y the sample", tip)
        self.progress = made(QProgressBar(), textVisible=False, accessibleName="Class files read")
        self.progress.hide()
        self.steps = made(QWidget(), layout=_numbered(_STEPS))
        self._again = made(QVBoxLayout(), spacing=2)
        buttons = (self.open_button, self.tools_button, self.folder_button, self.sample_button)
        column_of(
            (made(QLabel(), pixmap=icons.emblem().pixmap(64, 64)), 0, ACROSS),
            self.title,
            hint,
            8,
            row_of(STRETCH, *buttons, STRETCH, spacing=8),
            self.progress,
            6,
            self.steps,
            self._again,
            owner=card,
            margins=(_MARGINS // 2, 30, _MARGINS // 2, 28),
            spacing=10,
        )
        self._recent: list[list[str]] = []
        self._sessions: list[events.KeptSession] = []
        self._results: list[events.KeptSession] = []
        page = QWidget()
        column_of(STRETCH, (card, 0, ACROSS), STRETCH, owner=page, margins=None)
        self.area = scrolled(page, "Start")
        column_of(self.area, owner=self)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def show_recent(self, inputs: list[list[str]]) -> None:
        """Show the inputs that were open last and are still there."""
        self._recent = [paths for paths in inputs if all(Path(path).exists() for path in paths)][:_MOST_RECENT]
        self._fill()

    def show_sessions(self, found: events.Sessions) -> None:
        """Show the interrupted sessions and the results, newest first."""
        ended, open_ones = ([one for one in found.kept if one.finished is over] for over in (True, False))
        self._sessions, self._results = open_ones[:_MOST_RECENT], ended[:_MOST_RECENT]
        self._fill()

    def _fill(self) -> None:
        while (item := self._again.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.steps.setVisible(not (self._recent or self._sessions or self._results))  # whoever has results knows them
        self._heading("Recent jars", self._recent)
        for paths in self._recent:
            more = f" and {len(paths) - 1} more" if paths[1:] else ""
            self._row(Path(paths[0]).name + more, "\n".join(paths), partial(self.recent_wanted.emit, paths))
        for heading, begin, rows in (
            ("Interrupted sessions", "Resume ", self._sessions), ("Results", "", self._results),
        ):  # fmt: skip
            self._heading(heading, rows)
            for one in rows:
                words = f"{begin}{one.title}, {text.size(one.bytes)}"
                self._row(words, one.path, partial(self.session_wanted.emit, one.path))

    def _heading(self, words: str, rows: Sequence[object]) -> None:
        """Add a heading, if there are rows below it."""
        if rows:
            label = made(QLabel(words), heading=True)
            label.setContentsMargins(0, 6, 0, 2)
            self._again.addWidget(label)

    def _row(self, words: str, tip: str, slot: Callable[[], None]) -> None:
        row = QToolButton()
        shown = row.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _WIDTH - 110)
        made(row, text=shown, autoRaise=True, toolTip=tip, accessibleName=words, clicked=lambda _=False: slot())
        row.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._again.addWidget(row)

    def set_loading(self, name: str | None, done: int = 0, total: int = 0) -> None:
        """Show how far ``name`` is read; None = nothing is being read."""
        busy = name is not None
        if busy and self.progress.isHidden():
            self.area.verticalScrollBar().setValue(0)  # the title says what is read
        self.progress.setVisible(busy)
        self.progress.setRange(0, total)
        self.progress.setValue(done)
        for one in (self.open_button, self.tools_button, self.folder_button, self.sample_button):
            one.setEnabled(not busy)
        words = f"Reading {name}…" if busy else "Open a jar, or drop one here"
        self.title.setText(self.title.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _WIDTH - _MARGINS))
        self.title.setToolTip(words if busy else "")


def _numbered(steps: Sequence[str]) -> QGridLayout:
    """Return numbered steps, with all lines of a step aligned."""
    rows = QGridLayout()
    rows.setContentsMargins(0, 0, 0, 0)
    rows.setHorizontalSpacing(6)
    rows.setVerticalSpacing(3)
    rows.setColumnStretch(1, 1)
    for number, words in enumerate(steps, 1):
        step = made(QLabel(words), wordWrap=True, accessibleName=f"Step {number}", alignment=TOP)
        step.setMinimumHeight(step.heightForWidth(_WIDTH - _MARGINS))
        rows.addWidget(QLabel(f"{number}."), number, 0, TOP)
        rows.addWidget(step, number, 1)
    return rows


_LINE_WIDTH = 370
"""Pixels of a line of words."""


class BlankPage(QWidget):
    """A title and a few sentences in the middle."""

    def __init__(self) -> None:
        super().__init__()
        self.title = made(QLabel(), title=True)
        self.words = made(QLabel(), muted=True)
        column = made(QVBoxLayout(self), spacing=10)
        column.addStretch(2)
        for label in (self.title, self.words):
            plain = Qt.TextFormat.PlainText
            made(label, wordWrap=True, alignment=ACROSS, textFormat=plain, fixedWidth=_LINE_WIDTH)
            column.addWidget(label, 0, ACROSS)
        column.addStretch(3)

    def tell(self, title: str, words: str) -> None:
        """Show another title and other words."""
        for label, told in ((self.title, title), (self.words, words)):
            label.setText(told)
            label.setMinimumHeight(label.heightForWidth(_LINE_WIDTH))  # a layout that centres a label does not ask it
