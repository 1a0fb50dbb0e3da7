"""Expectations of a program on a desktop: export beside the jar, several windows, a word at the end."""

from __future__ import annotations

import socket
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, QTimer, QUrl
from PySide6.QtWidgets import QApplication, QFileDialog, QMainWindow, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.user_settings import UserSettings
from app.window import instance
from app.window.commands import file_commands
from app.window.commands.leaving import KEPT, LeavingDialog
from app.window.instance import Instance, Several, hand_over
from app.window.main_window import MainWindow
from tests.support.gui_helpers import NEEDS_MAIN, fill, open_jar, wait_idle

ANSWER = LeavingDialog.answer
RATIONAL = "sh -c 'test -f {classes}/sample/number/Rational.class'"


def reduce(qtbot: QtBot, window: MainWindow, jar: Path) -> None:
    open_jar(qtbot, window, jar)
    fill(window, RATIONAL, algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)


@pytest.fixture
def own_jar(sample_jar: Path, tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    copy = tmp_path / "work" / "app.jar"
    copy.write_bytes(sample_jar.read_bytes())
    return copy


@pytest.mark.guarded
def test_an_export_begins_beside_the_jar_and_offers_its_folder(
    qtbot: QtBot, window: MainWindow, own_jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reduce(qtbot, window, own_jar)
    asked: list[str] = []

    def choose(parent: object, title: str, start: str, patterns: str) -> tuple[str, str]:
        asked.append(start)
        return start, ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    window.actions_by_id["export_jar"].trigger()
    target = own_jar.with_name("app-reduced.jar")
    messages = window.parts.messages
    qtbot.waitUntil(lambda: messages.text.text().startswith("Written: "))
    assert asked == [str(target)]
    assert target.exists()
    assert messages.action_button.text() == "Open folder"
    opened: list[QUrl] = []
    monkeypatch.setattr(file_commands.QDesktopServices, "openUrl", opened.append)
    messages.action_button.click()
    assert [url.toLocalFile() for url in opened] == [str(own_jar.parent)]


@pytest.mark.guarded
def test_the_reduced_jar_can_be_dragged_out(qtbot: QtBot, window: MainWindow, own_jar: Path) -> None:
    assert window.parts.run.best.dragged() is None
    reduce(qtbot, window, own_jar)
    data = window.parts.run.best.dragged()
    assert data is not None
    path = Path(data.urls()[0].toLocalFile())
    assert path.name == "app-reduced.jar"
    assert 0 < path.stat().st_size < own_jar.stat().st_size
    assert "Drag" in window.parts.run.best.toolTip()


def test_quit_closes_all_windows(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["new_window"].trigger()
    other = window.several.windows[0]
    assert other.isVisible()
    window.actions_by_id["quit"].trigger()
    assert not window.isVisible()
    qtbot.waitUntil(lambda: not window.several.windows)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (QRect(100, 100, 300, 200), QRect(132, 132, 300, 200)),
        (QRect(100, 100, 700, 700), QRect(132, 132, 668, 668)),
        (QRect(600, 700, 300, 200), QRect(560, 680, 240, 120)),
    ],
    ids=["there is room", "smaller, so that both can be seen", "no smaller than its contents need"],
)
def test_a_second_window_is_on_the_screen_as_a_whole(qtbot: QtBot, frame: QRect, expected: QRect) -> None:
    class Small(QMainWindow):
        def minimumSizeHint(self) -> QSize:
            return QSize(240, 120) - borders

    beside, several = QMainWindow(), Several(Small)
    qtbot.addWidget(beside)
    assert beside.screen().availableGeometry() == QRect(0, 0, 800, 800)
    beside.show()
    qtbot.waitExposed(beside)
    borders = beside.frameGeometry().size() - beside.size()
    beside.resize(frame.size() - borders)
    beside.move(frame.topLeft())
    other = several.open(beside)
    qtbot.waitExposed(other)
    assert other.frameGeometry() == expected
    other.close()


def test_the_first_page_finds_out_which_tools_fail(
    qtbot: QtBot, window: MainWindow, own_jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(own_jar)], ""))
    ran: list[str] = []
    monkeypatch.setattr(window.commands.beside, "run_tools", ran.append)
    window.parts.empty.tools_button.click()
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.READY)
    qtbot.waitUntil(lambda: ran == ["input"])
    assert window.parts.centre.currentWidget() is window.parts.centre.tools
    window.commands.file.open_paths([str(own_jar)])
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.READY)
    assert ran == ["input"], "only once"


