"""The window's messages, in the status bar: past events, and work in the background."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QMenu,
    QProgressBar,
    QPushButton,
    QToolButton,
)

from app import text
from app.widgets import STRETCH, ElidedLabel, Soon, button, column_of, control, made, row_of
from app.words import plain
from core.protocol.questions.background import BackgroundRun, BackgroundRuns

_MARKS = {"info": "ℹ", "good": "✓", "warning": "⚠", "error": "!", "busy": "…"}
_GOES_AFTER_MS, _READ_MS = 9000, 70
"""Good news and remarks leave by themselves, after this time or that of reading: milliseconds, and milliseconds a
character. Warnings and errors stay."""
_BUSY_WIDTH = 120
"""Width of the bar that moves while something is being made, in pixels."""


class MessageButton(NamedTuple):
    """A button of a message: its words, and the function that it calls. Without words, no button is shown."""

    words: str
    act: Callable[[], object]


_NONE = MessageButton("", lambda: None)


_FIRST = re.compile(r"(?<=[.!?…]) (?=[A-Z“/])")
"""End of a sentence."""
_SHORT, _WIDE = 60, 520
"""Characters of a sentence that needs no details; width of the details in pixels."""


class MessageBar(QFrame):
    """One sentence at a time, with a button for its remedy, in a row of fixed height. *Details* has all of the
    message."""

    shown = Signal(bool)
    """The row has a message now, or no longer."""

    def __init__(self) -> None:
        super().__init__()
        self._mark, self.head = made(QLabel(), heading=True), ElidedLabel()
        self.more = made(QFrame(self), frameShape=QFrame.Shape.StyledPanel, autoFillBackground=True, visible=False)
        self.text = made(
            QLabel(),
            wordWrap=True,
            fixedWidth=_WIDE,
            textFormat=Qt.TextFormat.PlainText,  # a command is shown as it is
            textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
        )
        self.action_button = made(QPushButton(), accessibleName="Action", clicked=lambda: self._act(0))
        self.other_button = made(QPushButton(), accessibleName="Other action", clicked=lambda: self._act(1))
        self.details = button("Details", "Show the whole message, or hide it again", self._show_more)
        self._close = control(QToolButton(), "close_message", clicked=self._dismiss)
        self.busy = control(QProgressBar(), "busy", maximum=0, fixedWidth=_BUSY_WIDTH)
        column_of(self.text, row_of(STRETCH, self.other_button), owner=self.more, margins=(12, 10, 12, 10), spacing=8)
        row_of(
            self._mark,
            (self.head, 1),
            self.busy,
            self.action_button,
            self.details,
            self._close,
            owner=self,
            margins=(12, 1, 4, 1),
            spacing=8,
        )
        self._buttons = [_NONE, _NONE]
        self.kind = ""
        self.about = ""
        """Subject of the shown sentence."""
        self._standing: tuple[str, Callable[[], None]] | None = None
        """Message that returns after other messages: its subject, and the function to show it again."""
        self._stays = False
        self._timer = made(QTimer(self), singleShot=True, timeout=self._leave)
        self.setAccessibleName("Message")
        self.hide()

    def tell(
        self,
        sentence: str,
        kind: str = "info",
        *buttons: MessageButton,
        about: str = "",
        stays: bool = False,
    ) -> None:
        """Show a sentence with up to two buttons; ``kind`` is ``info``, ``good``, ``warning`` or ``error``, or ``busy``
        with a moving bar: that work goes on until another message comes.

        ``about`` names its subject: :meth:`withdraw` takes the message away once the subject has changed. A message
        that ``stays`` comes back after others, until it is closed or withdrawn.
        """
        if stays:
            self._standing = (about, lambda: self.tell(sentence, kind, *buttons, about=about))
        self.more.hide()
        self._stays = stays or (bool(about) and self._standing is not None and self._standing[0] == about)
        self.about = about
        self.kind = kind
        self.setProperty("message", kind)
        self.style().unpolish(self)
        self.style().polish(self)
        self._mark.setText(_MARKS[kind])
        self.busy.setVisible(kind == "busy")
        self.text.setText(plain(sentence))
        first_sentence, *rest = _FIRST.split(plain(sentence), maxsplit=1)
        self.head.set_text(first_sentence)
        self.details.setVisible(bool(rest) or len(buttons) > 1 or len(first_sentence) > _SHORT)
        self.setAccessibleDescription(plain(sentence))
        self._buttons = [*buttons, _NONE, _NONE]
        first, second = self._buttons[:2]
        _show(self.action_button, first, "Action")
        _show(self.other_button, second, "Other action")
        self._timer.stop()
        if kind in ("info", "good") and not first.words:
            self._timer.start(max(_GOES_AFTER_MS, _READ_MS * len(sentence)))
        self.show()

    def withdraw(self, *subjects: str) -> None:
        """Withdraw messages about these subjects; without subjects, all messages."""
        if self._standing is not None and (not subjects or self._standing[0] in subjects):
            self._standing = None
        if not self.isHidden() and (not subjects or self.about in subjects):
            self._leave()

    def _show_more(self) -> None:
        if self.more.isVisible():
            self.more.hide()
            return
        self.more.setParent(self.window())  # in front of the page
        self.text.setMinimumHeight(self.text.heightForWidth(_WIDE))
        self.more.adjustSize()
        self.more.move(self.mapTo(self.window(), QPoint(0, -self.more.height())))
        self.more.show()
        self.more.raise_()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.shown.emit(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.more.hide()
        self.shown.emit(False)

    def _dismiss(self) -> None:
        """Close the message, since the user has read it."""
        if self._stays:
            self._standing = None
        self._leave()

    def _leave(self) -> None:
        self._timer.stop()
        self.about = ""
        if self._standing is not None and not self._stays:
            self._standing[1]()
        else:
            self.hide()

    def _act(self, number: int) -> None:
        """Call the function of a button, 0 or 1."""
        button = self._buttons[number]
        self.more.hide()
        if not self._stays:
            self._leave()
        button.act()


def _show(widget: QPushButton, button: MessageButton, name: str) -> None:
    """Show a button of the message, or hide the widget; ``name`` is for a reader of the screen."""
    widget.setText(button.words)
    widget.setAccessibleName(button.words or name)
    widget.setVisible(bool(button.words))


_AFTER_MS = 500
"""Milliseconds after which a run is shown: most end before."""


class BackgroundButton(QToolButton):
    """The button, hidden while nothing runs."""

    stop_wanted = Signal(str)
    """The runs of that kind are to end."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Runs in the background")
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.runs: Sequence[BackgroundRun] = []
        self._menu = made(QMenu(self), aboutToShow=self._fill)
        self.setMenu(self._menu)
        self._soon = Soon(self, _AFTER_MS, self._tell)
        self._tell()

    def show_runs(self, event: BackgroundRuns) -> None:
        """Show the present runs, unless they end at once."""
        self.runs = event.runs
        if self.isVisible():
            self._tell()
        elif self.runs:
            self._soon.ask()

    def _tell(self) -> None:
        several = f"{len(self.runs)} runs in the background"
        self.setText(f"Running: {self.runs[0].title}" if len(self.runs) == 1 else several)
        self.setToolTip("\n".join(run.title for run in self.runs))
        self.setVisible(bool(self.runs))

    def _fill(self) -> None:
        self._menu.clear()
        for run in self.runs:
            so_far, most = text.seconds(max(0.0, time.time() - run.since)), text.seconds(run.limit)
            action = self._menu.addAction(f"Stop: {run.title} (for {so_far}, at most {most})")
            action.triggered.connect(lambda _=False, kind=run.kind: self.stop_wanted.emit(kind))
