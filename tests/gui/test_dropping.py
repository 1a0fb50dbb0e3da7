"""Files that are dropped on the window, by real events: each gets the right thing, or a sentence."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.window.main_window import MainWindow
from tests.support.files import jar_of
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.java import CompileJava

FAILS = "sh -c 'test -f {classes}/sample/number/Rational.class'"


def drop(window: MainWindow, *files: Path | str, on: QWidget | None = None) -> None:
    """Drag files to a widget (the graph) and drop them there."""
    data = QMimeData()
    data.setUrls([QUrl(one) if isinstance(one, str) else QUrl.fromLocalFile(str(one)) for one in files])
    target = on or window.parts.graph.canvas
    place = QPointF(target.rect().center())
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(place.toPoint(), copy, data, left, none)
    QApplication.sendEvent(target, enter)
    assert enter.isAccepted()
    assert "Drop anywhere in the window" in window.parts.messages.text.text()
    event = QDropEvent(place, copy, data, left, none)
    QApplication.sendEvent(target, event)
    assert event.isAccepted()


def title(window: MainWindow) -> str:
    jar, phase = window.controller.state.jar, window.controller.state.phase
    return jar.title if phase is EngineState.READY else ""


def test_a_jar_then_another_then_a_folder(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, compile_java: CompileJava, tmp_path: Path
) -> None:
    drop(window, sample_jar)
    qtbot.waitUntil(lambda: title(window) == sample_jar.name)
    small = compile_java({"p/Main.java": "package p; public class Main { Other other; }  class Other {}"})
    drop(window, small)
    qtbot.waitUntil(lambda: title(window) == small.name)
    drop(window, sample_jar, on=window.parts.run.form.what.command.viewport())
    qtbot.waitUntil(lambda: title(window) == sample_jar.name)
    assert window.parts.run.form.what.command.toPlainText() == "", "a name of a file is no text for a field"
    folder = tmp_path / "classes"
    folder.mkdir()
    (folder / "empty.txt").write_text("")
    drop(window, folder)
    qtbot.waitUntil(lambda: window.parts.messages.isVisible())
    assert "classes" in window.parts.messages.text.text()


def test_what_is_no_input_gets_a_sentence(window: MainWindow, tmp_path: Path) -> None:
    said = window.parts.messages.text
    for name in ("notes.txt", "check.sh", "a.jar"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / "s.jarlet").mkdir()
    drop(window, tmp_path / "notes.txt")
    assert said.text().startswith("notes.txt is no jar: drop a file that ends in .jar")
    drop(window, tmp_path / "a.jar", tmp_path / "notes.txt")
    assert said.text().endswith("Nothing was opened.")
    drop(window, tmp_path / "a.jar", tmp_path / "s.jarlet")
    assert said.text() == "s.jarlet is a session: drop it alone."
    drop(window, "https://example.org/a.jar")
    assert said.text().startswith("Only files of this computer")
    assert window.controller.state.phase is EngineState.EMPTY
    (tmp_path / "check.sh").chmod(0o755)
    drop(window, tmp_path / "check.sh")
    QTest.mouseClick(window.parts.messages.action_button, Qt.MouseButton.LeftButton)
    assert window.parts.run.form.what.command.toPlainText() == f"{tmp_path}/check.sh {{jar}}"


def test_a_jar_while_a_run_goes(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, FAILS)
    window.actions_by_id["start"].trigger()
    assert window.controller.state.phase.busy
    opened: list[list[str]] = []
    window.commands.file.window_wanted.disconnect()
    window.commands.file.window_wanted.connect(opened.append)
    assert window.actions_by_id["open"].isEnabled()
    drop(window, sample_jar)
    assert "running here" in window.parts.messages.text.text()
    QTest.mouseClick(window.parts.messages.action_button, Qt.MouseButton.LeftButton)
    assert opened == [[str(sample_jar)]]
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)


def test_several_files_that_are_dropped_are_a_class_path(
    window: MainWindow, compile_java: CompileJava, qtbot: QtBot, tmp_path: Path
) -> None:
    classes = compile_java({"a/A.java": "package a; public class A {}", "b/B.java": "package b; class B { a.A a; }"})
    for name in "ab":
        jar_of(classes / name, tmp_path / f"{name}.jar")
    drop(window, tmp_path / "a.jar", tmp_path / "b.jar", classes / "b" / "B.class")
    qtbot.waitUntil(lambda: title(window) == "a.jar + 2")
    jar = window.controller.state.jar
    assert jar.end == "", "the result is a folder of jars"


def test_files_that_are_dragged_over_the_window_are_named_until_they_leave(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(sample_jar))])
    messages = window.parts.messages
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(40, 200), copy, data, left, none))
    assert messages.isVisible()
    assert sample_jar.name in messages.text.text()
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not messages.isVisible()
