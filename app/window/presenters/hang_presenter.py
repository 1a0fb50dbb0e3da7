"""Says what can be done where a check does not come to its end."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.engine.run_state import EngineState, RunState
from app.panels.message_bar import MessageBar, MessageButton

AFTER_MS = 10_000
"""Milliseconds of a check after which a command may be thought to hang."""


class HangPresenter(QObject):
    """A presenter that waits for the end of the check, alone or before a search."""

    stop_wanted = Signal()
    limit_wanted = Signal()
    """The field of the timeout per run is to be seen."""

    def __init__(self, state: RunState, messages: MessageBar, limited: Callable[[], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._state, self._messages, self._limited = state, messages, limited
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(AFTER_MS)
        self.timer.timeout.connect(self._tell)

    def phase_changed(self, phase: EngineState) -> None:
        """Begin to wait when a check begins, and end the wait with it."""
        if phase in (EngineState.CHECKING, EngineState.RUNNING) and not self._state.steps:
            self.timer.start()
        elif not self._checking:
            self.over()

    def progressed(self) -> None:
        """End the wait once the search has begun."""
        if self._state.steps:
            self.over()

    def over(self) -> None:
        """Withdraw what was said."""
        self.timer.stop()
        self._messages.withdraw("hang")

    @property
    def _checking(self) -> bool:
        phase = self._state.phase
        return phase is EngineState.CHECKING or (phase is EngineState.RUNNING and not self._state.steps)

    def _tell(self) -> None:
        if not self._checking or self._state.checked is not None:
            return
        passed = self.timer.interval() // 1000
        words = f"The check has not ended after {passed} s. A command that waits for input never ends: stop"
        stop = MessageButton("Stop", self.stop_wanted.emit)
        if self._limited():
            self._messages.tell(f"{words} it, or wait.", "info", stop, about="hang")
            return
        self._messages.tell(
            f"{words} it, and set a timeout per run.",
            "info",
            stop,
            MessageButton("Set a timeout…", self._stop_and_limit),
            about="hang",
        )

    def _stop_and_limit(self) -> None:
        self.stop_wanted.emit()
        self.limit_wanted.emit()
