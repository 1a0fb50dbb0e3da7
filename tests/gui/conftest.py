"""The real window with the real engine, off screen; nothing may be left running after a test."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.gui_helpers import thread_names

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120_000
"""Milliseconds after which a wait is given up."""

sys.path.insert(0, str(ROOT / "packaging"))


def child_processes() -> set[int]:
    """Living processes that this one started."""
    found: set[int] = set()
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError):  # a thread that ended meanwhile
            found.update(int(word) for word in (task / "children").read_text().split())
    return found


@pytest.fixture(autouse=True)
def _nothing_left_running(own_places: None) -> Iterator[None]:
    before = child_processes()
    yield
    deadline = time.monotonic() + PATIENCE / 1000
    while (child_processes() - before or "Reader" in thread_names()) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not child_processes() - before, "a process was left behind"
    assert "Reader" not in thread_names(), "a thread was left behind"


@pytest.fixture(scope="session")
def sample_jar(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample, built from its sources."""
    import build_sample

    if build_sample.is_fresh(build_sample.JAR):
        return Path(build_sample.JAR)
    jar = tmp_path_factory.mktemp("sample") / "sample.jar"
    build_sample.build(jar)
    return jar


class PatientBot(QtBot):
    """A bot whose waits end by what they wait for: a deadline only ends what will never come, on any machine."""

    def waitUntil(self, callback: Callable[[], object], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=max(timeout, PATIENCE))

    def waitSignal(self, signal: object, *, timeout: int = PATIENCE, **more: Any) -> Any:
        return super().waitSignal(signal, timeout=max(timeout, PATIENCE), **more)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> QtBot:
    """pytest-qt's, with patience."""
    return PatientBot(request)


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    """A fresh main window with settings of its own, shown."""
    made = MainWindow(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    # before pytest-qt closes it: a reduction under way would make it ask
    qtbot.addWidget(made, before_close_func=lambda _: made.controller.shut_down())
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made
