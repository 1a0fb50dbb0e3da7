"""What can go wrong around a run in the window: a full disk, a jar that disappears, a command that crashes."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.window.main_window import MainWindow
from tests.support.gui_helpers import best_jar, fill, open_jar, wait_idle

TALKS = "sh -c 'sleep 0.05; head -c 20000 /dev/urandom | base64; test -f {classes}/sample/Main.class'"
"""Interesting as long as one class is there; what it prints is kept with the verdict."""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 1 MiB."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    yield place
    subprocess.run(["umount", "-l", place], check=True)


@pytest.fixture
def state_on_small_disk(small_disk: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(small_disk))
    return small_disk


def fill_up(place: Path) -> Path:
    """A file that takes all the room there is."""
    path = place / "filler"
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            return path


def classes_in(path: Path) -> set[str]:
    with zipfile.ZipFile(path) as jar:
        assert jar.testzip() is None
        return {name for name in jar.namelist() if name.endswith(".class")}


def test_the_disk_of_the_session_gets_full_in_the_middle(
    qtbot: QtBot,
    state_on_small_disk: Path,
    window: MainWindow,
    sample_jar: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    open_jar(qtbot, window, sample_jar)
    state = window.controller.state
    fill(window, TALKS, algorithm="ddmin", granularity="class")
    window.commands.reduce.start()
    # until the rest of the check has vouched for the input, nothing is written
    qtbot.waitUntil(lambda: len(state.steps) > 1 and best_jar(window).exists())
    filler = fill_up(state_on_small_disk)
    wait_idle(qtbot, window)
    words = window.parts.messages.text.text()
    assert window.parts.messages.kind == "error"
    assert "disk" in words or "No space left" in words
    assert window.parts.pages.currentWidget() is window.parts.centre
    session = Path(window.controller.session)
    assert "sample/Main.class" in classes_in(session / "best.jar"), "the best so far is whole"

    target = tmp_path / "best.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(target.exists)
    assert "sample/Main.class" in classes_in(target)
    assert len(classes_in(target)) == state.best().classes, "what the window shows is what it writes"
    target = state_on_small_disk / "other.jar"
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(lambda: window.parts.messages.kind == "error")
    assert "other.jar" in window.parts.messages.text.text()
    assert not target.exists()

    filler.unlink()
    probes = state.executed
    window.commands.reduce.start()
    assert window.commands.reduce.question is not None
    window.commands.reduce.question.over_button.click()
    qtbot.waitUntil(lambda: state.cached > 0)
    wait_idle(qtbot, window)
    assert state.finished is not None
    assert state.finished.classes == 1
    assert probes
    assert window.controller.session == str(session), "the run went on in its session"


def test_a_jar_that_disappears_while_it_is_opened_is_told(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    copy = tmp_path / "copy.jar"
    shutil.copyfile(sample_jar, copy)
    pid = window.controller.client.pid
    assert pid is not None
    os.kill(pid, signal.SIGSTOP)
    window.commands.file.open_paths([str(copy)])
    copy.unlink()
    os.kill(pid, signal.SIGCONT)
    qtbot.waitUntil(lambda: "copy.jar" in window.parts.messages.text.text())
    assert window.parts.messages.kind == "error"
    assert window.controller.state.phase is EngineState.READY, "the jar that was open stays"
    assert window.parts.pages.currentWidget() is window.parts.centre


@pytest.mark.guarded
def test_a_jar_that_disappears_during_a_run_does_not_matter(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, target = tmp_path / "copy.jar", tmp_path / "out.jar"
    shutil.copyfile(sample_jar, copy)
    open_jar(qtbot, window, copy)
    state = window.controller.state
    fill(window, "sh -c 'sleep 0.03; test -f {classes}/sample/Main.class'", algorithm="ddmin", granularity="class")
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: len(state.steps) > 1)
    copy.unlink()
    wait_idle(qtbot, window)
    assert state.finished is not None
    assert state.finished.reason == "done"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.commands.export.export_jar()
    qtbot.waitUntil(target.exists)
    assert classes_in(target) == {"sample/Main.class"}
    session = window.controller.session
    window.controller.open_session(session)
    qtbot.waitUntil(lambda: "not there any more" in window.parts.messages.text.text())
    assert str(copy) in window.parts.messages.text.text()
    assert state.phase is EngineState.READY


@pytest.mark.slow
def test_a_command_that_crashes_is_an_answer_like_others(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    state = window.controller.state
    fill(window, "sh -c 'kill -SEGV $$'")
    window.commands.reduce.check()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: "does not fail" in window.parts.messages.text.text())
    assert "signal 11" in window.parts.messages.text.text() + window.parts.probes.output.toPlainText()

    script = tmp_path / "check.sh"
    script.write_text('test -f "$1/sample/Main.class" || kill -SEGV $$\nsleep 0.05\n')
    fill(window, f"sh {script} {{classes}}", algorithm="ddmin", granularity="class")
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: any("signal" in probe.detail for probe in state.probes))
    qtbot.waitUntil(lambda: len(state.steps) > 1 and best_jar(window).exists())
    script.unlink()  # from here on every run fails, and with another exit code
    wait_idle(qtbot, window)
    assert state.finished is not None or window.parts.messages.kind == "error"
    assert state.phase is EngineState.READY
    assert "sample/Main.class" in classes_in(Path(window.controller.session) / "best.jar")
