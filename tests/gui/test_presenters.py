"""What the window shows of a subject, each with the few widgets that it needs: without the main window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QMenu, QStackedWidget, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.engine.controller import Controller
from app.engine.run_state import EngineState, ItemState, RunState
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.form.run_form import RunForm
from app.panels.form.run_panel import RunPanel
from app.panels.lists.component_list import ComponentList
from app.panels.lists.failure_list import FailureList
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from app.panels.message_bar import MessageBar, MessageButton
from app.panels.tree.class_tree import ClassTree
from app.user_settings import UserSettings
from app.window.bookmarks import Recent
from app.window.bug_queue import BugQueue
from app.window.missing_libraries import MissingLibraries
from app.window.pins import Pins
from app.window.presenters.check_presenter import FailurePresenter
from app.window.presenters.result_presenter import ResultPresenter, check_text, lost_pins
from app.window.presenters.run_presenter import JarPresenter, LoadingPresenter, RunPresenter, StatesPresenter
from app.window.presenters.session_presenter import SessionPresenter, command_text
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.run_events import apply, opened, packed


def test_the_page_of_an_input_comes_once_it_is_read(qtbot: QtBot, controller: Controller) -> None:
    pages, empty, view = QStackedWidget(), EmptyPage(), QWidget()
    qtbot.addWidget(pages)
    pages.addWidget(empty)
    pages.addWidget(view)
    presenter = LoadingPresenter(controller, pages, empty, view)
    presenter.show_phase(EngineState.LOADING)
    presenter.show_loaded(events.Loading(3, 7))
    assert pages.currentWidget() is empty
    assert (empty.title.text(), empty.progress.value()) == ("Reading small.jar…", 3)
    presenter.show_phase(EngineState.READY)
    assert pages.currentWidget() is view


@pytest.mark.parametrize(("session", "remembered"), [("", [["/jars/small.jar"]]), ("/kept/one.jarlet", [])])
def test_an_input_is_handed_on_and_remembered(
    qtbot: QtBot, controller: Controller, tmp_path: Path, session: str, remembered: list[list[str]]
) -> None:
    controller.session = session
    tree, components, facts, menu = ClassTree(), ComponentList(), QLabel(), QMenu()
    for widget in (tree, components, facts, menu):
        qtbot.addWidget(widget)
    settings = UserSettings(str(tmp_path / "settings.ini"))
    recent = Recent(settings, menu, lambda _: None)
    JarPresenter(controller, (tree, components), facts, recent).show_jar(opened(controller.state))
    assert components.model.rowCount() == 4
    assert tree.model.item_of("p/A") == 0
    assert facts.text() == "6 classes · 5 dependencies · 1 cycle · read in 100 ms"
    assert recent.inputs == remembered


def test_a_step_is_shown_instead_of_the_best(qtbot: QtBot, controller: Controller) -> None:
    graph, tree, components, steps = GraphView(), ClassTree(), ComponentList(), StepList()
    for widget in (graph, tree, components, steps):
        qtbot.addWidget(widget)
    state = controller.state
    for part in (graph, tree, components):
        part.set_jar(opened(state))
    shown: list[list[int] | None] = []
    graph.set_states = lambda states, *_: shown.append(None if states is None else states.tolist())
    presenter = StatesPresenter(controller, graph, tree, components, steps)
    presenter.show_graph()
    assert shown == [None], "before a run nothing is kept or gone"
    apply(
        state,
        events.Started("binary", 4, 7, 6, 2800),
        events.Accepted(1, packed(0, 1), 0.2, 2, 2, 300),
        events.Accepted(2, packed(0), 0.4, 1, 1, 100),
    )
    presenter.show_graph()
    presenter.show_graph()
    gone, kept = int(ItemState.GONE), int(ItemState.KEPT)
    assert shown[1:] == [[kept] + [gone] * 6], "drawn once for each change"
    presenter.look_at(state.steps[1], None)
    assert shown[2:] == [[kept, kept] + [gone] * 5]
    apply(state, events.Needed(packed(0)))
    presenter.show_graph()
    assert len(shown) == 3, "while a step is looked at, the graph shows that"
    presenter.look_at(None, None)
    assert shown[-1] == [int(ItemState.SO_FAR)] + [gone] * 6


class Counter:
    """A list of the run."""

    def __init__(self) -> None:
        self.shown = 0

    def show_state(self, state: RunState) -> None:
        self.shown += 1


def test_lists_follow_a_run_in_one_go(qtbot: QtBot, controller: Controller) -> None:
    graph, tree, components, steps = GraphView(), ClassTree(), ComponentList(), StepList()
    panel, probes, counter = RunPanel(), ProbeTable(), Counter()
    for widget in (graph, tree, components, steps, panel, probes):
        qtbot.addWidget(widget)
    state = controller.state
    states = StatesPresenter(controller, graph, tree, components, steps)
    presenter = RunPresenter(state, panel, probes, states, [counter])
    accepted: list[bool] = []
    presenter.step_accepted.connect(lambda: accepted.append(True))
    apply(
        state,
        events.Started("binary", 4, 7, 6, 2800),
        events.Probed(1, "interesting", "run", 0.1, 0.1, 4, 900, 0, "", "", ""),
        events.Accepted(1, packed(0), 0.2, 1, 1, 100),
    )
    for _ in range(5):
        presenter.show()
    assert (counter.shown, len(accepted)) == (0, 1), "lists follow later, a step is told once"
    assert probes.model.rowCount() == 1
    qtbot.waitUntil(lambda: counter.shown == 1)
    presenter.run_finished()
    assert counter.shown == 2


@pytest.mark.parametrize(
    ("reason", "pinned", "kind", "buttons"),
    [
        ("done", [], "good", ("Export jar…", "Export bug report…")),
        ("stopped", [], "info", ("Export jar…", "Export bug report…")),
        ("failed", [], "error", ("", "")),
        ("done", ["p/A", "p/B.x:()V"], "warning", ("Export jar…", "Export bug report…")),
    ],
)
def test_the_end_of_a_run_says_what_can_be_done(
    qtbot: QtBot,
    controller: Controller,
    messages: MessageBar,
    reason: str,
    pinned: list[str],
    kind: str,
    buttons: tuple[str, str],
) -> None:
    state, probes, pins = controller.state, ProbeTable(), Pins()
    qtbot.addWidget(probes)
    pins.set_names(pinned)
    presenter = ResultPresenter(state, messages, probes, pins, MissingLibraries(controller, lambda: []))
    finished = events.Finished(reason, "It is over.", packed(0), 1, 100, 2, 0.4, {})
    apply(state, events.Started("binary", 4, 7, 6, 2800), finished)
    presenter.run_finished(finished)
    assert messages.kind == kind
    lost = " Pinned, but not in the result: p.B." if pinned else ""
    begin = {"done": "", "stopped": "The reduction was stopped. "}.get(reason)
    words = "It is over." if begin is None else f"{begin}1 of 6 classes, 3.6 % of bytes.{lost}"
    assert messages.text.text() == words
    found = [(b.text() if not b.isHidden() else "") for b in (messages.action_button, messages.other_button)]
    assert tuple(found) == buttons
    if reason != "failed":
        with qtbot.waitSignal(presenter.jar_wanted):
            messages.action_button.click()
        messages.tell("Something else.", "info", MessageButton("Do it", lambda: None))
        messages.action_button.click()
        assert messages.text.text() == words, "the offer stays until it is used"
        presenter.result_written()
        assert messages.isHidden()


def test_without_a_smaller_candidate_there_is_no_result(
    qtbot: QtBot, controller: Controller, messages: MessageBar
) -> None:
    state, probes = controller.state, ProbeTable()
    qtbot.addWidget(probes)
    finished = events.Finished("stopped", "It was stopped.", packed(*range(7)), 6, 2800, 0, 0.4, {})
    checked = events.Checked(True, True, 1, 0.2, "interesting", "", "", "", "", 0.5)
    apply(state, checked, events.Started("binary", 4, 7, 6, 2800), finished)
    ResultPresenter(state, messages, probes, Pins(), MissingLibraries(controller, lambda: [])).run_finished(finished)
    assert messages.text.text() == "The reduction was stopped. No smaller jar failed: no result."
    assert messages.action_button.isHidden()
    assert not state.reduced, "there is no jar to write"


def test_lost_pins_are_named_as_java_does(state: RunState) -> None:
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(0), 0.2, 1, 1, 100))
    assert lost_pins(state, {"p/A", "q/E$Inner"}) == ["q.E.Inner"]
    assert lost_pins(RunState(), {"p/A"}) == []


def test_failures_are_listed_with_where_they_were_seen(qtbot: QtBot, controller: Controller) -> None:
    form, failures, tabs = RunForm(), FailureList(), QTabWidget()
    for widget in (form, failures, tabs):
        qtbot.addWidget(widget)
    tabs.addTab(failures, "Failures")
    queue = BugQueue(controller)
    queue.results["BUG three"] = "waiting"
    presenter = FailurePresenter(form, failures, tabs, queue)
    apply(controller.state, events.Met(0, ["BUG one"]), events.Met(4, ["BUG two"]))
    presenter.show_state(controller.state)
    words = failures.model.words
    assert [(words(row, 0), words(row, 1), words(row, 2)) for row in range(failures.model.rowCount())] == [
        ("BUG one", "in the input", ""),
        ("BUG two", "run 4", ""),
        ("BUG three", "", "waiting"),
    ]
    assert tabs.tabText(0) == "Failures (1 + 1 new)"


def test_nothing_of_a_session_starts_by_itself(
    qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path
) -> None:
    form = RunForm()
    qtbot.addWidget(form)
    restored: list[tuple[list[str], list[str]]] = []

    class Keeper:
        def restore(self, keep: list[str], drop_first: list[str]) -> None:
            restored.append((keep, drop_first))

    presenter = SessionPresenter(controller, messages, form, Keeper())  # type: ignore[arg-type]
    started: list[bool] = []
    presenter.start_wanted.connect(lambda: started.append(True))
    controller.session = str(tmp_path)
    event = events.Restored(
        path=str(tmp_path),
        paths=["small.jar"],
        settings=Settings(predicate="run \x1b{jar}", keep=("p/A",)),
        folder="/srv/here",
        interrupted=True,
        best=5_300,
    )
    presenter.restored(replace(event, interrupted=False))
    presenter.jar_opened()
    qtbot.waitUntil(lambda: messages.text.text().startswith("The result has 5.3 kB. This session runs the following"))
    presenter.restored(event)
    presenter.jar_opened()
    qtbot.waitUntil(lambda: messages.text.text().startswith("The smallest jar so far has 5.3 kB. "))
    assert messages.text.text().endswith("To resume, this session runs the following in /srv/here:\nrun \\x1b{jar}")
    assert messages.action_button.text() == "Start"
    assert form.settings().predicate == command_text(form.settings()).replace("\\x1b", "\x1b")
    assert restored == 2 * [(["p/A"], [])]
    assert not started
    messages.action_button.click()
    assert started


def test_a_check_is_told_whole() -> None:
    event = events.Checked(
        interesting=True,
        stable=True,
        runs=2,
        seconds=0.3,
        verdict="interesting",
        message="It fails.",
        command="sh -c x",
        stdout="out\n",
        stderr="err\n",
        timeout=3.0,
    )
    assert check_text(event).splitlines() == [
        *("The folder of that run stays until three more checks have failed.", "To repeat it by hand: sh -c x"),
        *("", "Standard output", "out", "", "Standard error", "err"),
    ]