def test_the_end_of_a_long_run_is_told_where_the_window_is_not_in_front(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    marked: list[object] = []
    monkeypatch.setattr(QApplication, "alert", lambda who, *_: marked.append(who))
    window.notifier.told.connect(told.append)
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    window.notifier.tell("4 of 64 classes.", 59.0)
    assert told == []
    window.notifier.tell("4 of 64 classes.", 61.0)
    assert told == ["4 of 64 classes."]
    assert marked == [window]
    monkeypatch.setattr(window, "isActiveWindow", lambda: True)
    window.notifier.tell("again", 61.0)
    assert len(told) == 1


def test_the_sentence_in_the_task_bar_brings_the_window_to_the_front(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[tuple[object, ...]] = []
    came: list[bool] = []
    shown: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", lambda: True)
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda _, *words: said.append(words[:2]))
    monkeypatch.setattr(QSystemTrayIcon, "show", lambda tray: shown.append("shown"))
    monkeypatch.setattr(QSystemTrayIcon, "hide", lambda tray: shown.append("hidden"))
    monkeypatch.setattr(window, "isActiveWindow", lambda: False)
    monkeypatch.setattr(window, "activateWindow", lambda: came.append(True))
    window.notifier.tell("4 of 64 classes.", 61.0)
    window.notifier.tell("3 of 64 classes.", 61.0)
    assert said == [("Jarlet", "4 of 64 classes."), ("Jarlet", "3 of 64 classes.")]
    (tray,) = window.findChildren(QSystemTrayIcon)
    assert shown == ["shown", "shown"]
    tray.messageClicked.emit()
    assert came == [True]
    assert shown[2:] == ["hidden"]


def test_a_file_of_a_second_start_opens_in_the_first_program(
    qtbot: QtBot, window: MainWindow, own_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "_place", lambda: tmp_path / "s.socket")
    assert not hand_over([str(own_jar)]), "no program runs"
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(tmp_path / "s.socket"))
    left.close()  # by a program that was killed
    ear = Instance(window.take_paths)
    calls = []
    with socket.socket(socket.AF_UNIX) as second:
        second.connect(str(tmp_path / "s.socket"))
        second.sendall(f'["{own_jar}"]\n'.encode())
        qtbot.waitUntil(lambda: calls.append(1) or window.controller.state.jar.opened)  # type: ignore[func-returns-value]
        assert second.recv(10) == b"taken\n"
    window.take_paths([str(own_jar)])
    assert len(window.several.windows) == 1, "the first window is taken"
    other = window.several.windows[0]
    assert isinstance(other, MainWindow)
    qtbot.waitUntil(lambda: other.controller.state.jar.opened)
    other.close()
    ear.close()
    assert not (tmp_path / "s.socket").exists()


