"""The commands of the pages beside the graph, from the commands that they send and the events that answer them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from pytestqt.qtbot import QtBot

from app.bug.centre import BesideCommands, CentrePages
from app.bug.report import ReportPage, ReportPresenter
from app.bug.tools_view import CellWish
from app.engine.controller import Controller
from app.engine.run_state import EngineState
from app.engine.runs import StepSummary
from app.graph.view import GraphView
from core.errors import UsageError
from core.protocol import commands, events
from core.protocol.questions.background import RunTools, RunVersions, StopBackground
from core.protocol.questions.bug import FindSource, ShowReport
from core.protocol.settings import Settings

PRESET = Settings(preset="cfr", source_time=7)


@dataclass
class Form:
    """The form's settings; a text in their place stands for settings that it refuses."""

    holds: Settings | str = PRESET

    def settings(self) -> Settings:
        if isinstance(self.holds, str):
            raise UsageError(self.holds)
        return self.holds


@dataclass
class Beside:
    """The commands under test with what they sent and said."""

    commands: BesideCommands
    report: ReportPresenter
    pages: CentrePages
    controller: Controller
    form: Form
    sent: list[commands.Command] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    filled: list[Settings] = field(default_factory=list)
    starts: list[str] = field(default_factory=list)

    def answer(self, *happened: events.Event) -> None:
        for event in happened:
            self.controller.client.told.emit(event)


@pytest.fixture
def beside(qtbot: QtBot, controller: Controller, monkeypatch: pytest.MonkeyPatch) -> Iterator[Beside]:
    pages, form = CentrePages(GraphView()), Form()
    qtbot.addWidget(pages)
    page = ReportPage()
    qtbot.addWidget(page)
    report = ReportPresenter(controller, page)
    made = Beside(BesideCommands(controller, pages, form.settings), report, pages, controller, form)
    monkeypatch.setattr(controller.client, "send", made.sent.append)
    controller.told.connect(lambda words, _: made.told.append(words))
    made.commands.settings_wanted.connect(made.filled.append)
    made.commands.start_wanted.connect(lambda: made.starts.append("start"))
    yield made
    for dialog in (made.report.dialog, made.commands.versions, made.commands.source):
        if dialog is not None:
            dialog.close()


def ran(request: int) -> events.ToolRan:
    return events.ToolRan("cfr", "CFR", "1", ["A.java: x"], ["p.A"], 1, 1.0, request=request)


def test_of_two_runs_of_all_tools_only_the_answers_of_the_newer_are_shown(beside: Beside) -> None:
    beside.commands.run_tools("input")
    beside.commands.run_tools("result", download=True)
    first, second = beside.sent
    assert isinstance(first, RunTools)
    assert isinstance(second, RunTools)
    assert (first.fetch, second.subject, second.fetch) == (False, "result", True)
    view = beside.pages.tools
    beside.answer(events.ToolsListed(["CFR"], request=first.request), ran(first.request))
    assert len(view.model.columns) == 1, "this is an answer about the input"
    beside.answer(events.ToolsListed(["CFR"], request=second.request), ran(second.request))
    assert "CFR\n1" in [column.title for column in view.model.columns]
    beside.answer(events.ToolsRan(request=first.request))
    assert "fail." not in view.note.text()
    beside.answer(events.ToolsRan(request=second.request))
    assert "1 of 1 tool fail" in view.note.text()


def test_a_cell_fills_the_form_and_starts_the_reduction(beside: Beside) -> None:
    beside.form.holds = Settings(predicate="x {jar}", match="bad", jobs=3)
    beside.commands.reduce(CellWish("procyon", (("a", "b"),), "chosen A.java: x"))
    (settings,) = beside.filled
    assert (settings.preset, settings.failures, settings.options) == ("procyon", "chosen A.java: x", {"a": "b"})
    assert (settings.predicate, settings.match, settings.jobs) == ("", None, 3)
    assert beside.starts == ["start"]
    assert beside.pages.currentWidget() is beside.pages.bug


def test_a_cell_of_the_result_starts_once_the_result_is_the_input(beside: Beside) -> None:
    steps: list[StepSummary] = []
    beside.commands.step_wanted.connect(steps.append)
    beside.controller.state.steps = [StepSummary(0.0, 0, 6, 900), StepSummary(1.0, 1, 3, 300, probe=1)]
    beside.commands.run_tools("result")
    beside.commands.reduce(CellWish("procyon"))
    assert [step.classes for step in steps] == [3]
    assert beside.starts == []
    beside.commands.jar_opened()
    assert beside.starts == ["start"]
    beside.commands.jar_opened()
    assert beside.starts == ["start"], "once"


