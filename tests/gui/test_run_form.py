"""The run form: every field reaches the engine, and comes back from a session."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import RunState
from app.panels.form.failure_fields import wanted_text
from app.panels.form.fields import choose
from app.panels.form.predicate_fields import OWN, grouped
from app.panels.form.run_form import RunForm
from app.panels.form.run_panel import RunPanel
from app.theme.style import sheet
from app.theme.theme import LIGHT
from core.predicate import presets
from core.protocol import events
from core.protocol.questions.choosing import ListAlgorithms
from core.protocol.run_words import NO_NAMES, demand_parts
from core.protocol.settings import Settings
from core.service.aims import condition_of
from core.service.queries.choices import list_algorithms, presets_known
from tests.support.gui_helpers import small_jar
from tests.support.rows import rows

PROCYON = events.OfferedPreset(
    "procyon", "Procyon, then javac", "Decompiles.", (), "Procyon is not installed.", True, True, False
)
MAIN = events.OfferedSetting("main", "the class", True, "")
RUN = events.OfferedPreset("run", "Run a main class", "Runs.", (MAIN,), names_failures=True)
PRESETS = events.Presets([PROCYON, RUN])
ALGORITHMS = events.Algorithms(
    [
        events.OfferedAlgorithm("auto", "A", "a", True, "Usual"),
        events.OfferedAlgorithm("gbr", "G", "g", False, "Usual"),
        events.OfferedAlgorithm("ddmin", "D", "d", True, "Others"),
    ],
    "auto",
)


@pytest.fixture
def form(qtbot: QtBot) -> RunForm:
    made = RunForm()
    qtbot.addWidget(made)
    made.what.set_presets(PRESETS)
    made.search.set_algorithms(ALGORITHMS)
    made.show()
    return made


@rows(
    "settings",
    [
        Settings(predicate="./x {jar}", expect_exit=3, match="a", no_match="b", algorithm="ddmin", jobs=4),
        Settings(predicate="x", preserve=frozenset({"err", "exit", "out"}), timeout=7.5, memory=512, time_limit=60.0),
        Settings(predicate="x", failures_as="traces", failures="chosen a, b, no new kinds", max_probes=9),
        Settings(predicate="x", failures_as="traces", failures="kinds but a\nb"),
        Settings(predicate="x", expect_exit=0, failures_as="none"),
        Settings(predicate="x", failures_as="E: (.*)", failures="at least", classpath=("/a.jar", "/b.jar")),
        Settings(preset="run", options={"main": "a.Main"}, failures="same", granularity="member", validity="jvm"),
        Settings(predicate="x", expect_exit=0, algorithm="auto", thorough=True),
        Settings(predicate="x", expect_exit=0, jdk="25"),
        Settings(predicate="x", expect_exit=1, also_interesting=101),
        Settings(predicate="x", expect_exit=-11, match="SIGSEGV"),
        Settings(predicate="x", match="a"),
        Settings(predicate="x"),
        Settings(predicate="x", expect_exit=0, algorithm="gbr", classic=True, evidence=False),
    ],
)
def test_what_is_filled_in_is_what_the_engine_gets(form: RunForm, settings: Settings) -> None:
    form.set_settings(settings)
    wanted, sent = settings.to_json(), form.settings().to_json()
    assert {name: (wanted[name], sent[name]) for name in wanted if wanted[name] != sent[name]} == {}
    assert Settings.from_json(sent) == form.settings()


@pytest.mark.parametrize(
    "settings",
    [
        Settings(predicate="x"),
        Settings(predicate="x", no_match="a"),
        Settings(predicate="x", match="a"),
        Settings(predicate="x", preserve=frozenset({"out"})),
        Settings(predicate="x", failures_as="javac"),
        Settings(predicate="x", failures_as=NO_NAMES),
    ],
)
def test_the_exit_code_that_counts_is_that_of_the_command_line(form: RunForm, settings: Settings) -> None:
    counts = form.counts
    for field, wanted in ((counts.match, settings.match), (counts.no_match, settings.no_match)):
        field.setText(wanted or "")
    counts.same_out.setChecked("out" in settings.preserve)
    choose(counts.reading, settings.failures_as or "")
    counted = "Exit code 0" if condition_of(settings).wanted_exit == 0 else "Any exit code"
    assert counts.exit_rule.currentText() == counted
    assert form.settings().expect_exit is None


def test_the_form_offers_the_agent_where_the_input_runs(qtbot: QtBot, form: RunForm) -> None:
    form.what.set_presets(
        replace(PRESETS, offered=[PROCYON._replace(missing=""), RUN], agent="JaCoCo is not installed.")
    )
    for preset, offered in (("run", True), ("procyon", False), ("", True)):
        form.what.choose(preset)
        assert (form.what.lacking.isVisible(), form.what.fetch.isVisible()) == (offered, offered)
    assert form.what.lacking.text() == "JaCoCo is not installed."
    form.what.command.setPlainText("./check.sh {jar}")
    assert form.problem()[0] == "", "nothing waits for the agent"
    with qtbot.waitSignal(form.what.fetch_wanted) as asked:
        form.what.fetch.click()
    assert asked.args == ["", {}]


def test_a_newer_tool_is_offered_and_waited_for_by_nothing(qtbot: QtBot, form: RunForm) -> None:
    form.what.set_presets(
        replace(PRESETS, offered=[PROCYON._replace(missing="", newer="Procyon 0.5 is installed."), RUN])
    )
    form.what.choose("procyon")
    assert form.what.lacking.text() == "Procyon 0.5 is installed."
    assert form.problem()[0] == ""
    with qtbot.waitSignal(form.what.fetch_wanted) as asked:
        form.what.fetch.click()
    assert asked.args == ["procyon", form.what.options]
    form.what.choose("run")
    assert not form.what.lacking.isVisible()


def test_the_jdks_of_the_machine_are_offered_and_what_is_typed_stays(form: RunForm) -> None:
    form.library.jdk.setEditText("21")
    form.set_presets(replace(PRESETS, jdks=[["17.0.15", "/jvm/17"], ["25.0.3", "/jvm/25"]]))
    box = form.library.jdk
    assert [box.itemText(row) for row in range(box.count())] == ["/jvm/17", "/jvm/25"]
    assert form.settings().jdk == "21"
    box.setCurrentIndex(1)
    assert form.settings().jdk == "/jvm/25"
    form.library.jdk.setEditText("")
    assert form.settings().jdk == ""


def test_a_preset_says_what_it_lacks_and_asks_for_its_settings(qtbot: QtBot, form: RunForm) -> None:
    form.what.choose("procyon")
    assert form.problem()[0] == "Procyon is not installed."
    assert form.what.fetch.isVisible()
    assert not form.counts.isVisible()
    with qtbot.waitSignal(form.what.fetch_wanted) as asked:
        form.what.fetch.click()
    assert asked.args == ["procyon", form.what.options]
    form.what.choose("run")
    words, field = form.problem()
    assert "the class" in words
    assert "The class (required)" in [label.text() for label in form.what.findChildren(QLabel)]
    assert field is form.what.settings["main"]
    form.what.settings["main"].setText("a.Main")
    assert form.problem()[0] == ""
    form.what.choose("")
    form.what.choose("run")
    assert form.what.options == {"main": "a.Main"}, "what was typed is not forgotten"


def test_no_line_of_the_command_is_seen_in_part(form: RunForm) -> None:
    form.setStyleSheet(sheet(LIGHT))
    command = form.what.command
    for line in ("", "a {jar}", "a\nb\nc {jar}"):
        command.setPlainText(line)
        assert not command.verticalScrollBar().isVisible()
    command.setPlainText("a\nb\nc\nd {jar}")
    lines, rest = divmod(command.viewport().height(), command.fontMetrics().lineSpacing())
    assert (lines, rest < 4) == (3, True)


def test_a_preset_has_its_own_demand_until_another_is_chosen(form: RunForm) -> None:
    form.what.choose("run")
    form.what.settings["main"].setText("a.Main")
    assert form.failures.isVisible()
    assert form.failures.statement.currentText() == "As the preset says"
    assert form.settings().failures is None
    form.failures.statement.setCurrentIndex(form.failures.statement.findData("same"))
    assert form.settings().failures == "same", "chosen by hand"
    form.what.choose("")
    assert form.failures.statement.findData("") < 0, "a command has no demand of its own"
    form.what.choose("run")
    form.set_settings(Settings(preset="run", options={"main": "b.Main"}))
    assert form.settings().failures is None, "a session that left it open leaves it open"
    form.set_settings(Settings(predicate="x", failures_as="javac"))
    assert form.settings().failures == "kinds"


def test_a_failure_can_be_chosen_once_it_was_met(form: RunForm) -> None:
    form.set_settings(Settings(predicate="x", failures_as="javac"))
    form.failures.offer(["one", "two, no new kinds of it"])
    form.failures.choose("one")
    assert form.settings().failures == "chosen one"
    assert form.failures.chosen.isVisible()
    form.failures.chosen.setEditText("")
    assert "Choose the failure that is to stay" in form.problem()[0]
    form.failures.set_text("kinds but two, no new kinds of it")
    assert form.settings().failures == "kinds but two, no new kinds of it"
    assert form.failures.chosen.isVisible()
    assert not form.failures.no_new.isVisible(), "new kinds never count"
    form.failures.chosen.setEditText("")
    assert "Choose the failure that is to go" in form.problem()[0]


def test_wanted_failures_are_written_and_read(form: RunForm) -> None:
    for parts in (
        ("kinds", "", False),
        ("kinds but", "a\nb", False),
        ("kinds at least", "", False),
        ("kinds at least but", "a", False),
        ("same", "", False),
        ("at least", "", True),
        ("chosen", "a, b", True),
    ):
        assert demand_parts(wanted_text(*parts)) == parts
    assert demand_parts("same")[1] == ""
    for text in ("exceptions, else kinds", "kinds but a", "at least, no new kinds"):
        form.failures.set_text(text)
        assert form.failures.text == text


def test_an_algorithm_that_needs_members_offers_no_whole_classes(form: RunForm) -> None:
    search = form.search
    search.granularity.setCurrentIndex(search.granularity.findData("class"))
    form.search.choose_algorithm("gbr")
    assert search.granularity.currentData() == "member"
    form.search.choose_algorithm("closures/wprobdd")
    assert form.settings().algorithm == "closures/wprobdd"


def test_a_switch_is_shown_and_counts_where_the_algorithm_reads_it(form: RunForm) -> None:
    search = form.search
    assert not search.algorithm.isVisible(), "nobody needs it for a first reduction"
    form.how.head.click()
    assert search.algorithm.isVisible()
    switches = {name: search.declared.fields[name].widget for name in ("evidence", "rewrite", "thorough", "classic")}
    for name, switch in switches.items():
        switch.setChecked(not getattr(Settings, name))
    read = {"auto": {"evidence", "rewrite", "thorough"}, "gbr": {"evidence", "classic"}, "ddmin": {"classic"}}
    for algorithm, names in read.items():
        form.search.choose_algorithm(algorithm)
        assert {name for name, switch in switches.items() if switch.isVisible()} == names
        settings = form.settings()
        assert {name for name in switches if getattr(settings, name) != getattr(Settings, name)} == names
        changed = len(names) + (algorithm != "auto")
        assert form.how.head.text() == f"Al&gorithm and limits ({changed} set)", "folded settings hold"


def test_a_line_of_words_is_a_setting_of_several_where_the_algorithm_reads_it(form: RunForm) -> None:
    form.how.head.click()
    line = form.search.declared.fields["begin_with"].widget
    line.setText(" a.B  a.C$D ")
    assert line.isVisible()
    assert form.settings().begin_with == ("a.B", "a.C$D")
    form.search.choose_algorithm("ddmin")
    assert not line.isVisible()
    assert form.settings().begin_with == ()
    form.search.declared.fill(Settings(begin_with=("x.Y", "Z")))
    assert line.text() == "x.Y Z"


def turn_wheel(field: QWidget) -> None:
    at = QPointF(field.width() / 3, field.height() / 2)
    QApplication.sendEvent(
        field,
        QWheelEvent(
            at,
            field.mapToGlobal(at),
            QPoint(),
            QPoint(0, -120),
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        ),
    )


def test_the_wheel_changes_a_field_only_where_the_keyboard_is(qtbot: QtBot, form: RunForm) -> None:
    jobs, algorithm = form.search.jobs, form.search.algorithm
    jobs.setValue(5)
    form.how.head.click()
    qtbot.waitExposed(form)
    form.activateWindow()
    form.command.setFocus()
    turn_wheel(jobs)
    turn_wheel(algorithm)
    assert jobs.value() == 5
    assert algorithm.currentData() == "auto"
    jobs.setFocus()
    qtbot.waitUntil(jobs.hasFocus)
    turn_wheel(jobs)
    assert jobs.value() == 4


def test_the_buttons_stay_where_they_are_and_the_card_shows_large_jars_whole(qtbot: QtBot) -> None:
    panel, state = RunPanel(), RunState()
    qtbot.addWidget(panel)
    panel.resize(panel.minimumWidth(), 700)
    opened, _ = small_jar()
    state.apply(OpenedJar(replace(opened, classes=12_345)))
    panel.show_phase(state)
    panel.show()
    qtbot.waitExposed(panel)
    before = panel.start.geometry()
    panel.best.figure.setText("12,345 of 12,345 classes")
    panel.status.setText("A sentence of the check that takes several lines in so narrow a panel. " * 3)
    qtbot.waitUntil(lambda: panel.best.figure.height() >= panel.best.figure.heightForWidth(panel.best.figure.width()))
    assert panel.start.geometry() == before
    assert panel.best.figure.width() <= panel.width()


def test_every_preset_of_ours_has_a_group() -> None:
    ours = [path.stem for path in presets.OURS.glob("*.toml")]
    own = dict(grouped([*sorted(ours), "mine"]))[OWN]
    assert own == ["command", "mine"]


def test_a_tool_is_named_by_its_coordinate_and_downloaded_with_its_arguments_at_hand(
    qtbot: QtBot, form: RunForm
) -> None:
    form.what.set_presets(presets_known())
    form.what.choose("tool")
    assert form.problem()[1] is form.what.settings["tool"]
    form.what.settings["tool"].setText("org.benf:cfr:0.150")
    form.what.settings["arguments"].setText("{jar} --outputdir {out}")
    assert form.problem()[0] == ""
    with qtbot.waitSignal(form.what.fetch_wanted) as asked:
        form.what.fetch.click()
    told = {"tool": "org.benf:cfr:0.150", "arguments": "{jar} --outputdir {out}", "main": "", "pattern": ""}
    assert asked.args == ["tool", told]
    assert form.settings().options == {name: words for name, words in told.items() if words}


def test_algorithms_stand_in_three_groups_under_headings_that_cannot_be_chosen(qtbot: QtBot) -> None:
    made = RunForm()
    qtbot.addWidget(made)
    made.search.set_algorithms(list_algorithms(None, ListAlgorithms()))  # type: ignore[arg-type]
    box = made.algorithm
    rows = [(box.itemText(row), box.model().item(row).isEnabled()) for row in range(box.count())]  # type: ignore[attr-defined]
    headings = [title for title, chosen in rows if not chosen]
    assert headings == ["Recommended", "Fewer runs", "From the literature"]
    assert [title for title, _ in rows[:4]] == ["Recommended", "Automatic", "Simplify", "Fewer runs"]
    assert box.currentData() == "auto"
