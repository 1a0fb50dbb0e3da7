"""What the window shows of a subject, each with the few widgets that it needs: without the main window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QLabel, QMenu, QStackedWidget, QStatusBar, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.engine import event_decoder
from app.engine.controller import Controller
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import EngineState, ItemState, RunState
from app.graph.view import GraphView
from app.panels.empty_page import EmptyPage
from app.panels.form.run_form import RunForm
from app.panels.form.run_panel import RunPanel
from app.panels.lists.component_list import ComponentList
from app.panels.lists.failure_list import FailureList
from app.panels.lists.probe_table import ProbeTable
from app.panels.lists.step_list import StepList
from app.panels.message_bar import MessageBar
from app.panels.search_box import SearchBox
from app.panels.tree.class_tree import ClassTree
from app.recent import Recent
from app.window.appearance import Appearance
from app.window.bug_queue import BugQueue
from app.window.commands.actions import ACTIONS, MENUS, SUBMENUS, TOOLBAR
from app.window.commands.edit_commands import EditCommands
from app.window.commands.file_chooser import FileChooser
from app.window.commands.run_commands import RunCommands
from app.window.commands.view_commands import ViewCommands
from app.window.commands.window_state import WindowState
from app.window.main_window import window_title
from app.window.pins import Pins
from app.window.presenters.failure_presenter import FailurePresenter
from app.window.presenters.jar_presenter import JarPresenter, LoadingPresenter
from app.window.presenters.result_presenter import ResultPresenter, check_text, lost_pins
from app.window.presenters.run_presenter import RunPresenter
from app.window.presenters.session_presenter import SessionPresenter, command_text
from app.window.presenters.states_presenter import StatesPresenter
from app.window.selection import Selection
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.gui_helpers import small_jar


def apply(state: RunState, *happened: events.Event) -> None:
    for event in happened:
        state.apply(event_decoder.decode(events.to_line(event)))


def packed(*items: int) -> str:
    return events.pack(sum(1 << item for item in items), 7)


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Controller]:
    """With a small input and without an engine."""
    made = Controller()
    apply(made.state, small_jar()[0])
    made.paths = ["/jars/small.jar"]
    yield made
    made.shut_down()


@pytest.fixture
def state(controller: Controller) -> RunState:
    return controller.state


@pytest.fixture
def messages(qtbot: QtBot) -> MessageBar:
    made = MessageBar()
    qtbot.addWidget(made)
    return made


def opened(state: RunState) -> OpenedJar:
    assert state.jar is not None
    return state.jar


# -- the table of actions ---------------------------------------------------------------


def enabled(phase: EngineState, *, is_open: bool = True, result: bool = False, selected: bool = False) -> set[str]:
    moment = WindowState(phase, is_open, result, selected, reduced=result)
    return {spec.id for spec in ACTIONS if spec.enabled(moment)}


GOING = {spec.id for spec in ACTIONS if spec.id.startswith("go_")}
ALWAYS = GOING | {"new_window", "preferences", "quit", "dark", "help", "shortcuts", "logs", "about"}
OPENING = {"open", "open_folder", "open_session", "sample"}
EXPORTS = {"export_graph"}
RESULT = {"export_jar"}
EXPORTED_REPORTS = {"export_report", "export_bug", "export_folder"}
REPORTS = EXPORTED_REPORTS | {"report"}
SELECTED = {"pin", "drop_first", "inspect", "copy_name"}
GRAPH = {spec.id for spec in ACTIONS if spec.menu == "view"} - {"dark"} - GOING


@pytest.mark.parametrize(
    ("now", "possible"),
    [
        (enabled(EngineState.EMPTY, is_open=False), ALWAYS | OPENING),
        (enabled(EngineState.LOADING, is_open=False), ALWAYS | OPENING),
        (enabled(EngineState.READY), ALWAYS | OPENING | GRAPH | EXPORTS | {"check", "start", "save_session"}),
        (
            enabled(EngineState.READY, result=True, selected=True),
            ALWAYS | OPENING | GRAPH | EXPORTS | RESULT | REPORTS | SELECTED | {"check", "start", "save_session"},
        ),
        (enabled(EngineState.CHECKING), ALWAYS | GRAPH | EXPORTS | {"stop"}),
        (enabled(EngineState.RUNNING, result=True), ALWAYS | GRAPH | EXPORTS | RESULT | {"pause", "stop", "enough"}),
        (enabled(EngineState.PAUSED), ALWAYS | GRAPH | EXPORTS | {"pause", "stop", "enough"}),
        (enabled(EngineState.STOPPING), ALWAYS | GRAPH | EXPORTS),
        (enabled(EngineState.DEAD, result=True), ALWAYS | OPENING | GRAPH),
    ],
)
def test_the_table_says_when_an_action_is_possible(now: set[str], possible: set[str]) -> None:
    assert now == possible


def test_a_run_that_removed_nothing_has_no_bug_report() -> None:
    moment = WindowState(EngineState.READY, True, True, False, reduced=False)
    assert moment.reported()
    assert not moment.bug_found()
    assert not [spec.id for spec in ACTIONS if spec.id in {"export_bug", "export_folder"} and spec.enabled(moment)]


def test_the_table_is_whole() -> None:
    ids = [spec.id for spec in ACTIONS]
    assert len(ids) == len(set(ids))
    assert {spec.menu for spec in ACTIONS} == {name for name, _ in MENUS} | set(SUBMENUS)
    assert set(TOOLBAR) - {"|"} <= set(ids)
    assert not [spec.id for spec in ACTIONS if not spec.tip or spec.tip.endswith(".")]


def test_only_what_asks_for_more_ends_in_dots() -> None:
    asking = {
        "open",
        "open_folder",
        "open_session",
        "save_session",
        "preferences",
        *EXPORTS,
        *RESULT,
        *EXPORTED_REPORTS,
    }
    assert {spec.id for spec in ACTIONS if spec.text.endswith("…")} == asking


# -- presenters -------------------------------------------------------------------------


def test_the_page_of_an_input_comes_once_it_is_read(qtbot: QtBot, controller: Controller) -> None:
    pages, empty, view = QStackedWidget(), EmptyPage(), QWidget()
    qtbot.addWidget(pages)
    pages.addWidget(empty)
    pages.addWidget(view)
    presenter = LoadingPresenter(controller, pages, empty, view)
    presenter.show_phase(EngineState.LOADING)
    presenter.show_loaded(3, 7)
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
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
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
    state: RunState,
    messages: MessageBar,
    reason: str,
    pinned: list[str],
    kind: str,
    buttons: tuple[str, str],
) -> None:
    probes, pins = ProbeTable(), Pins()
    qtbot.addWidget(probes)
    pins.set_names(pinned)
    presenter = ResultPresenter(state, messages, probes, pins)
    finished = events.Finished(reason, "It is over.", packed(0), 1, 100, 2, 0.4, {})
    apply(state, events.Started("binary", 4, 7, 6, 2800), finished)
    presenter.run_finished(finished)
    assert messages.kind == kind
    lost = " Pinned, but not in the result: p.B." if pinned else ""
    result = " 1 of 6 classes, 3.6 % of bytes." if reason != "failed" else ""
    assert messages.text.text() == f"It is over.{result}{lost}"
    found = [(b.text() if not b.isHidden() else "") for b in (messages.action_button, messages.other_button)]
    assert tuple(found) == buttons
    if reason != "failed":
        with qtbot.waitSignal(presenter.jar_wanted):
            messages.action_button.click()
        messages.tell("Something else.", "info", "Do it", lambda: None)
        messages.action_button.click()
        assert messages.text.text().startswith("It is over."), "the offer stays until it is used"
        presenter.result_written()
        assert messages.isHidden()


def test_without_a_smaller_candidate_there_is_no_result(qtbot: QtBot, state: RunState, messages: MessageBar) -> None:
    probes = ProbeTable()
    qtbot.addWidget(probes)
    finished = events.Finished("stopped", "It was stopped.", packed(*range(7)), 6, 2800, 0, 0.4, {})
    apply(state, events.Started("binary", 4, 7, 6, 2800), finished)
    ResultPresenter(state, messages, probes, Pins()).run_finished(finished)
    assert messages.text.text() == "The reduction was stopped. No smaller candidate was interesting: no result."
    assert messages.action_button.isHidden()
    assert not WindowState.of(state, False).has_jar()


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
        ("BUG two", "probe 4", ""),
        ("BUG three", "", "waiting"),
    ]
    assert tabs.tabText(0) == "Failures (3)"


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
        sources=["small.jar"],
        settings=Settings(predicate="run \x1b{jar}", keep=("p/A",)),
        folder="/srv/here",
        interrupted=True,
    )
    presenter.restored(event)
    presenter.jar_opened()
    qtbot.waitUntil(lambda: messages.action_button.text() == "Start")
    assert messages.text.text() == "To resume, this session runs the following in /srv/here:\nrun \\x1b{jar}"
    assert form.settings().predicate == command_text(form.settings()).replace("\\x1b", "\x1b")
    assert restored == [(["p/A"], [])]
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
        *("To repeat it by hand:", "sh -c x"),
        *("", "Standard output", "out", "", "Standard error", "err"),
    ]


# -- commands ---------------------------------------------------------------------------


@pytest.fixture
def reduce(qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path) -> RunCommands:
    form, parent = RunForm(), QWidget()
    qtbot.addWidget(form)
    qtbot.addWidget(parent)
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
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


def test_selection_pins_and_copies(qtbot: QtBot, controller: Controller) -> None:
    tree, graph, bar = ClassTree(), GraphView(), QStatusBar()
    for widget in (tree, graph, bar):
        qtbot.addWidget(widget)
    for part in (tree, graph):
        part.set_jar(opened(controller.state))
    selection, pins = Selection(controller.state, tree, graph), Pins()
    commands = EditCommands(selection, pins, bar)
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


def test_a_run_shows_classes_unless_the_user_chose_a_view(qtbot: QtBot, tmp_path: Path, qapp: object) -> None:
    graph, search = GraphView(), SearchBox()
    qtbot.addWidget(graph)
    qtbot.addWidget(search)
    asked: list[str] = []
    graph.show_view = asked.append
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    view = ViewCommands(graph, search, Appearance(settings, qapp), lambda: None)  # type: ignore[arg-type]
    view.run_started()
    view.matrix()
    view.run_started()
    assert asked == ["components", "matrix"]
    view.jar_opened()
    view.run_started()
    assert asked[-1] == "components"


def test_the_title_tells_how_far_a_reduction_is(state: RunState) -> None:
    assert window_title(RunState()) == "Jarlet"
    assert window_title(state) == "small.jar – Jarlet"
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Accepted(1, packed(0), 0.2, 1, 1, 100))
    assert window_title(state) == "1 of 6 classes – small.jar – Jarlet"


def test_a_theme_is_chosen_kept_and_told(qtbot: QtBot, tmp_path: Path, qapp: object) -> None:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    appearance = Appearance(settings, qapp)  # type: ignore[arg-type]
    told: list[str] = []
    appearance.changed.connect(lambda theme: told.append(theme.name))
    appearance.choose("dark")
    appearance.set_dark(True)
    appearance.set_dark(False)
    assert told == ["dark", "light"]
    assert settings.value("theme") == "light"
    appearance.choose("system")
    appearance.set_dark(appearance.theme is not None and appearance.theme.dark)
    assert settings.value("theme") == "system", "to show what is worn chooses nothing"
