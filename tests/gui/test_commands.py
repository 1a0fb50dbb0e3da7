"""What commands do with the few widgets that they need: without the main window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from app.engine.controller import Controller
from app.engine.run_state import EngineState, RunState
from app.engine.runs import StepSummary
from app.panels.form.run_form import RunForm
from app.panels.form.run_panel import RunPanel, stalled_words
from app.panels.message_bar import MessageBar
from app.user_settings import UserSettings
from app.window.bug_queue import BugQueue
from app.window.commands.menu_commands import EditCommands
from app.window.commands.named_files import FileChooser
from app.window.commands.run_commands import RunCommands
from app.window.layout import WindowLayout
from app.window.main_window import window_title
from app.window.pins import Pins
from app.window.preferences import Appearance
from app.window.selection import Selection
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.run_events import apply, opened, packed


@pytest.fixture
def reduce(qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path) -> RunCommands:
    form, parent = RunForm(), QWidget()
    qtbot.addWidget(form)
    qtbot.addWidget(parent)
    settings = UserSettings(str(tmp_path / "settings.ini"))
    return RunCommands(controller, form, Pins(), BugQueue(controller), FileChooser(parent, settings), messages)


def test_nothing_starts_without_a_command(
    qtbot: QtBot, reduce: RunCommands, controller: Controller, messages: MessageBar
) -> None:
    with qtbot.waitSignal(reduce.form_wanted):
        reduce.start()
    assert messages.kind == "warning"
    assert controller.state.phase is EngineState.READY


def test_the_result_is_exported_only_where_that_was_asked_for(
    qtbot: QtBot, reduce: RunCommands, controller: Controller
) -> None:
    wanted: list[bool] = []
    reduce.result_wanted.connect(lambda: wanted.append(True))
    for state, ends in ((EngineState.READY, []), (EngineState.RUNNING, [True])):
        controller.state.phase = state
        reduce.use_result()
        reduce.run_finished()
        qtbot.wait(1)
        assert wanted == ends
    controller.state.phase = EngineState.RUNNING
    reduce.use_result()
    reduce.run_started()  # that one has failed, and another begins
    reduce.run_finished()
    qtbot.wait(1)
    assert wanted == [True]


def test_a_failure_that_holds_the_best_is_left_out_by_the_next_reduction(
    qtbot: QtBot, reduce: RunCommands, controller: Controller, messages: MessageBar
) -> None:
    panel, state = RunPanel(), controller.state
    qtbot.addWidget(panel)
    panel.form.set_settings(Settings(predicate="x", failures_as="javac"))
    panel.show()
    state.phase = EngineState.RUNNING
    state.steps.append(StepSummary(0.0, 0, 4, 900, 4))
    panel.show_phase(state)
    assert not panel.without.isVisible()
    state.stalled = events.Stalled(
        20, 900, "items", failures=2, holds="A", enough=300, together=True, demand="kinds but A"
    )
    panel.show_progress(state)
    assert panel.without.isVisible()
    assert "Nothing smaller for 20 runs. A holds it: 300 B had all other kinds" in panel.status.text()
    with qtbot.waitSignal(panel.without_wanted) as asked:
        panel.without.click()
    assert asked.args == ["kinds but A"]
    with qtbot.waitSignal(reduce.form_wanted):
        reduce.leave_out("kinds but A")
    assert "Start begins one without that failure" in messages.text.text()


@pytest.mark.parametrize(
    ("stall", "advice"),
    [
        (events.Stalled(9, 5, "x", failures=2), "2 kinds of failures must stay: one alone may need less"),
        (events.Stalled(9, 5, "x", failures=2, strict=True), "one of each kind may need less"),
        (events.Stalled(9, 5, "x", timed_out=5), "a longer timeout per run may help"),
        (
            events.Stalled(1, 5, "x"),
            "for 1 run. “Stop” keeps the smallest so far.",
        ),
    ],
)
def test_the_panel_says_what_can_be_done_about_a_stall(stall: events.Stalled, advice: str) -> None:
    assert advice in stalled_words(stall)


def test_selection_pins_and_copies(qtbot: QtBot, controller: Controller) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    parts = WindowLayout(window)
    tree, graph, bar = parts.tree, parts.graph, parts.status_bar
    for part in (tree, graph):
        part.set_jar(opened(controller.state))
    selection, pins = Selection(controller.state, tree, graph), Pins()
    commands = EditCommands(selection, pins, parts)
    looked: list[tuple[str, str]] = []
    selection.looked_at.connect(lambda name, owner: looked.append((name, owner)))
    selection.select(4)
    assert looked[-1] == ("q/E$Inner", "q/E$Inner")
    assert selection.summary == "q.E.Inner   ·   500 B   ·   needs 0   ·   needed by 1"
    commands.copy_name()
    assert bar.currentMessage() == "Copied: q.E.Inner"
    commands.pin()
    assert pins.names == ["q/E$Inner"]
    commands.drop_first()
    assert (pins.names, pins.first) == ([], ["q/E$Inner"])
    selection.select(6)
    assert looked[-1] == ("", ""), "a resource has nothing to inspect"
    assert selection.name == "q/data.txt"
    selection.clear()
    assert (selection.title, selection.facts, selection.summary) == ("", [], "")


def test_the_title_tells_how_far_a_reduction_is(state: RunState) -> None:
    assert window_title(RunState()) == "Jarlet"
    assert window_title(state) == "small.jar – Jarlet"
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(0), 0.2, 1, 1, 100))
    assert window_title(state) == "1 of 6 classes – small.jar – Jarlet"


def test_a_theme_is_chosen_kept_and_told(qtbot: QtBot, tmp_path: Path, qapp: object) -> None:
    settings = UserSettings(str(tmp_path / "settings.ini"))
    appearance = Appearance(settings, qapp)  # type: ignore[arg-type]
    told: list[str] = []
    appearance.changed.connect(lambda theme: told.append(theme.name))
    appearance.choose("dark")
    appearance.set_dark(True)
    appearance.set_dark(False)
    assert told == ["dark", "light"]
    assert settings.value("theme") == "light"
    appearance.choose("contrast")
    appearance.set_dark(True)
    assert told[2:] == ["contrast", "contrast-dark"], "high contrast stays"
    appearance.choose("system")
    appearance.set_dark(appearance.theme is not None and appearance.theme.dark)
    assert settings.value("theme") == "system", "to show what is worn chooses nothing"
