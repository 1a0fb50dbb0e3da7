"""Sessions in the window: nothing of them runs before the user has seen the command and pressed a button."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.user_settings import UserSettings
from app.window.main_window import MainWindow
from core.archive.jar import read_jar
from core.store import retention
from core.store.session import Session
from tests.support.gui_helpers import open_jar

COMMAND = "sh -c 'touch {trap}; test -f $JARLET_CLASSES/sample/Main.class' <b>{{jar}}</b>"


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """A file that the command of the session makes when it is run."""
    return tmp_path / "it-was-run"


@pytest.fixture
def left_open(sample_jar: Path, trap: Path) -> Path:
    """A session that was interrupted."""
    settings = {"predicate": COMMAND.format(trap=trap), "algorithm": "ddmin", "granularity": "class"}
    with Session.create(retention.fresh_place("sample.jar"), read_jar([sample_jar]), settings) as folder:
        (folder.path / "best.jar").write_bytes(sample_jar.read_bytes())
        return folder.path


def test_an_interrupted_session_runs_only_at_a_button_beside_its_command(
    qtbot: QtBot, left_open: Path, trap: Path, tmp_path: Path
) -> None:
    window = MainWindow(UserSettings(str(tmp_path / "settings.ini")))
    qtbot.addWidget(window, before_close_func=lambda _: window.controller.shut_down())
    window.show()
    qtbot.waitUntil(lambda: "was interrupted" in window.parts.messages.text.text())
    window.parts.messages.action_button.click()
    shows_the_command_and_waits(qtbot, window, trap)
    window.parts.messages.action_button.click()
    qtbot.waitUntil(trap.exists)
    window.commands.reduce.stop()
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.READY)


@pytest.mark.guarded
def test_an_opened_session_waits_too(
    qtbot: QtBot, sample_jar: Path, left_open: Path, trap: Path, window: MainWindow
) -> None:
    open_jar(qtbot, window, sample_jar)
    window.parts.run_dock.hide()
    window.commands.file.open_paths([str(left_open)])
    shows_the_command_and_waits(qtbot, window, trap)
    assert window.parts.run_dock.isVisible(), "the command and its button are seen"


def test_a_session_with_odd_settings_is_a_sentence(
    qtbot: QtBot, sample_jar: Path, left_open: Path, window: MainWindow
) -> None:
    open_jar(qtbot, window, sample_jar)
    path = left_open / "settings.json"
    path.write_text(path.read_text().replace('"ddmin"', "[7]"))
    window.commands.file.open_paths([str(left_open)])
    qtbot.waitUntil(lambda: "algorithm must be a text" in window.parts.messages.text.text())
    assert window.controller.state.phase is EngineState.READY
    assert window.controller.session == ""


def shows_the_command_and_waits(qtbot: QtBot, window: MainWindow, trap: Path) -> None:
    qtbot.waitUntil(lambda: window.parts.messages.action_button.text() == "Start")
    assert COMMAND.format(trap=trap) in window.parts.messages.text.text(), "as it is, whatever marks it has"
    assert window.parts.run.form.settings().predicate == COMMAND.format(trap=trap)
    qtbot.wait(300)
    assert window.controller.state.phase is EngineState.READY
    assert not trap.exists()


def test_the_list_of_sessions_opens_shows_and_discards_the_chosen_one(
    qtbot: QtBot, left_open: Path, sample_jar: Path, trap: Path, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Session.create(
        retention.fresh_place("other.jar"), read_jar([sample_jar]), {"predicate": "true {jar}"}
    ) as other:
        (other.path / "best.jar").write_bytes(sample_jar.read_bytes())
    shown: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", shown.append)
    sessions = window.actions_by_id["sessions"]
    sessions.trigger()
    dialog = window.sessions.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.list.count() == 2)
    assert (dialog.note.text(), dialog.open_button.isEnabled()) == ("", True)
    rows = {dialog.list.item(row).toolTip(): row for row in range(2)}
    title = dialog.list.item(rows[str(left_open)]).text()
    assert title.startswith("sample.jar, ")
    assert title.endswith(", interrupted")
    dialog.list.setCurrentRow(rows[str(other.path)])
    QTest.mouseClick(dialog.folder_button, Qt.MouseButton.LeftButton)
    assert [url.toLocalFile() for url in shown] == [str(other.path)]
    assert dialog.isVisible(), "to look at a folder leaves the list"
    QTest.mouseClick(dialog.discard_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: not other.path.exists())
    sessions.trigger()
    qtbot.waitUntil(lambda: dialog.list.count() == 1)
    dialog.list.setFocus()
    QTest.keyClick(dialog.list, Qt.Key.Key_Return)
    shows_the_command_and_waits(qtbot, window, trap)
    assert not dialog.isVisible()


def test_the_list_of_sessions_says_that_there_is_none(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["sessions"].trigger()
    dialog = window.sessions.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.note.text() == "No reduction has been kept yet.")
    buttons = (dialog.open_button, dialog.folder_button, dialog.discard_button)
    assert not any(button.isEnabled() for button in buttons)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    assert window.controller.state.phase is EngineState.EMPTY
    dialog.close_button.click()
    assert not dialog.isVisible()
