"""Sessions in the window: nothing of them runs before the user has seen the command and pressed a button."""

from __future__ import annotations

from pathlib import Path

import pytest
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
