"""The state on which the possible actions depend."""

from __future__ import annotations

from app import text
from app.engine.run_state import EngineState, RunState


def conditions(phase: EngineState, opened: bool, ended: bool, selected: bool, reduced: bool) -> dict[str, bool]:
    """Return the conditions in the table of actions, each with True if it holds at this moment.

    ``opened``: an input has been read; ``ended``: a reduction of it has ended, so that there is a report; ``selected``:
    so is a class or a member; ``reduced``: something smaller than the input failed, so that there is a jar to write.
    """
    ready = phase is EngineState.READY
    exportable = opened and phase not in (EngineState.LOADING, EngineState.DEAD)
    reported = ready and ended
    return {
        "always": True,
        "idle": not phase.busy,
        "ready": ready,
        "pausable": phase in (EngineState.RUNNING, EngineState.PAUSED),
        "stoppable": phase.busy and phase is not EngineState.STOPPING,
        "exportable": exportable,
        "has_jar": exportable and reduced,
        "reported": reported,
        "bug_found": reported and reduced,
        "drawn": opened,
        "chosen": selected,
    }


def window_title(state: RunState) -> str:
    """Return the input and, while a reduction runs, how far it is."""
    parts = ["Jarlet"]
    if state.jar is not None:
        parts.insert(0, state.jar.title)
        if state.phase.reducing and state.steps:
            parts.insert(0, f"{text.count(state.best().classes)} of {text.count(state.jar.classes)} classes")
    return " – ".join(parts)
