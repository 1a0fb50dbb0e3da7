"""Nothing old stands beside something new, and every count is of what it names."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.bug.source_view import counterpart
from app.engine.run_state import EngineState, ItemState, Lane, RunState
from app.panels.form.run_panel import probe_words
from app.window.main_window import MainWindow
from core.protocol import events
from core.protocol.settings import Settings
from tests.support.gui_helpers import NEEDS_MAIN, fill, open_jar, wait_idle

HANGS = "sleep 100000"
FOUR = (
    "sh -c 'for n in 1 2 3; do test -f {classes}/fji/I.class && echo BUG one $n; done; "
    "test -f {classes}/sample/number/Rational.class && echo BUG two; exit 0'"
)
SLOW = "sh -c 'sleep 0.05; test -f {classes}/sample/number/Rational.class'"


def smaller(sample_jar: Path, other: Path) -> Path:
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(other, "w") as part:
        for name in whole.namelist():
            if name.startswith("fji/"):
                part.writestr(name, whole.read(name))
    return other


def wait_read(qtbot: QtBot, window: MainWindow) -> None:
    """Wait until a jar is read."""
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.READY)


def test_what_starts_clears_what_was_said(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    messages = window.parts.messages
    fill(window, "./nothere.sh {jar}")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: not messages.isHidden())
    messages.tell("The command does not exist.", "error")
    fill(window, HANGS)
    window.actions_by_id["check"].trigger()
    assert messages.isHidden()
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)
    fill(window, "")
    window.actions_by_id["start"].trigger()
    assert messages.text.text().startswith("Write the command")
    window.parts.run.form.command.setPlainText("true")
    assert messages.isHidden(), "the form lacks it no more"


@pytest.mark.guarded
def test_a_jar_that_is_read_greys_what_is_of_the_last_one(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, SLOW, algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    parts = window.parts
    assert parts.centre.currentWidget() is parts.centre.bug
    assert not parts.messages.isHidden()
    window.commands.file.open_paths([str(smaller(sample_jar, tmp_path / "other.jar"))])
    assert window.controller.state.phase is EngineState.LOADING
    assert parts.messages.isHidden()
    assert parts.run.best.figure.text() == "–"
    assert not any(part.isEnabled() for part in (parts.tree, parts.components, parts.log_tabs, parts.inspector))
    wait_read(qtbot, window)
    assert all(part.isEnabled() for part in (parts.tree, parts.components, parts.log_tabs, parts.inspector))
    assert parts.centre.currentWidget() is parts.graph, "there is no bug yet"


@pytest.mark.guarded
def test_the_command_of_the_sample_goes_with_it(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    form = window.parts.run.form
    window.commands.file.open_sample()
    wait_read(qtbot, window)
    assert "sample.Main" in form.settings().predicate
    assert form.settings().match
    window.commands.file.open_paths([str(sample_jar)])
    wait_read(qtbot, window)
    assert form.settings().predicate == ""
    assert form.settings().match is None
    window.commands.file.open_sample()
    wait_read(qtbot, window)
    form.command.setPlainText("./mine.sh {jar}")
    window.commands.file.open_paths([str(sample_jar)])
    wait_read(qtbot, window)
    assert form.settings().predicate == "./mine.sh {jar}", "what the user wrote stays"


@pytest.mark.guarded
def test_the_chosen_failure_goes_with_its_jar(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    form = window.parts.run.form
    open_jar(qtbot, window, sample_jar)
    qtbot.waitUntil(lambda: form.what.kind.count() > 2)
    form.set_settings(Settings(preset="verify", failures="chosen Rule.java: incompatible types"))
    assert form.settings().failures == "chosen Rule.java: incompatible types"
    window.commands.file.open_paths([str(smaller(sample_jar, tmp_path / "other.jar"))])
    wait_read(qtbot, window)
    assert (form.settings().preset, form.settings().failures) == ("verify", None), "the other jar has no such failure"


def test_a_check_that_is_stopped_is_no_verdict_and_one_that_hangs_has_a_remedy(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    window.hanging.timer.setInterval(50)
    begun = tmp_path / "begun"
    fill(window, f"sh -c 'touch {begun}; {HANGS}'")
    window.actions_by_id["check"].trigger()
    messages = window.parts.messages
    qtbot.waitUntil(begun.exists)
    qtbot.waitUntil(lambda: "A command that waits for input never ends" in messages.text.text())
    assert messages.action_button.text() == "Stop"
    assert messages.other_button.text() == "Set a timeout…"
    messages.other_button.click()
    wait_idle(qtbot, window)
    timeout = window.parts.run.form.limits.fields["timeout"].widget
    assert timeout.hasFocus()
    qtbot.waitUntil(lambda: timeout.visibleRegion().boundingRect() == timeout.rect())
    qtbot.waitUntil(lambda: "the command had not ended. There is no verdict." in messages.text.text())
    assert messages.kind == "info"
    assert window.parts.run.status.text().startswith("Ready.")
    assert window.controller.state.checked is None


def test_a_check_says_which_run_goes_on_and_greys_what_is_of_the_run_before(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    parts = window.parts
    open_jar(qtbot, window, sample_jar)
    fill(window, NEEDS_MAIN, algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    old = (parts.run.best, parts.steps.table, parts.progress.chart, parts.failures.table, parts.report.page)
    assert [part for part in old if not part.isEnabled()] in ([], [parts.failures.table]), "they are of this run"
    first = tmp_path / "first"
    fill(window, f"sh -c 'test -f {first} && {HANGS}; touch {first}; test -f {{classes}}/sample/Main.class'")
    window.actions_by_id["check"].trigger()
    qtbot.waitUntil(lambda: re.search(r"Run \d+ of \d+, whether .+: for ", parts.run.status.text()) is not None)
    assert [part for part in old if part.isEnabled()] == [], "a card, lists and a report of other settings"
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)


@pytest.mark.guarded
def test_one_jar_per_bug_takes_one_of_each_kind_and_counts_its_own(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, FOUR, failures_as="BUG .*", algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    assert "4 failures of 2 kinds" in window.parts.messages.text.text()
    assert window.parts.log_tabs.tabText(3) == "Failures (4)"
    said: list[str] = []
    window.queue.changed.connect(lambda: said.append(window.queue.words))
    for name in ("first", "second"):
        folder = tmp_path / name
        folder.mkdir()
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, folder=folder: (str(folder), ""))
        window.parts.failures.each.click()
        qtbot.waitUntil(
            lambda name=name: f"2 reduced jars written to {tmp_path / name}." in window.parts.messages.text.text()
        )  # type: ignore[misc]
        assert sorted(path.name for path in folder.glob("*.jar")) == ["1.jar", "2.jar"]
    assert "Failure 1 of 2: BUG one 1" in said
    assert "Failure 2 of 2: BUG two" in said


@pytest.mark.guarded
def test_what_was_needed_so_far_survives_a_stop(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    # with one class alone the search may end by itself before it is stopped, and then what is needed is proved
    others = ("command/Help", "eval/Derivative", "text/Token", "unit/Unit", "shell/Shell")
    many = SLOW.removesuffix("'") + "".join(f" -a -f {{classes}}/sample/{name}.class" for name in others) + "'"
    fill(window, many, algorithm="auto", granularity="member", evidence=False)
    state = window.controller.state
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: state.counts()[ItemState.SO_FAR] > 0)
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: "needed so far: " in window.parts.graph.legend.accessibleDescription())


def test_a_probe_is_given_its_own_time() -> None:
    state = RunState(lanes={0: Lane(events.Trying(7, "", 1, 1), since=10.0)})
    assert probe_words(state, 10.4) == "Run 7"
    assert probe_words(state, 11.5) == "Run 7: for 1.5 s"


def test_the_line_on_the_right_is_the_one_that_corresponds() -> None:
    rights = ["Map getInstanceMap(Object o) {", "", "int other = 1;", "    rules = (Map) o.get(null);", "}"]
    assert counterpart("rules = ((Map)o).get(null);", rights, 0) == 3
    assert counterpart("throw new Error();", rights, 1) == -1
