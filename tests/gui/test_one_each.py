"""One jar per bug, as a person goes through it: what is said between two reductions and at the end."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.panels.form.run_panel import RunPanel
from app.panels.lists.probe_table import ProbeTable
from app.panels.message_bar import MessageBar
from app.window.bug_queue import BugQueue
from app.window.missing_libraries import MissingLibraries
from app.window.pins import Pins
from app.window.presenters.result_presenter import ResultPresenter
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.run_events import apply, packed


def presenter(qtbot: QtBot, controller: Controller, messages: MessageBar) -> ResultPresenter:
    probes = ProbeTable()
    qtbot.addWidget(probes)
    return ResultPresenter(controller.state, messages, probes, Pins(), MissingLibraries(controller, lambda: []))


def test_a_check_that_found_several_kinds_leads_to_the_list_of_failures(
    qtbot: QtBot, controller: Controller, messages: MessageBar
) -> None:
    results = presenter(qtbot, controller, messages)
    found = events.Checked(
        True, True, 2, 0.1, "interesting", "It fails.", "", "", "", 1.0, ["a", "b", "c"], kinds=[0, 0, 1]
    )
    results.checked(found)
    assert (messages.kind, messages.action_button.text()) == ("good", "Show failures")
    assert not messages._timer.isActive(), "it stays until it was read"
    with qtbot.waitSignal(results.failures_wanted):
        messages.action_button.click()


def test_a_long_remark_stays_as_long_as_it_takes_to_read_it(messages: MessageBar) -> None:
    messages.tell("Short.", "good")
    short = messages._timer.interval()
    messages.tell("A sentence of some words. " * 12, "good")
    assert messages._timer.interval() > 2 * short


def test_between_two_reductions_the_queue_says_that_it_writes_a_result(
    qtbot: QtBot, controller: Controller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(controller.client, "send", lambda command: None)
    queue, panel = BugQueue(controller), RunPanel()
    qtbot.addWidget(panel)
    panel.resize(300, 700)
    panel.show()
    queue.changed.connect(lambda: panel.show_about(queue.words))
    name = "VeryLongNameOfAClass.java: incompatible types: Object cannot be converted to OtherVeryLongNameOfAClass"
    queue.add([name, "other"], Settings(predicate="true"), tmp_path)
    state = controller.state
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(0), 0.2, 1, 1, 100))
    panel.show_phase(state)
    first = panel.status.text().splitlines()[0]
    assert first.startswith("Failure 1 of 2: VeryLong")
    assert panel.status.fontMetrics().horizontalAdvance(first) <= panel.status.width(), "it takes one line"
    assert panel.status.toolTip() == f"Failure 1 of 2: {name}"
    apply(state, events.Probed(1, "interesting", "run", 0.1, 0.1, 1, 100, 0, "", "", ""))
    end = events.Finished("done", "It is over.", packed(0), 1, 100, 2, 0.4, {})
    apply(state, end)
    assert state.phase is EngineState.READY
    controller.run_finished.emit(end)
    panel.show_phase(state)
    assert panel.status.text() == "Failure 1 of 2: writing its jar and report."
    for number, ending in enumerate((".jar", ".json", ".md"), 1):
        controller.client.told.emit(events.Exported(str(tmp_path / f"1{ending}"), 100, "jar", request=number))
    assert queue.words == "Failure 2 of 2: other"


def test_the_end_of_the_queue_tells_the_bugs_and_opens_the_folder(
    qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path
) -> None:
    results = presenter(qtbot, controller, messages)
    results.queue_ended("2 reduced jars written to there.", tmp_path, True)
    assert messages.action_button.text() == "Open folder"
    results.bugs_told("2 failures, 1 bug.", [["bug", "failures", "jar"], ["1", "2", "1.jar"]])
    assert messages.text.text() == "2 reduced jars written to there. 2 failures, 1 bug."
    assert [messages.action_button.text(), messages.other_button.text()] == ["Show bugs…", "Open folder"]


def test_a_result_can_be_seen_to_be_dragged(qtbot: QtBot, controller: Controller) -> None:
    panel, state = RunPanel(), controller.state
    qtbot.addWidget(panel)
    panel.best.show_state(state)
    assert panel.best.cursor().shape() is Qt.CursorShape.ArrowCursor
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(0), 0.2, 1, 1, 100))
    panel.best.show_state(state)
    assert panel.best.cursor().shape() is Qt.CursorShape.OpenHandCursor
