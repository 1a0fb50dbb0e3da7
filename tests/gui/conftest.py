"""The real window with the real engine, off screen; nothing may be left running after a test."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.gui_helpers import thread_names

ROOT = Path(__file__).resolve().parents[2]
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
    deadline = time.monotonic() + 5
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
