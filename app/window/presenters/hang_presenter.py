"""Says what can be done where a check does not come to its end."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app import text
from app.engine.run_state import EngineState, RunState
from app.panels.message_bar import MessageBar, MessageButton
from app.widgets import made

AFTER_MS = 10_000
"""Milliseconds of a check after which a command may be thought to hang, and between two words on it."""


class HangPresenter(QObject):
    """A presenter that waits for the end of the check, alone or before a search."""

    stop_wanted = Signal()
    limit_wanted = Signal()
    """The field of the timeout per run is to be seen."""

    def __init__(self, state: RunState, messages: MessageBar, may_hang: Callable[[], bool], parent: QObject) -> None:
        """Make it; ``may_hang`` says whether what runs is a command of the user's without a time limit."""
        super().__init__(parent)
        self._state, self._messages, self._may_hang = state, messages, may_hang
        self._since = 0.0
        self.timer = made(QTimer(self), interval=AFTER_MS, timeout=self._tell)

    def phase_changed(self, phase: EngineState) -> None:
        """Begin to wait when a check begins, and end the wait with it."""
        if self._checking:
            self._since = time.monotonic()
            self.timer.start()
        else:
            self.over()

    def progressed(self) -> None:
        """End the wait once the search has begun."""
        if not self._checking:
            self.over()

    def over(self) -> None:
        """Withdraw what was said."""
        self.timer.stop()
        self._messages.withdraw("hang")

    @property
    def _checking(self) -> bool:
        """True during a check: of one by itself, steps are those of an earlier run."""
        phase = self._state.phase
        return phase is EngineState.CHECKING or (phase is EngineState.RUNNING and not self._state.steps)

    def _tell(self) -> None:
        if not self._checking:
            return
        now = time.monotonic()
        words = f"The check has not ended after {text.seconds(now - self._since)}."
        if self._state.checking:
            proves, since = self._state.checking[-1]
            words += f" Its run {len(self._state.checking)}, whether {proves}, began {text.seconds(now - since)} ago."
        stop = MessageButton("Stop", self.stop_wanted.emit)
        if not self._may_hang():
            self._messages.tell(f"{words} A large jar takes longer: wait, or stop it.", "info", stop, about="hang")
            return
        self._messages.tell(
            f"{words} A command that waits for input never ends: stop it, and set a timeout per run.",
            "info",
            stop,
            MessageButton("Set a timeout…", self._stop_and_limit),
            about="hang",
        )

    def _stop_and_limit(self) -> None:
        self.stop_wanted.emit()
        self.limit_wanted.emit()
