"""The end of a reduction says what was found, and doubts it where there is a reason."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from app.window.presenters.run_end import failure_line
from core.predicate.verdict import Outcome, Verdict
from core.renaming import Renaming
from core.report.reduction_report import evidence
from tests.support.files import jar_of
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.java import CompileJava

BUGS = (
    "sh -c 'test -f {classes}/fji/I.class && echo BUG one 1; "
    "test -f {classes}/sample/number/Rational.class && echo BUG two; exit 0'"
)


def start(qtbot: QtBot, window: MainWindow) -> str:
    """Reduce, and return what the bar says."""
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: not window.parts.messages.isHidden())
    return window.parts.messages.text.text()


def buttons(window: MainWindow) -> list[str]:
    messages = window.parts.messages
    return [b.text() for b in (messages.action_button, messages.other_button) if not b.isHidden()]


@pytest.mark.guarded
def test_a_command_that_an_empty_jar_satisfies_is_to_be_changed_and_nothing_goes_on_from_it(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "true", algorithm="binary", granularity="class")
    said = start(qtbot, window)
    assert said.startswith("There is nothing to reduce: an empty jar fails too")
    assert window.parts.messages.kind == "warning"
    assert buttons(window) == ["Change the command"]
    assert window.parts.centre.currentWidget() is window.parts.graph, "there is no bug to look at"
    window.parts.messages.action_button.click()
    assert window.parts.run.form.what.command.hasFocus()
    start(qtbot, window)
    assert window.commands.reduce.question is None, "nobody is asked to go on from nothing"


def test_the_end_names_the_failure_and_how_many_kinds_stay_and_shows_it(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, BUGS, failures_as="BUG .*", failures="chosen BUG two", algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    said = start(qtbot, window)
    assert said.startswith("1 of 64 classes")
    assert "It fails with “BUG two" in said
    assert "(1 of 2 " in said
    assert window.parts.messages.kind == "good"
    assert window.parts.centre.currentWidget() is window.parts.centre.bug


@pytest.mark.guarded
def test_missing_libraries_are_asked_for_with_the_jar_that_has_them_and_the_reduction_can_do_without(
    qtbot: QtBot, window: MainWindow, compile_java: CompileJava, tmp_path: Path
) -> None:
    sources = {
        "org/lib/Thing.java": "package org.lib; public class Thing {}",
        "org/gone/Thing.java": "package org.gone; public class Thing {}",
        "own/A.java": "package own; class A { org.lib.Thing one; org.gone.Thing other; }",
        "own/B.java": "package own; class B {}",
    }
    shutil.copytree(compile_java(sources) / "own", tmp_path / "in" / "own")
    app = jar_of(tmp_path / "in", tmp_path / "app.jar")
    shutil.copytree(compile_java(sources) / "org" / "lib", tmp_path / "lib" / "org" / "lib")
    jar_of(tmp_path / "lib", tmp_path / "lib.jar")
    lines = ["A.java:1: error: package org.lib does not exist", "A.java:2: error: package org.gone does not exist"]
    command = f'sh -c \'test -f {{classes}}/own/A.class && echo "{lines[0]}" && echo "{lines[1]}"\''
    open_jar(qtbot, window, app)
    fill(window, command, failures_as="javac", algorithm="binary", granularity="class")
    said = start(qtbot, window)
    assert said.startswith("2 of 2 errors come from what is missing: package org.gone (1) and package org.lib (1).")
    assert window.parts.messages.kind == "warning"
    assert window.controller.state.finished is None
    qtbot.waitUntil(lambda: buttons(window) == ["Add lib.jar", "Reduce without"])
    window.parts.messages.other_button.click()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: buttons(window) == ["Add lib.jar", "Export jar…"])
    said = window.parts.messages.text.text()
    assert f"{tmp_path / 'lib.jar'} has org.lib." in said
    assert "No jar beside the input or in the local Maven repository has org.gone." in said
    add: QPushButton = window.parts.messages.action_button
    add.click()
    assert window.parts.run.form.library.paths == [str(tmp_path / "lib.jar")]
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: "Still not found in the libraries: org.gone." in window.parts.messages.text.text())


@pytest.mark.guarded
def test_an_answer_that_changes_is_told_with_a_check(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, BUGS, failures_as="BUG .*", algorithm="binary", granularity="class")
    start(qtbot, window)
    finished = window.controller.state.finished
    assert finished is not None
    finished.report["certificate"]["flaky"] = 2
    window.results.run_finished(finished)
    assert "2 answers changed when asked once more" in window.parts.messages.head.text()
    assert window.parts.messages.kind == "warning"
    assert buttons(window) == ["Check again", "Export jar…"]


@pytest.mark.guarded
def test_a_limit_offers_to_go_on(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, BUGS, failures_as="BUG .*", algorithm="auto", granularity="member", evidence=False, max_probes=3)
    said = start(qtbot, window)
    assert said.startswith("The reduction ended at its run limit. ")
    assert window.parts.messages.kind == "warning"
    assert buttons(window) == ["Continue…", "Export jar…"]


@pytest.mark.guarded
def test_the_doubts_of_the_check_are_told_at_the_end(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    app = tmp_path / "app.jar"
    app.write_bytes(sample_jar.read_bytes())
    command = f"sh -c 'test -f {{classes}}/sample/Main.class && ! cmp -s {{jar}} {app}'"
    open_jar(qtbot, window, app)
    fill(window, command, algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    assert window.parts.messages.kind == "warning"
    said = start(qtbot, window)
    assert "may come from the writing" in said
    assert window.parts.messages.kind == "warning"


def test_a_failure_is_named_as_the_result_shows_it_where_merging_gave_its_class_another_name() -> None:
    merged = Renaming({"p/A": "p/B"})
    known = Outcome(Verdict.INTERESTING, 0.1, 1, "", failures=("A.java: bad",))
    assert failure_line({"final": evidence(known, merged)}) == "B.java: bad", "a verdict that was known has no output"
    new = replace(known, shown=("B.java: as it says",))
    assert failure_line({"final": evidence(new, merged)}) == "B.java: as it says"
    assert failure_line({"final": evidence(known)}) == "A.java: bad"
    several = {"failures": ["A.java: bad", "A.java: worse"], "chosen": ["A.java: worse"]}
    assert failure_line({"final": several}) == "A.java: worse", "the one that was chosen, of those that are left"
    thrown = {"failures": [], "stdout": "", "stderr": 'Exception in thread "main" p.Bad: no\n\tat p.A.run(A.java:1)\n'}
    assert failure_line({"final": thrown, "settings": {"match": "p.Bad"}}) == "p.Bad: no"


@pytest.mark.guarded
def test_a_program_that_must_run_is_not_said_to_fail(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    command = "sh -c 'test -f {classes}/sample/Main.class && echo here'"
    fill(window, command, preserve=frozenset({"exit", "out"}), algorithm="binary", granularity="class")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    messages, status = window.parts.messages.text, window.parts.run.status
    assert "The whole jar runs as before (the same exit code" in messages.text()
    assert status.text().startswith("Checked: it runs the same each time.")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: "Run once more, it ran as before." in messages.text())
    assert "fail" not in messages.text()
    assert window.parts.situation == "reduce", "its graph stays in sight"
