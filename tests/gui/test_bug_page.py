"""The page of the bug, which tools fail, and the report, with a real engine and real tools."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.bug.tools_view import CellWish
from app.graph.scene.camera import fitting
from app.window.main_window import MainWindow
from core.predicate.several.decompiling import decompilers as installed
from core.protocol.settings import Settings
from tests.support.files import jar_of, script
from tests.support.gui_helpers import open_jar, wait_idle
from tests.support.java import CompileJava

PROGRAM = {
    "p/Main.java": """package p;
public class Main {
    public static void main(String[] words) { System.out.println(new Rational(words.length).reciprocal()); }
}
""",
    "p/Rational.java": """package p;
public class Rational extends Idle {
    private final int over;
    Rational(int over) { this.over = over; }
    Rational reciprocal() {
        if (over == 0) throw new ArithmeticException("zero has no reciprocal");
        return new Rational(Math.floorDiv(1, over));
    }
}
""",
    "p/Idle.java": "package p; class Idle { Other idle() { return new Other(); } }",
    "p/Other.java": "package p; class Other { int one() { return 1; } }",
    "p/Unused.java": "package p; class Unused { }",
}
"""A program that fails, small enough to be decompiled many times."""
THROWN = """Exception in thread "main" java.lang.ArithmeticException: zero has no reciprocal
\tat p.Rational.reciprocal(Rational.java:6)
\tat p.Main.main(Main.java:3)
"""
CALLED = """Exception in thread "main" java.lang.ArithmeticException: / by zero
\tat java.base/java.lang.Math.floorDiv(Math.java:1175)
\tat p.Rational.reciprocal(Rational.java:7)
\tat p.Main.main(Main.java:3)
"""
CRASH = """unzip -l $1 p/Main.class p/Rational.class >/dev/null || exit 0
cat >&2 <<END
{trace}END
exit 1"""
"""Stack trace as of a run of the program, printed without a JVM."""
needs_decompiler = pytest.mark.skipif(not installed(), reason="no decompiler is installed")


@pytest.fixture
def program(compile_java: CompileJava, tmp_path: Path) -> Path:
    return jar_of(compile_java(PROGRAM, "-g"), tmp_path / "program.jar")


def fill_crash(window: MainWindow, folder: Path, trace: str) -> None:
    """The program's failure as the command, with this trace."""
    command = f"{script(folder, CRASH.format(trace=trace))} {{jar}}"
    window.parts.run.form.set_settings(
        Settings(predicate=command, match="ArithmeticException", expect_exit=1, algorithm="binary", granularity="class")
    )


def reduce_crash(qtbot: QtBot, window: MainWindow, folder: Path) -> None:
    """The program's failure, quickly."""
    fill_crash(window, folder, THROWN)
    window.commands.reduce.start()
    wait_idle(qtbot, window)


@pytest.mark.guarded
def test_all_tools_run_and_a_cell_begins_a_reduction(
    qtbot: QtBot, window: MainWindow, compile_java: CompileJava, tmp_path: Path
) -> None:
    lacking = tmp_path / "lacking"
    shutil.copytree(compile_java(PROGRAM, "-g"), lacking)
    (lacking / "p" / "Idle.class").unlink()
    open_jar(qtbot, window, lacking)
    window.actions_by_id["tools"].trigger()
    view = window.parts.centre.tools
    assert view.blank.isVisible()
    assert not view.table.isVisible(), "there is no empty table"
    with qtbot.waitSignal(view.run_wanted):
        QTest.mouseClick(view.run, Qt.MouseButton.LeftButton)
    assert view.blank.title.text() == "Looking for the installed tools…"
    qtbot.waitUntil(lambda: bool(view.model.tools))
    assert view.table.isVisible()
    assert not view.blank.isVisible()
    assert view.run.text() == "Stop"
    QTest.mouseClick(view.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: view.run.text() == "Run all tools")
    assert "Stopped" in view.note.text()
    ran = view.model.tools[0]
    assert ran.tool == "verify"
    title, wish = view.wishes(1, 1)[0]
    assert wish == CellWish(ran.tool, (), f"chosen {title}")
    view.reduction_wanted.emit(wish)
    settings = window.parts.run.form.settings()
    assert (settings.preset, settings.failures) == (ran.tool, f"chosen {title}")
    assert window.controller.state.phase.reducing
    window.controller.stop()
    wait_idle(qtbot, window)


@pytest.mark.slow
@needs_decompiler
def test_the_page_follows_a_reduction(
    decompilers: None, qtbot: QtBot, window: MainWindow, program: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, program)
    window.actions_by_id["bug"].trigger()
    view = window.parts.centre.bug
    assert view.blank.isVisible()
    reduce_crash(qtbot, window, tmp_path)
    best = window.controller.state.best().classes
    qtbot.waitUntil(lambda: view.page is not None and view.page.classes == best)
    qtbot.waitUntil(lambda: any(view.page.files) and bool(view.page.files[0].right.strip()))
    assert view.page is not None
    failure = view.page.failures[0]
    assert "zero has no reciprocal" in failure.name
    shown = view.page.files[failure.file]
    assert shown.name == "p/Rational.java"
    assert "throw new ArithmeticException" in shown.left.split("\n")[failure.row]
    assert "reciprocal" in shown.right
    assert sorted(view.left._marked) == [failure.row]
    fill_crash(window, tmp_path, CALLED)
    window.commands.reduce.check()
    qtbot.waitUntil(lambda: view.page is not None and "/ by zero" in str(view.page.failures[:1]))
    [row] = sorted(view.left._marked)
    words = view.left.document().findBlockByNumber(row).text()
    assert "Math.floorDiv(1, this.over)" in words, "a frame that calls another method is at the call"


