"""What the tests of the window share: a small jar made of events, ways to wait."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from pathlib import Path

from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.graph.legend import _GAP, Legend
from app.user_settings import UserSettings
from app.window.main_window import MainWindow
from core.protocol import events
from core.protocol.settings import Settings

NEEDS_MAIN = "sh -c 'test -f {classes}/sample/Main.class'"
"""A predicate without Java: interesting as long as one class is there."""


def fill(window: MainWindow, command: str, **more: object) -> None:
    """Fill the run panel."""
    window.parts.run.form.set_settings(Settings(predicate=command, **more))  # type: ignore[arg-type]


def wait_idle(qtbot: QtBot, window: MainWindow) -> None:
    """Wait for the end of a check or a reduction."""
    qtbot.waitUntil(lambda: not window.controller.state.phase.busy)
    assert window.controller.state.phase is EngineState.READY


def best_jar(window: MainWindow) -> Path:
    """The smallest result in the session of the last run: there once the input is vouched for."""
    return Path(window.controller.session or "none") / "best.jar"


def thread_names() -> list[str]:
    """Return the names of this process's threads: Qt names a thread after its class."""
    names = []
    for task in Path("/proc/self/task").iterdir():
        with suppress(OSError):  # the thread has ended meanwhile
            names.append((task / "comm").read_text().strip())
    return names


def open_jar(qtbot: QtBot, window: MainWindow, path: Path) -> None:
    """Open a jar and wait until its graph is drawn."""
    window.commands.file.open_paths([str(path)])
    qtbot.waitUntil(lambda: set(window.parts.graph.scenes) == {"packages", "components"})


def reopened(qtbot: QtBot, window: MainWindow, path: Path) -> MainWindow:
    """Open a jar in a window that was used before, as if it were the first; the graph is drawn, as packages."""
    parts, before = window.parts, window.controller.state.jar
    parts.search.field.clear()
    parts.graph.show_view("packages")
    window.commands.file.open_paths([str(path)])
    qtbot.waitUntil(lambda: window.controller.state.jar is not before)
    qtbot.waitUntil(lambda: set(parts.graph.scenes) == {"packages", "components"})
    return window


def small_jar() -> tuple[events.Opened, list[events.Layout]]:
    """Six classes in two packages: A needs B; B, C and D form a cycle; D needs E; F stands alone.

    A resource is item 6. ``pixels``: nodes are 60 x 20 and 100 apart, so that a test can aim at them.
    """
    names = ["p/A", "p/B", "p/C", "q/D", "q/E$Inner", "q/F", "q/data.txt"]
    opened = events.Opened(
        paths=["small.jar"],
        title="small.jar",
        bytes=2800,
        classes=6,
        kinds=["class"] * 6 + ["resource"],
        names=names,
        sizes=[100, 200, 300, 400, 500, 600, 700],
        components=[0, 1, 1, 1, 2, 3, -1],
        component_count=4,
        edges=[0, 1, 1, 2, 2, 3, 3, 1, 3, 4, 0, 0],
        pinned=[],
        warnings=[],
        unresolved=0,
        seconds=0.1,
    )
    components = events.Layout(
        view="components",
        rects=[
            *(100.0, 0, 60, 20),
            *(0, 100, 60, 20),
            *(100, 100, 60, 20),
            *(200, 100, 60, 20),
            *(100, 200, 60, 20),
            *(300, 0, 60, 20),
            *(0, 0, 0, 0),
        ],
        boxes=[-10.0, 90, 280, 40, 1],
    )
    packages = events.Layout(
        view="packages",
        rects=[0.0, 0, 120, 50, 0, 120, 120, 50],
        labels=["p", "q"],
        members=[0, 0, 0, 1, 1, 1, -1],
    )
    return opened, [packages, components]


def after_a_crash(qtbot: QtBot, window: MainWindow) -> MainWindow:
    """Kill the engine and open the program again: its window, with what was interrupted opened and "Start" offered."""
    pid = window.controller.client.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.DEAD)
    again = MainWindow(UserSettings(window.settings.path))
    qtbot.addWidget(again, before_close_func=lambda _: again.controller.shut_down())
    again.show()
    qtbot.waitUntil(lambda: "was interrupted" in again.parts.messages.text.text())
    again.parts.messages.action_button.click()
    qtbot.waitUntil(lambda: again.parts.messages.action_button.text() == "Start")
    return again


def width_of_states(legend: Legend) -> int:
    """Return the pixels that the states of a legend, or the colours instead of them, take."""
    metrics = QFontMetrics(legend.font())
    return sum(entry.width(metrics) for entry in legend._states()) - 2 * _GAP


def entries_of(menu: QMenu) -> dict[str, QAction]:
    """Return the entries of a menu by their words, without accelerators and shortcuts."""
    return {action.text().partition("\t")[0].replace("&", ""): action for action in menu.actions()}
