"""What the window says of failures, needs, replays, sizes and libraries is so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QPushButton, QTabWidget
from pytestqt.qtbot import QtBot

from app import text
from app.dialogs.preferences_dialog import PreferencesDialog, load
from app.engine.run_state import RunState
from app.panels.form.run_panel import RunPanel
from app.theme.theme import DARK
from app.window.main_window import MainWindow
from core.protocol import events
from core.words import share
from tests.support.gui_helpers import after_a_crash, best_jar, fill, open_jar, wait_idle
from tests.support.half_program import BUG, MAY_FOLLOW, OF_LIBRARY, compiler, half_program
from tests.support.java import CompileJava
from tests.support.rows import rows
from tests.support.run_events import apply

BUGS = (
    "sh -c 'sleep 0.02; test -f {classes}/fji/I.class && echo BUG one; "
    "test -f {classes}/sample/number/Rational.class && echo BUG two; exit 0'"
)
RATIONAL = "sh -c 'sleep 0.05; test -f {classes}/sample/number/Rational.class'"


@pytest.mark.guarded
def test_the_other_failures_stay_listed_when_one_is_reduced_for(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, BUGS, failures_as="BUG .*", algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    failures = window.parts.failures
    failures.table.selectRow(1)
    failures.keep.click()
    assert window.parts.run.form.settings().failures == "chosen BUG two"
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    assert window.controller.state.best().classes == 1
    assert [(row.name, row.where) for row in failures.model.rows] == [
        ("BUG one", "in the input"),
        ("BUG two", "in the input"),
    ]
    assert failures.each.isEnabled()
    assert window.parts.log_tabs.tabText(3) == "Failures (2)"


@pytest.mark.guarded
def test_needed_is_needed_so_far_until_it_is_proved(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, RATIONAL, algorithm="auto", granularity="member", evidence=False)
    legend, state = window.parts.graph.legend, window.controller.state
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: len(state.steps) > 2)
    told = legend.accessibleDescription()
    assert "needed so far: " in told
    assert "needed: " not in told
    wait_idle(qtbot, window)
    assert state.proved
    assert "needed: 1," in legend.accessibleDescription()
    assert "needed so far" not in legend.accessibleDescription()


@pytest.mark.guarded
def test_a_check_that_passed_is_not_repeated(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    log = tmp_path / "whole"
    whole = "test -f {classes}/fji/I.class && test -f {classes}/sample/Main.class"
    command = f"sh -c '{whole} && echo run >> {log}; test -f {{classes}}/sample/number/Rational.class'"
    open_jar(qtbot, window, sample_jar)
    fill(window, command, algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    runs = log.read_text()
    assert runs
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    assert window.controller.state.reduced
    assert log.read_text() == runs


def test_a_replay_is_told_until_the_first_probe(qtbot: QtBot, state: RunState) -> None:
    panel = RunPanel()
    qtbot.addWidget(panel)
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Counted(0, 3, 0, 0.1))
    panel.show_phase(state)
    assert panel.status.text() == "Replaying 3 answers of earlier runs."
    apply(state, events.Counted(1, 3, 0, 0.2))
    panel.show_progress(state)
    assert "Replaying" not in panel.status.text()


def test_before_the_first_probe_the_clock_goes_on_and_no_figure_is_shown(qtbot: QtBot, state: RunState) -> None:
    panel = RunPanel()
    qtbot.addWidget(panel)
    apply(state, events.Started("binary", 4, 7, 6, 2800))
    panel.show_phase(state)
    panel._since -= 17
    panel.show_progress(state)
    assert panel.status.text().replace("\u00a0", " ").startswith("Looking for evidence: 17")
    assert panel.best.facts.text().replace("\u00a0", " ") == "100.0 % of bytes"
    apply(state, events.Counted(1, 0, 0, 0.2))
    panel.show_progress(state)
    assert "1 run" in panel.best.facts.text().replace("\u00a0", " ")


def test_the_time_left_goes_down_between_events(qtbot: QtBot, state: RunState) -> None:
    panel = RunPanel()
    qtbot.addWidget(panel)
    apply(state, events.Started("binary", 4, 7, 6, 2800), events.Counted(9, 0, 0, 1.0, 0, 20.0, 40.0))
    panel.show_phase(state)
    assert "About 20 to 40 s left" in panel.status.text()
    state.left_told -= 30
    panel.show_progress(state)
    assert "Up to 10 s left" in panel.status.text()


@pytest.mark.guarded
def test_sizes_are_of_unpacked_bytes_everywhere_and_runs_are_those_of_the_report(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    parts, state = window.parts, window.controller.state
    whole = text.size(state.jar.bytes)
    assert parts.run.best.facts.text().replace("\u00a0", " ") == whole
    assert f", {whole}, " in parts.tree.count.text()
    fill(window, RATIONAL, algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    steps, probes = parts.steps.model, parts.probes.model
    titles = [steps.headerData(column, parts.steps.table.horizontalHeader().orientation()) for column in range(6)]
    size = titles.index("Size")
    assert steps.words(0, size) == whole
    left = text.size(state.best().bytes)
    assert steps.words(steps.rowCount() - 1, size) == left
    assert left in [probes.words(row, 2) for row in range(probes.rowCount())]
    left = share(state.best().bytes, state.jar.bytes)
    assert left in parts.messages.text.text()
    assert left in parts.run.best.facts.text().replace("\u00a0", " ")
    assert state.finished is not None
    runs = state.finished.report["probes"]
    assert runs["total"] == runs["check"] + runs["run"] + runs["confirmation"] > runs["run"]
    facts = parts.run.best.facts.text().replace("\u00a0", " ")
    assert text.counted(runs["total"], "run") in facts, "as the report says"


def test_little_is_not_nothing() -> None:
    assert [share(part, 10_000) for part in (0, 1, 6, 3810)] == ["0.0 %", "< 0.1 %", "0.1 %", "38.1 %"]
    assert share(0, 0) == "0 %"


@pytest.mark.guarded
def test_a_missing_library_is_told_although_the_run_works_and_gets_no_jar_of_its_own(
    qtbot: QtBot, window: MainWindow, compile_java: CompileJava, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, half_program(compile_java, tmp_path))
    fill(window, compiler(tmp_path), failures_as="javac", algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    messages, failures = window.parts.messages, window.parts.failures
    assert "1 of 3 errors comes from the missing package org.lib." in messages.text.text()
    qtbot.waitUntil(lambda: messages.action_button.text() == "Add lib.jar")
    results = {row.name: row.result for row in failures.model.rows}
    assert results == {MAY_FOLLOW: "", BUG: "", OF_LIBRARY: "none: of a missing library"}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bugs"), ""))
    failures.each.click()
    qtbot.waitUntil(lambda: f"2 reduced jars written to {tmp_path / 'bugs'}." in messages.text.text())
    assert set(window.queue.results) == {MAY_FOLLOW, BUG}

    failures.each_wanted.emit([OF_LIBRARY])
    assert messages.text.text().startswith("All failures come from a missing library")


def test_a_start_that_fails_says_what_its_check_found(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    panel, messages = window.parts.run, window.parts.messages
    fill(window, "/nowhere/check.sh {jar}")
    panel.check.click()
    wait_idle(qtbot, window)
    assert "does not exist" in messages.text.text()
    panel.form.what.command.setPlainText("sh -c 'echo broken; exit 7'")
    panel.start.click()
    wait_idle(qtbot, window)
    assert panel.status.text() == "Checked: it does not fail."
    assert messages.action_button.text() == "Use exit code 7"
    messages.other_button.click()
    assert "broken" in window.parts.probes.output.toPlainText()
    messages.action_button.click()
    wait_idle(qtbot, window)
    assert panel.status.text().startswith("Checked: it fails each time.")


@pytest.mark.slow
def test_pins_made_during_a_run_survive_a_crash(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, RATIONAL, algorithm="naive", granularity="class")
    window.actions_by_id["start"].trigger()
    state = window.controller.state
    qtbot.waitUntil(lambda: len(state.steps) > 2 and best_jar(window).exists())
    window.pins.toggle(["sample/number/Rational"])
    kept = Path(window.controller.session) / "settings.json"
    qtbot.waitUntil(lambda: json.loads(kept.read_text())["settings"].get("keep") == ["sample/number/Rational"])
    again = after_a_crash(qtbot, window)
    assert again.pins.names == ["sample/number/Rational"]


@rows("page", [0, 1])
def test_every_button_of_the_preferences_has_its_words(qtbot: QtBot, window: MainWindow, page: int) -> None:
    dialog = PreferencesDialog(load(window.settings), None, None, window)
    qtbot.addWidget(dialog)
    tabs = dialog.findChild(QTabWidget)
    assert isinstance(tabs, QTabWidget)
    tabs.setCurrentIndex(page)
    dialog.show()
    buttons = [button for button in dialog.findChildren(QPushButton) if button.isVisible()]
    assert len(buttons) >= 2 + 5 * page
    assert not [button for button in buttons if not button.text() or button.width() < button.sizeHint().width()]


@pytest.mark.guarded
def test_preferences_hold_at_once_and_are_kept(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = window.parts.run.form
    qtbot.waitUntil(lambda: form.algorithm.count() > 1)

    def fill_in(dialog: PreferencesDialog) -> int:
        for name, value in (("theme", "dark"), ("algorithm", "binary"), ("granularity", "member")):
            field = dialog.choices[name]
            field.setCurrentIndex(field.findData(value))
        dialog.jobs.setValue(3)
        return 1

    monkeypatch.setattr(PreferencesDialog, "exec", fill_in)
    window.actions_by_id["preferences"].trigger()
    assert window.appearance.theme is DARK
    settings = form.settings()
    assert (settings.algorithm, settings.granularity, settings.jobs) == ("binary", "member", 3)
    kept = load(window.settings)
    assert (kept.theme, kept.algorithm, kept.granularity, kept.jobs) == ("dark", "binary", "member", 3)