def test_no_cell_starts_a_reduction_beside_another_one(beside: Beside) -> None:
    beside.controller.state.phase = EngineState.RUNNING
    beside.commands.reduce(CellWish("procyon"))
    assert beside.told == ["Stop the reduction before another one begins."]
    assert (beside.sent, beside.filled) == ([], [])
    beside.controller.state.phase = EngineState.READY


def test_the_tools_wait_for_the_input_that_is_being_read(beside: Beside) -> None:
    beside.controller.state.phase = EngineState.LOADING
    beside.commands.run_tools_next()
    assert beside.sent == []
    beside.controller.state.phase = EngineState.READY
    beside.commands.jar_opened()
    assert [type(command) for command in beside.sent] == [RunTools]
    assert beside.pages.currentWidget() is beside.pages.tools


def test_versions_are_run_for_a_preset_alone_and_older_answers_are_dropped(beside: Beside) -> None:
    beside.form.holds = Settings(predicate="x {jar}")
    beside.commands.show_versions()
    dialog = beside.commands.versions
    assert dialog is not None
    assert "the command line takes the tool's name" in dialog.blank.words.text()
    beside.form.holds = "The limit is no number."
    beside.commands.run_versions(True)
    assert dialog.blank.words.text() == "The limit is no number."
    assert beside.sent == []
    beside.form.holds = PRESET
    beside.commands.show_versions()
    assert beside.sent == [], "the repository is asked on a click alone"
    dialog.few.click()
    beside.commands.run_versions(True)
    first, second = beside.sent
    assert isinstance(first, RunVersions)
    assert isinstance(second, RunVersions)
    assert (first.every, second.every, second.settings) == (False, True, PRESET)
    beside.answer(events.VersionsListed("CFR", ["0.1"], 0, request=first.request))
    assert dialog.model.count() == 0
    beside.answer(
        events.VersionsListed("CFR", ["0.1", "0.2"], 1, request=second.request),
        events.VersionRan("0.2", 1, "", events.VersionAnswer.FAILS, "", request=second.request),
    )
    assert dialog.sentence.text() == "1 of 2 versions of CFR run…"
    beside.answer(events.VersionsRan("CFR fails in 0.2.", request=first.request))
    assert dialog.stop.isEnabled(), "the newer run goes on"
    beside.commands.stop("versions")
    assert beside.sent[-1] == StopBackground("versions")
    beside.answer(events.VersionsRan("CFR fails in 0.2.", stopped=True, request=second.request))
    assert dialog.sentence.text() == "Stopped. CFR fails in 0.2."


def test_java_source_is_looked_for_with_the_time_of_the_form_and_exported_as_a_test(beside: Beside) -> None:
    tests: list[tuple[str, Settings]] = []
    beside.commands.test_wanted.connect(lambda project, settings: tests.append((project, settings)))
    beside.commands.show_source()
    (wish,) = beside.sent
    assert isinstance(wish, FindSource)
    assert wish.seconds == 7
    dialog = beside.commands.source
    assert dialog is not None
    found = events.SourceFound("Found.", ["A.java"], ["class A {}"], [["cfr", "CFR"]], request=wish.request)
    beside.answer(events.SourceFound("Older.", request=wish.request - 1))
    assert dialog.stop.isEnabled()
    beside.answer(found)
    assert (dialog.sentence.text(), dialog.page.toPlainText()) == ("Found.", "// A.java\nclass A {}\n")
    dialog.test.click()
    assert tests == [("cfr", PRESET)]
    beside.form.holds = "The limit is no number."
    dialog.test.click()
    assert beside.told == ["The limit is no number."]
    beside.commands.show_source()
    assert dialog.sentence.text() == "The limit is no number."
    assert len(beside.sent) == 1


def test_the_report_that_was_asked_for_last_is_shown(beside: Beside) -> None:
    beside.report.show()
    beside.report.show()
    older, newer = (command for command in beside.sent if isinstance(command, ShowReport))
    assert beside.report.dialog is not None
    dialog = beside.report.dialog.report
    beside.answer(events.ReportShown(issue="older", request=older.request))
    assert not dialog.copy.isEnabled()
    beside.answer(events.ReportShown(issue="newer", request=newer.request))
    assert "newer" in dialog.page.toPlainText()
    assert dialog.copy.isEnabled()
