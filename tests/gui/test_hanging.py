"""A check that does not come to its end gets a word and a remedy: that of what runs."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.message_bar import MessageBar
from app.window.main_window import MainWindow
from app.window.presenters.check_presenter import HangPresenter
from core.protocol import events
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.run_events import apply, packed


@pytest.mark.parametrize(
    ("own", "said", "buttons"),
    [
        (True, "A command that waits for input never ends", ["Stop", "Set a timeout…"]),
        (False, "A large jar takes longer", ["Stop", ""]),
    ],
)
def test_a_check_after_a_run_that_does_not_end_is_told_with_what_can_be_done(
    qtbot: QtBot, controller: Controller, messages: MessageBar, own: bool, said: str, buttons: list[str]
) -> None:
    state = controller.state
    hanging = HangPresenter(state, messages, lambda: own)
    hanging.timer.setInterval(1)
    apply(
        state,
        events.Checked(False, True, 1, 0.2, "timed out", "It did not end.", "", "", "", 0.5),
        events.Started("binary", 4, 7, 6, 2800),
        events.Accepted(1, packed(0), 0.2, 1, 1, 100),
        events.Finished("done", "It is over.", packed(0), 1, 100, 2, 0.4, {}),
    )
    assert state.steps, "of the run before"
    state.phase = EngineState.CHECKING
    hanging.phase_changed(state.phase)
    hanging.progressed()
    qtbot.waitUntil(lambda: said in messages.text.text())
    assert [messages.action_button.text(), messages.other_button.text()] == buttons
    state.phase = EngineState.READY
    hanging.phase_changed(state.phase)
    assert messages.isHidden()


def test_a_run_that_is_killed_for_its_time_leads_to_the_timeout(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'sleep 100000' {jar}", timeout=0.5)
    window.actions_by_id["check"].trigger()
    messages, limits = window.parts.messages, window.parts.run.form.limits
    qtbot.waitUntil(lambda: "does not end on the whole jar" in messages.text.text())
    wait_idle(qtbot, window)
    assert "set a longer timeout per run" in messages.text.text()
    assert window.parts.run.status.text() == "Checked: a run took too long."
    assert messages.action_button.text() == "Set a timeout…"
    messages.action_button.click()
    assert limits.fields["timeout"].widget.isVisible()
    assert limits.fields["timeout"].widget.lineEdit().selectedText(), "ready to be typed over"