def test_without_source_the_page_has_the_graph_of_what_is_left(
    qtbot: QtBot, window: MainWindow, program: Path, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, program)
    window.actions_by_id["bug"].trigger()
    view = window.parts.centre.bug
    assert not view.graph.isVisible(), "nothing has failed yet"
    reduce_crash(qtbot, window, tmp_path)
    state = window.controller.state
    qtbot.waitUntil(lambda: view.page is not None and view.page.classes == state.best().classes and not view.page.files)
    assert view.graph.isVisible()
    assert view.blank.title.text() == "No source"
    assert view.graph.scene is window.parts.graph.scenes["packages"]
    qtbot.waitUntil(lambda: np.array_equal(view.graph.states, state.states))
    graph = view.graph
    whole = graph.scene.bounds()
    qtbot.waitUntil(lambda: graph.camera == fitting(whole, graph.width(), graph.height()))  # in the room that it has
    window.commands.file.open_paths([str(sample_jar)])
    qtbot.waitUntil(lambda: state.jar.title == sample_jar.name)
    window.parts.graph.stage.set_states(np.zeros(state.jar.items, np.uint8))
    assert not graph.scene.nodes, "the graph of another jar has other classes"


def test_a_report_is_looked_at_copied_and_handed_on(
    qtbot: QtBot, window: MainWindow, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, program)
    assert not window.actions_by_id["report"].isEnabled()
    reduce_crash(qtbot, window, tmp_path)
    beside = window.parts.report
    assert window.parts.centre.bug.isVisible()
    assert beside.isVisible(), "both are in sight at the end"
    qtbot.waitUntil(lambda: beside.copy.isEnabled())
    assert "zero has no reciprocal" in beside.page.toPlainText()
    window.actions_by_id["report"].trigger()
    assert window.commands.report.dialog is not None
    dialog = window.commands.report.dialog.report
    qtbot.waitUntil(lambda: dialog.copy.isEnabled())
    assert "zero has no reciprocal" in dialog.page.toPlainText()
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    issue = QGuiApplication.clipboard().text()
    assert issue.startswith("# Failure on program.jar, reduced")
    assert len(issue) < 65_000
    assert "reproduce" in issue or "#!/bin/sh" in issue
    folder = tmp_path / "handed on"
    monkeypatch.setattr(window.commands.file._chooser, "target", lambda *_: (str(folder), ""))
    with qtbot.waitSignal(window.commands.export.result_written):
        QTest.mouseClick(dialog.folder, Qt.MouseButton.LeftButton)
    assert "Verified" in window.parts.messages.text.text()
    done = subprocess.run(["sh", str(folder / "reproduce.sh")], cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr.splitlines()[-1].startswith("reproduce.sh: exit code 1. Seen: ")
    assert "zero has no reciprocal" in done.stderr
    dialog.close()


def test_without_a_tool_that_has_versions_the_dialog_says_so(qtbot: QtBot, window: MainWindow, program: Path) -> None:
    open_jar(qtbot, window, program)
    window.parts.run.form.set_settings(Settings(predicate="true {jar}"))
    window.actions_by_id["bug"].trigger()
    bug = window.parts.centre.bug
    assert not bug.versions.isEnabled(), "there is no failure yet"
    window.commands.reduce.check()
    assert "once it is known" in bug.blank.words.text()
    qtbot.waitUntil(bug.versions.isEnabled)
    QTest.mouseClick(bug.versions, Qt.MouseButton.LeftButton)
    dialog = window.commands.beside.versions
    assert dialog is not None
    assert "For a command of yours the command line takes the tool" in dialog.blank.words.text()
    assert not dialog.every.isEnabled(), "there is nothing to run"


@pytest.mark.slow
def test_the_page_looks_for_source_and_the_file_menu_writes_a_test(
    decompilers: None, qtbot: QtBot, window: MainWindow, program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, program)
    window.parts.run.form.set_settings(Settings(predicate="true"))
    window.actions_by_id["bug"].trigger()
    bug = window.parts.centre.bug
    window.commands.reduce.check()
    qtbot.waitUntil(bug.java.isEnabled)
    QTest.mouseClick(bug.java, Qt.MouseButton.LeftButton)
    dialog = window.commands.beside.source
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.stop.isEnabled())
    assert dialog.page.toPlainText(), dialog.sentence.text()
    target = tmp_path / "made"
    monkeypatch.setattr(window.commands.file._chooser, "target", lambda *_: (str(target), ""))
    dialog.projects.setCurrentIndex(dialog.projects.findData("jtreg"))
    with qtbot.waitSignal(window.commands.export.result_written):
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
    assert (target / "README-reduced.md").is_file()
    dialog.close()
