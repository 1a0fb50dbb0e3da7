"""The state on which the possible actions depend."""

from __future__ import annotations

from dataclasses import dataclass

from app import text
from app.engine.run_state import EngineState, RunState


@dataclass(frozen=True, slots=True)
class WindowState:
    """One moment of the window; the predicates are the conditions in the table of actions."""

    phase: EngineState
    opened: bool
    """An input has been read."""
    has_result: bool
    """A reduction of it has ended, so that there is a report."""
    selected: bool
    """A class or a member is selected."""
    reduced: bool = False
    """Something smaller than the input was interesting, so that there is a jar to write."""

    @classmethod
    def of(cls, state: RunState, selected: bool) -> WindowState:
        """Return the moment, from the model of the run."""
        return cls(state.phase, state.jar is not None, state.finished is not None, selected, state.reduced)

    def always(self) -> bool:
        """Return True at every moment."""
        return True

    def idle(self) -> bool:
        """Return True if no check and no reduction is under way."""
        return not self.phase.busy

    def ready(self) -> bool:
        """Return True if an input is open, and nothing is under way."""
        return self.phase is EngineState.READY

    def pausable(self) -> bool:
        """Return True if a reduction is running or paused."""
        return self.phase in (EngineState.RUNNING, EngineState.PAUSED)

    def paused(self) -> bool:
        """Return True if a reduction is paused."""
        return self.phase is EngineState.PAUSED

    def stoppable(self) -> bool:
        """Return True if a check or a reduction is under way, and was not stopped yet."""
        return self.phase.busy and self.phase is not EngineState.STOPPING

    def exportable(self) -> bool:
        """Return True if the engine has an input of which it can write something."""
        return self.opened and self.phase not in (EngineState.LOADING, EngineState.DEAD)

    def has_jar(self) -> bool:
        """Return True if there is a result that the engine can write."""
        return self.exportable() and self.reduced

    def reported(self) -> bool:
        """Return True if a reduction has ended, and nothing is under way."""
        return self.ready() and self.has_result

    def bug_found(self) -> bool:
        """Return True if a reduction has ended with something smaller than the input, which a bug report can show."""
        return self.reported() and self.reduced

    def drawn(self) -> bool:
        """Return True if there is a graph."""
        return self.opened

    def chosen(self) -> bool:
        """Return True if something is selected."""
        return self.selected


def window_title(state: RunState) -> str:
    """Return the input and, while a reduction runs, how far it is."""
    parts = ["Jarlet"]
    if state.jar is not None:
        parts.insert(0, state.jar.title)
        if state.phase.reducing and state.steps:
            parts.insert(0, f"{text.count(state.best().classes)} of {text.count(state.jar.classes)} classes")
    return " – ".join(parts)
