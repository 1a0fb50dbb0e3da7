"""Events of the engine for the window's model of :func:`tests.support.gui_helpers.small_jar`."""

from __future__ import annotations

from app.engine import event_decoder
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import RunState
from core.protocol import events


def apply(state: RunState, *happened: events.Event) -> None:
    for event in happened:
        state.apply(event_decoder.decode(events.to_line(event)))


def packed(*items: int) -> str:
    return events.pack(sum(1 << item for item in items), 7)


def opened(state: RunState) -> OpenedJar:
    assert state.jar is not None
    return state.jar
