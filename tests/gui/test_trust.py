"""What the window says holds: of which run and check it is, and what follows from a change of settings."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.window.commands.leaving import StartingDialog
from app.window.main_window import MainWindow
from core.protocol.settings import Settings
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.rows import rows

TWO_BUGS = (
    "sh -c 'test -f {classes}/fji/I.class && echo BUG one; "
    "test -f {classes}/sample/number/Rational.class && echo BUG two; exit 0'"
)
SLOW = "sh -c 'sleep 0.1; test -f {classes}/sample/number/Rational.class'"
RATIONAL = "sh -c 'test -f {classes}/sample/number/Rational.class'"


def check(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)


def start(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)


def press(qtbot: QtBot, window: MainWindow, button: str) -> None:
    """Answer the question whether to continue or to start over."""
    question = window.commands.reduce.question
    assert isinstance(question, StartingDialog)
    assert question.isVisible()
    pressed: QPushButton = getattr(question, button)
    pressed.click()


@pytest.mark.guarded
def test_failures_of_other_settings_are_greyed(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, TWO_BUGS, failures_as="BUG .*")
    check(qtbot, window)
    failures, messages = window.parts.failures, window.parts.messages
    assert [row.name for row in failures.model.rows] == ["BUG one", "BUG two"]
    assert failures.each.isEnabled()
    assert "2 failures of 2 kinds: one of each kind must stay." in messages.text.text()

    window.parts.run.form.library.line.setText(str(sample_jar))
    qtbot.waitUntil(lambda: not failures.each.isEnabled())
    assert not failures.table.isEnabled()
    assert "Run the check again" in failures.note.text()
    assert messages.isHidden(), "what was said of other settings is taken back"
    assert window.parts.run.status.text() == "The settings have changed since the last check."
    window.parts.run.form.library.line.clear()
    qtbot.waitUntil(failures.each.isEnabled)

    fill(window, "sh -c 'echo BUG three'", failures_as="BUG .*")
    window.actions_by_id["check"].trigger()
    assert failures.model.rowCount() == 0, "a check begins with an empty list"
    wait_idle(qtbot, window)
    assert [row.name for row in failures.model.rows] == ["BUG three"]


@pytest.mark.slow
def test_no_list_keeps_what_is_of_another_input(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    parts, state = window.parts, window.controller.state
    rational = parts.tree.model.item_of("sample/number/Rational")
    window.selection.select(rational, None)
    window.parts.show_inspector()
    slow = TWO_BUGS.replace("sh -c '", "sh -c 'sleep 0.1; ")
    fill(window, slow, failures_as="BUG .*", algorithm="naive", granularity="class")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: len(state.steps) > 3)
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: parts.steps.model.rowCount() > 3)
    parts.probes.table.selectRow(0)
    parts.steps.table.selectRow(1)
    assert parts.steps.go_on.isEnabled()
    parts.graph.head.only_left.click()
    parts.search.field.setText("Rational")
    window.pins.toggle(["sample/number/Rational"])
    assert "(2)" in parts.log_tabs.tabText(3)

    other = tmp_path / "other.jar"
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(other, "w") as part:
        for name in whole.namelist():
            if name.startswith("fji/"):
                part.writestr(name, whole.read(name))
    window.commands.file.open_paths([str(other)])
    qtbot.waitUntil(lambda: state.jar.title == "other.jar")
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: parts.inspector.needed_by.topLevelItemCount() == 0)
    steps, failures = parts.steps, parts.failures
    assert not any(one.isEnabled() for one in (steps.now, steps.export, steps.go_on))
    assert not any(one.isEnabled() for one in (failures.keep, failures.too, failures.each))
    assert [part.model.rowCount() for part in (steps, failures, parts.probes)] == [0, 0, 0]
    assert parts.log_tabs.tabText(3) == "Failures"
    assert steps.words.toPlainText() == parts.probes.output.toPlainText() == ""
    assert parts.messages.isHidden()
    assert parts.run.best.figure.text() == "4 classes"
    assert parts.run.status.text().startswith("Ready.")
    assert parts.graph.head.only_left.isHidden()
    assert parts.graph.legend._counts is None
    assert parts.centre.bug.page is None
    assert window.pins.names == []
    assert window.selection.item == -1
    assert not any(window.actions_by_id[name].isEnabled() for name in ("export_jar", "export_bug", "pause", "stop"))
    assert "other.jar" in window.windowTitle()
    assert "of" not in window.windowTitle().split()

    check(qtbot, window)
    assert [row.name for row in failures.model.rows] == ["BUG one"]
    parts.run.form.library.line.setText(str(sample_jar))
    qtbot.waitUntil(lambda: not failures.each.isEnabled())
    check(qtbot, window)
    assert [row.name for row in failures.model.rows] == ["BUG one"]
    assert failures.each.isEnabled()
    assert parts.run.status.text().startswith("Checked")
    assert parts.steps.model.rowCount() == 0, "a check is no run"


@pytest.mark.guarded
def test_nothing_is_written_where_nothing_smaller_was_accepted(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    slow = TWO_BUGS.replace("sh -c '", "sh -c 'sleep 1; ")
    fill(window, TWO_BUGS, failures_as="BUG .*")
    check(qtbot, window)
    fill(window, slow, failures_as="BUG .*")
    window.controller.state.checked_settings = window.parts.run.form.settings()  # the same failures, found more slowly
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bugs"), ""))
    (tmp_path / "bugs").mkdir()
    window.parts.failures.queued.emit(["BUG one", "BUG two"])
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.RUNNING)
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: "No reduced jar was written" in window.parts.messages.text.text())
    assert not list((tmp_path / "bugs").iterdir())
    assert not window.actions_by_id["export_jar"].isEnabled()
    assert window.queue.results == {"BUG one": "stopped before a smaller jar was found", "BUG two": "not started"}


def test_start_asks_and_the_best_of_all_runs_is_exported(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    state, steps = window.controller.state, window.parts.steps
    fill(window, RATIONAL, algorithm="binary", granularity="class")
    start(qtbot, window)
    best = state.best()
    assert "of 64 classes" in window.parts.messages.text.text()
    assert "Run once more, it failed again." in window.parts.messages.text.text()

    fill(window, RATIONAL, algorithm="naive", granularity="class", max_probes=2)
    window.actions_by_id["start"].trigger()
    press(qtbot, window, "over_button")
    wait_idle(qtbot, window)
    assert [run.settings.algorithm for run in state.runs] == ["binary", "naive"]
    assert state.best().bytes > best.bytes, "the second run ended worse"
    assert {steps.model.words(row, 0) for row in range(steps.model.rowCount())} == {"1", "2"}

    targets: list[str] = []

    def target(_parent: object, title: str, *_: object) -> tuple[str, str]:
        targets.append(title)
        return str(tmp_path / f"{len(targets)}.jar"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", target)
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(lambda: "Written" in window.parts.messages.text.text())
    assert targets[-1] == f"Export reduced jar: step {best.probe} of reduction 1"
    assert f"step {best.probe} of reduction 1" in window.parts.messages.text.text()
    steps.table.selectRow(steps.model.rowCount() - 1)
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(lambda: (tmp_path / "2.jar").exists())
    assert "of reduction 2" in targets[-1]
    steps.table.clearSelection()

    fill(window, RATIONAL, algorithm="gbr", granularity="member")
    window.actions_by_id["start"].trigger()
    press(qtbot, window, "continue_button")
    wait_idle(qtbot, window)
    third = state.runs[2].steps
    assert third[1].classes == best.classes, "it goes on from the smallest of all runs"
    assert state.best().bytes < best.bytes


@pytest.mark.guarded
def test_settings_and_pins_are_changed_while_paused(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    state, form = window.controller.state, window.parts.run.form
    qtbot.waitUntil(lambda: form.algorithm.count() > 1)
    fill(window, SLOW, algorithm="naive", granularity="class")
    check(qtbot, window)
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: len(state.steps) > 3)
    window.actions_by_id["pause"].trigger()
    assert form.search.isEnabled()
    assert form.limits.isEnabled()
    assert not form.what.isEnabled(), "what the failure is stays"
    before, jar = state.best(), state.jar
    kept = next(item for item in range(jar.items) if jar.is_class[item] and before.bits(jar.items)[item])
    window.pins.toggle([jar.names[kept]])
    form.search.choose_algorithm("binary")
    form.search.jobs.setValue(2)
    figures: list[str] = []
    window.controller.progressed.connect(lambda: figures.append(window.parts.run.best.figure.text()))
    window.actions_by_id["pause"].trigger()
    qtbot.waitUntil(lambda: len(state.runs) == 2)
    wait_idle(qtbot, window)
    assert figures, "the card is looked at"
    assert f"{jar.classes} of {jar.classes} classes" not in figures, "nor does it show the whole jar meanwhile"
    assert f"{jar.classes} classes" not in figures
    assert state.finished is not None
    settings = Settings.from_json(state.finished.report["settings"])
    assert (settings.algorithm, settings.jobs, settings.keep) == ("binary", 2, (jar.names[kept],))
    assert state.runs[1].steps[1].classes <= before.classes, "from the best so far"
    assert state.cached, "answers are used again"
    assert state.states[kept] != 3


@pytest.mark.guarded
def test_a_replay_says_so_and_its_rows_have_no_number(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    state = window.controller.state
    fill(window, RATIONAL, algorithm="binary", granularity="class")
    start(qtbot, window)
    probes = window.parts.probes.model
    first = len(state.steps)
    window.actions_by_id["start"].trigger()
    press(qtbot, window, "over_button")
    wait_idle(qtbot, window)
    assert state.replayed > 0
    known = [row for row in range(probes.rowCount()) if probes.words(row, 4) == "cache"]
    assert not [row for row in known if probes.words(row, 0)]
    assert len(state.steps) == first
    assert state.steps[-1].probes > 0, "the chart's axis counts answers"


@rows(("command", "button"), [("sh -c 'exit 3'", "Use exit code 3"), ("true", "Show output")])
def test_a_check_offers_what_acts_on_it(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, command: str, button: str
) -> None:
    if not window.controller.state.jar.opened:
        open_jar(qtbot, window, sample_jar)
    fill(window, command)
    check(qtbot, window)
    messages = window.parts.messages
    assert messages.action_button.text() == button
    messages.action_button.click()
    if button.startswith("Use"):
        wait_idle(qtbot, window)
        assert window.parts.run.form.settings().expect_exit == 3
        assert "The whole jar fails" in messages.text.text()
        assert "An empty jar fails too" in messages.text.text(), "the jar is not looked at"
    else:
        assert window.parts.log_tabs.currentWidget() is window.parts.probes
        assert window.parts.probes.output.toPlainText() == "The command wrote nothing."


def test_the_empty_window_offers_what_was_open(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    page = window.parts.empty
    page.show_recent([[str(sample_jar)], ["/nowhere/gone.jar"]])

    def rows() -> list[QToolButton]:
        return [row for row in page.findChildren(QToolButton) if row.isVisible()]

    # what is put into a layout is shown, and what was there goes, once the event loop runs
    qtbot.waitUntil(lambda: [row.text() for row in rows()] == [sample_jar.name])
    rows()[0].click()
    qtbot.waitUntil(lambda: window.controller.state.jar.opened)


def test_every_list_has_a_key_and_down_leads_from_the_filter(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    parts = window.parts
    for name, shown in (
        ("steps", parts.steps),
        ("failures", parts.failures),
        ("probes", parts.probes),
        ("inspector", parts.inspector),
        ("progress", parts.progress),
        ("components", parts.components),
        ("classes", parts.tree),
    ):
        action = window.actions_by_id[f"go_{name}"]
        assert not action.shortcut().isEmpty()
        action.trigger()
        assert shown.isVisible()
        assert not shown.visibleRegion().isEmpty()
    parts.tree.filter.setFocus()
    qtbot.keyClicks(parts.tree.filter, "Rational")
    qtbot.keyClick(parts.tree.filter, Qt.Key.Key_Down)
    assert parts.tree.tree.hasFocus()
    assert parts.tree.tree.currentIndex().isValid()


def test_presets_stand_in_groups(qtbot: QtBot, window: MainWindow) -> None:
    kind = window.parts.run.form.what.kind
    qtbot.waitUntil(lambda: kind.count() > 5)
    rows = [kind.itemText(row) for row in range(kind.count())]
    places = [rows.index(title) for title in ("Decompilers", "Running", "Tools", "Own")]
    assert places == sorted(places)
    assert places[0] == 0
    assert not any(kind.model().item(row).isEnabled() for row in places)  # type: ignore[attr-defined]
    assert kind.currentText() == "Own command"


@pytest.mark.guarded
def test_windows_beside_each_other(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, SLOW, algorithm="naive", granularity="class")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: bool(window.controller.state.steps))
    window.commands.file.open_paths([str(sample_jar)])
    assert window.parts.messages.action_button.text() == "Open in a new window"
    window.parts.messages.action_button.click()
    (other,) = window.several.windows
    assert isinstance(other, MainWindow)
    try:
        qtbot.waitUntil(lambda: other.controller.state.jar.opened)
        assert other.controller.client.pid != window.controller.client.pid
        assert window.controller.state.phase is EngineState.RUNNING, "the reduction goes on"
    finally:
        other.close()
    qtbot.waitUntil(lambda: not window.several.windows)


@pytest.mark.slow
def test_the_time_of_a_probe_goes_on(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'test -f {classes}/sample/Main.class && test -f {classes}/fji/A.class || sleep 6'", timeout=5)
    window.parts.run.form.search.declared.fields["evidence"].write(False)
    window.actions_by_id["start"].trigger()
    status = window.parts.run.status
    qtbot.waitUntil(lambda: ": for 1." in status.text())
    qtbot.waitUntil(lambda: ": for 2." in status.text())
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)


@pytest.mark.guarded
def test_the_chart_has_a_logarithmic_scale_and_hides_marks(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, RATIONAL, algorithm="binary", granularity="class")
    start(qtbot, window)
    panel = window.parts.progress
    pictures = [panel.chart.grab().toImage()]
    for box in (panel.logarithmic, panel.rejected):
        box.click()
        pictures.append(panel.chart.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2]
    assert panel.key.isHidden()


@pytest.mark.guarded
def test_nothing_goes_on_from_a_result_of_which_nothing_can_go(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, RATIONAL, algorithm="auto", granularity="class")
    start(qtbot, window)
    assert window.controller.state.runs[-1].proved
    window.actions_by_id["start"].trigger()
    question = window.commands.reduce.question
    assert isinstance(question, StartingDialog)
    assert question.text().startswith("Done: the smallest result for this failure is ")
    assert question.continue_button not in question.buttons()
    assert question.defaultButton() is question.cancel_button
    question.cancel_button.click()
    assert len(window.controller.state.runs) == 1
    fill(window, RATIONAL, algorithm="auto", granularity="member")
    window.actions_by_id["start"].trigger()
    question = window.commands.reduce.question
    assert isinstance(question, StartingDialog)
    assert question.continue_button in question.buttons(), "a finer search can go on"
    question.cancel_button.click()
