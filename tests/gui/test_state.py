"""The window's model of a run, event by event, without Qt."""

from __future__ import annotations

import pytest

from app.engine import event_decoder
from app.engine.run_state import EngineState, ItemState, RunState
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.gui_helpers import small_jar

K, N, T, G = ItemState.KEPT, ItemState.NEEDED, ItemState.TRYING, ItemState.GONE
S = ItemState.SO_FAR


def probed(number: int, verdict: str, source: str = "run") -> events.Probed:
    return events.Probed(number, verdict, source, 0.1, number / 10, 4, 900, 0, "", "", "")


def apply(state: RunState, *happened: events.Event) -> None:
    for event in happened:
        state.apply(event_decoder.decode(events.to_line(event)))


@pytest.fixture
def state() -> RunState:
    made = RunState()
    apply(made, small_jar()[0])
    return made


def packed(*items: int) -> str:
    return events.pack(sum(1 << item for item in items), 7)


def test_states_follow_a_run(state: RunState) -> None:
    assert state.states.tolist() == [K] * 7
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Trying(1, packed(0, 1, 2, 3), 4, 1000))
    assert state.states.tolist() == [K, K, K, K, T, T, T]
    apply(state, probed(1, "not interesting"))
    assert state.states.tolist() == [K] * 7
    apply(state, events.Trying(2, packed(0, 1, 2, 3, 4), 5, 1500), probed(2, "interesting"))
    apply(state, events.Accepted(2, packed(0, 1, 2, 3, 4), 0.2, 5, 5, 1500), events.Needed(packed(4)))
    assert state.states.tolist() == [K, K, K, K, S, G, G]
    assert state.counts() == {K: 4, N: 0, T: 0, G: 1, S: 1}
    apply(state, events.Searching(2, "items", "items", 5, 5))
    assert state.states.tolist() == [K, K, K, K, K, G, G], "needed so far is said of one phase"
    apply(state, events.Needed(packed(4)), events.Finished("done", "Done.", packed(3, 4), 2, 900, 2, 0.4, {}))
    assert state.states.tolist() == [G, G, G, K, K, G, G], "the end proves nothing without a certificate"
    assert [step.classes for step in state.steps] == [6, 5, 2]
    assert state.phase is EngineState.READY


def test_the_strong_mark_is_for_what_is_proved(state: RunState) -> None:
    report = {"certificate": {"one_minimal": {"classes": "yes", "items": "not checked"}}}
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(3, 4), 0.2, 2, 2, 900))
    apply(state, events.Finished("done", "Done.", packed(3, 4), 2, 900, 2, 0.4, report))
    assert state.proved
    assert state.states.tolist() == [G, G, G, N, N, G, G]


def test_only_executed_probes_count(state: RunState) -> None:
    apply(
        state,
        events.Started("ddmin", 4, 7, 6, 2800),
        probed(1, "not interesting"),
        probed(1, "not interesting", "cache"),
    )
    assert (state.executed, len(state.probes)) == (1, 2)
    apply(state, events.Counted(9, 30, 12, 1.5))
    assert (state.executed, state.cached, state.now) == (9, 30, 1.5)


def test_phases(state: RunState) -> None:
    apply(state, events.Started("ddmin", 4, 7, 6, 2800), events.Paused())
    assert state.phase is EngineState.PAUSED
    apply(state, events.Resumed())
    assert state.phase is EngineState.RUNNING
    apply(state, events.Failed("export", "no"))
    assert state.phase is EngineState.RUNNING, "a failed export does not end the run"
    apply(state, events.Failed("reduce", "no"))
    assert state.phase is EngineState.READY


def test_another_run_starts_from_the_whole_jar(state: RunState) -> None:
    apply(state, events.Started("ddmin", 4, 7, 6, 2800), probed(1, "interesting"))
    apply(state, events.Finished("stopped", "", packed(0), 1, 100, 1, 0.4, {}))
    apply(state, events.Started("binary", 4, 7, 6, 2800))
    assert state.states.tolist() == [K] * 7
    assert not state.probes
    assert state.finished is None


def test_a_run_that_goes_on_from_a_step_shows_that_step_until_it_has_its_own(state: RunState) -> None:
    settings = Settings(predicate="true")
    state.begin_run(settings)
    apply(state, events.Started("ddmin", 4, 7, 6, 2800), events.Accepted(1, packed(2, 3, 4), 0.2, 3, 3, 1200))
    apply(state, events.Finished("stopped", "", packed(2, 3, 4), 3, 1200, 1, 0.4, {}))
    step = state.best()
    state.begin_run(settings, step)
    for event in (events.Trying(1, packed(*range(7)), 7, 2800), events.Started("binary", 4, 7, 6, 2800)):
        assert state.best() is step
        assert state.states.tolist() == [G, G, K, K, K, G, G]
        apply(state, event)
    assert state.best() is step
    apply(state, events.Accepted(1, packed(3, 4), 0.2, 2, 2, 900))
    assert (state.best().bytes, state.best().run) == (900, 2)
    state.begin_run(settings, step)
    apply(state, events.Failed("reduce", "no"))
    assert state.best().bytes == 2800


def test_a_stall_is_over_once_the_best_falls_again(state: RunState) -> None:
    stall = events.Stalled(20, 1500, "items", failures=2, holds="A", enough=300, demand="kinds but A")
    apply(state, events.Started("auto", 4, 7, 6, 2800), stall)
    assert state.stalled == stall
    apply(state, events.Accepted(30, packed(3, 4), 0.2, 2, 2, 900))
    assert state.stalled is None
    apply(state, stall, events.Finished("done", "Done.", packed(3, 4), 2, 900, 2, 0.4, {}))
    assert state.stalled is None
