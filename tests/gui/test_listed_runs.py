"""What runs in the background, as the window shows and ends it; what a stopped check leaves."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.gui_helpers import fill, open_jar, wait_idle

Processes = Callable[[str], list[int]]


def test_after_a_stopped_check_the_bug_page_runs_nothing(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, processes: Processes
) -> None:
    open_jar(qtbot, window, sample_jar)
    hanging = f"sleep 96{os.getpid()}"
    fill(window, f"sh -c '{hanging}' {{jar}}")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: bool(processes(hanging)))
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)
    window.parts.centre.show_bug()
    qtbot.wait(1000)
    assert not processes(hanging)
    assert window.parts.centre.bug.blank.title.text() == "No failure yet"
    assert "The check was stopped" in window.parts.messages.text.text()
    assert "No smaller jar" not in window.parts.messages.text.text()


@pytest.mark.usefixtures("decompilers")
@pytest.mark.guarded
def test_a_run_in_the_background_is_listed_and_stopped_there(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, processes: Processes
) -> None:
    open_jar(qtbot, window, sample_jar)
    hanging, told = f"sleep 97{os.getpid()}", tmp_path / "checked"
    fill(window, f"sh -c 'test -e {told} && {hanging}; grep -q sample/Main {{jar}}'")
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    told.touch()
    window.parts.centre.show_bug()
    button = window.parts.background
    qtbot.waitUntil(lambda: button.isVisible() and "Source with the failure" in button.text())
    qtbot.waitUntil(lambda: bool(processes(hanging)))
    button.menu().aboutToShow.emit()
    (stop,) = [one for one in button.menu().actions() if "Source with the failure" in one.text()]
    stop.trigger()
    qtbot.waitUntil(lambda: not processes(hanging))
    qtbot.waitUntil(lambda: not button.isVisible())
    assert window.parts.centre.bug.blank.words.text().startswith("Stopped")


def test_one_jar_per_bug_takes_failures_of_the_input_alone(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(window, "true {jar}")
    window.controller.state.met = {"of the input": 0, "met in a candidate": 7}
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "bugs"), ""))
    window.commands.reduce.queue_each(["of the input", "met in a candidate"])
    assert list(window.queue.results) == ["of the input"]