@pytest.mark.guarded
def test_the_chart_is_logarithmic_where_the_range_asks_for_it(qtbot: QtBot, window: MainWindow, own_jar: Path) -> None:
    progress = window.parts.progress
    reduce(qtbot, window, own_jar)
    best, whole = window.controller.state.best(), window.controller.state.steps[0]
    assert best.bytes * 20 < whole.bytes
    assert progress.chart.logarithmic
    progress.logarithmic.click()
    fill(window, NEEDS_MAIN, algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    assert not progress.chart.logarithmic, "the user's choice stays"


@pytest.mark.slow
def test_a_finished_session_is_listed_and_its_jar_exported_without_a_run(
    qtbot: QtBot, window: MainWindow, own_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reduce(qtbot, window, own_jar)
    octets = window.controller.state.best().bytes
    window.close()
    again = MainWindow(UserSettings(window.settings.path))
    qtbot.addWidget(again, before_close_func=lambda _: again.controller.shut_down())
    again.show()
    again.actions_by_id["sessions"].trigger()
    dialog = again.sessions.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    assert dialog.list.item(0).text().startswith("app.jar, ")
    assert dialog.list.item(0).text().endswith("finished")
    assert again.parts.messages.isHidden(), "a finished reduction is not offered to be resumed"
    dialog.open_button.click()
    qtbot.waitUntil(lambda: again.controller.state.phase is EngineState.READY)
    qtbot.waitUntil(lambda: again.actions_by_id["export_jar"].isEnabled())
    target = tmp_path / "kept.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    again.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(target.exists)
    with zipfile.ZipFile(target) as jar:
        assert sum(info.file_size for info in jar.infolist()) == octets
    assert again.controller.state.runs == [], "nothing was run"


def test_a_result_that_was_not_exported_does_not_go_without_a_question(
    qtbot: QtBot, window: MainWindow, own_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LeavingDialog, "answer", ANSWER)
    reduce(qtbot, window, own_jar)
    asked: list[str] = []

    def press(name: str) -> None:
        """Press a button of the question once it is there."""

        def look() -> None:
            for dialog in QApplication.topLevelWidgets():
                if isinstance(dialog, LeavingDialog) and dialog.isVisible():
                    asked.append(dialog.informativeText())
                    getattr(dialog, name).click()
                    return
            QTimer.singleShot(20, look)

        QTimer.singleShot(0, look)

    press("stay_button")
    window.commands.file.open_paths([str(own_jar)])
    assert window.controller.state.phase is EngineState.READY
    (tmp_path / "broken.jar").write_bytes(b"PK")
    window.controller.open([str(tmp_path / "broken.jar")])
    qtbot.waitUntil(lambda: "broken.jar" in window.parts.messages.text.text())
    press("stay_button")
    window.close()
    assert window.isVisible()
    press("stay_button")
    window.parts.steps.table.selectRow(1)
    window.parts.steps.go_on.click()
    assert window.controller.paths == [str(own_jar)]
    assert asked == [KEPT] * 3, "the result is in its session, whatever could not be read since"
    window.parts.steps.table.clearSelection()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "x.jar"), ""))
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil((tmp_path / "x.jar").exists)
    qtbot.waitUntil(lambda: window.parts.messages.text.text().startswith("Written: "))
    window.close()
    assert not window.isVisible(), "nobody is asked once it is exported"


@pytest.mark.guarded
def test_the_smallest_result_of_all_runs_is_named_and_exported(
    qtbot: QtBot, window: MainWindow, own_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reduce(qtbot, window, own_jar)
    state = window.controller.state
    first = state.runs[0].steps[-1]
    fill(window, f"{RATIONAL[:-1]} && test -f {{classes}}/sample/Main.class'", algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: len(state.runs) == 2)
    wait_idle(qtbot, window)
    assert state.runs[1].reduced
    assert state.runs[1].steps[-1].bytes > first.bytes
    said: list[str] = []

    def export(dialog: LeavingDialog) -> str:
        said.append(dialog.text())
        assert "among the steps in the session's folder" in dialog.informativeText(), "the list has the latest one"
        return "export"

    monkeypatch.setattr(LeavingDialog, "answer", export)
    target = tmp_path / "smallest.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.close()
    assert window.isVisible()
    classes = "1 class" if first.classes == 1 else f"{first.classes} classes"
    assert said == [f"The result, {classes} ({first.title}), has not been exported."]
    qtbot.waitUntil(target.exists)
    with zipfile.ZipFile(target) as jar:
        assert sum(info.file_size for info in jar.infolist()) == first.bytes


@pytest.mark.guarded
def test_a_run_without_a_result_keeps_the_one_before(
    qtbot: QtBot, window: MainWindow, own_jar: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reduce(qtbot, window, own_jar)
    fill(window, "sh -c 'cmp -s {jar} nothing'", algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    said: list[str] = []
    monkeypatch.setattr(LeavingDialog, "answer", lambda dialog: said.append(dialog.text()) or "stay")
    window.close()
    assert window.isVisible()
    assert len(said) == 1
    assert "has not been exported" in said[0]


def test_a_script_is_browsed_for_or_made_from_a_template(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    what = window.parts.run.form.what
    script = tmp_path / "my check.sh"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(script), ""))
    what.template.click()
    assert what.command.toPlainText() == f"'{script}' {{jar}}"
    assert script.stat().st_mode & 0o100
    assert 'java -jar /path/to/tool.jar "$1"' in script.read_text()
    plain = tmp_path / "plain.sh"
    plain.write_text("true")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(plain), ""))
    what.browse.click()
    assert what.command.toPlainText() == f"sh {plain} {{jar}}"
