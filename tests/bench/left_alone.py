"""A long run in the real window, left alone: ``python -m tests.bench.left_alone JAR --command COMMAND --hours 2``.

The program opens the jar in a window on the display, starts a reduction, and touches nothing until the reduction ends
or the hours are over. Every 30 s it prints a row: memory, threads and open files of the window and of its engine, the
longest gap of the window's event loop since the last row (:mod:`tests.bench.stalls`: all of it, without waiting for a
processor, and the window's own work), files and folders in the folder for temporary files, the size of the session, and
the rows of the list of runs.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import psutil
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.user_settings import UserSettings
from app.window.application import be_calm
from app.window.main_window import MainWindow
from core.protocol.settings import Settings
from tests.bench.stalls import Clock, Gap, Watch

EVERY = 30.0
"""Seconds between two rows."""
HEAD = (
    "minutes", "runs", "steps", "classes", "window MB", "threads", "files", "engine MB", "threads", "files",
    "processes", "gap ms", "ours ms", "own ms", "temporary", "session MB", "list rows",
)  # fmt: skip


class Watcher:
    """The rows about one window."""

    def __init__(self, window: MainWindow, folder: Path) -> None:
        self._window, self._folder, self._begun = window, folder, time.monotonic()
        self._clock = Clock(Watch(0))
        self._clock.start()
        self._ticks = QTimer()
        self._ticks.setTimerType(Qt.TimerType.PreciseTimer)
        self._ticks.timeout.connect(self._clock.tick)
        self._ticks.start(10)
        print("| " + " | ".join(HEAD) + " |\n|" + "---:|" * len(HEAD), flush=True)

    def row(self) -> None:
        """Print what holds now, and the longest gap since the last row."""
        state, parts = self._window.controller.state, self._window.parts
        gaps = self._clock.gaps or [Gap(0.0, 0.0, 0.0)]
        longest = (f"{1000 * max(getattr(gap, part) for gap in gaps):.0f}" for part in ("late", "ours", "own"))
        engine = psutil.Process(self._window.controller.client.pid)
        cells = (
            f"{(time.monotonic() - self._begun) / 60:.1f}", state.executed, len(state.steps), state.best().classes,
            *_figures(psutil.Process()), *_figures(engine), len(engine.children(recursive=True)),
            *longest, len(list((self._folder / "tmp").iterdir())),
            f"{_bytes(self._folder / 'state') / 1e6:.1f}", parts.probes.model.rowCount(),
        )  # fmt: skip
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
        self._clock.start()


def _figures(process: psutil.Process) -> tuple[str, int, int]:
    """Return memory in MB, threads and open files."""
    return f"{process.memory_info().rss / 1e6:.0f}", process.num_threads(), process.num_fds()


def _bytes(folder: Path) -> int:
    sizes = []
    for path in folder.rglob("*"):
        try:
            sizes.append(path.stat().st_size)
        except OSError:
            continue
    return sum(sizes)


def until_tools_are_known(window: MainWindow) -> None:
    """Wait until the window can be used."""
    form = window.parts.run.form
    while form.algorithm.count() < 2 or form.what.kind.count() < 3:
        QTest.qWait(20)


def watch(window: MainWindow, folder: Path, jar: str, command: str, seconds: float) -> None:
    """Open, reduce, and print rows until the end."""
    state = window.controller.state
    until_tools_are_known(window)
    watcher = Watcher(window, folder)
    window.commands.file.open_paths([jar])
    while not {"packages", "components"} <= set(window.parts.graph.scenes):
        QTest.qWait(100)
    watcher.row()
    window.parts.run.form.set_settings(Settings(predicate=command))
    window.commands.reduce.start()
    end, following = time.monotonic() + seconds, time.monotonic() + EVERY
    while time.monotonic() < end and state.finished is None:
        QTest.qWait(500)
        if time.monotonic() >= following:
            following += EVERY
            watcher.row()
    watcher.row()
    print(f"\n{window.parts.messages.text.text()}" if state.finished else "\nstill running", flush=True)


def main(arguments: list[str]) -> int:
    """Measure once."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.left_alone")
    parser.add_argument("jar")
    parser.add_argument("--command", required=True)
    parser.add_argument("--hours", type=float, default=2.0)
    parser.add_argument("--picture", help="file for a picture of the window at the end")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="jarlet-alone-") as name:
        folder = Path(name)
        (folder / "tmp").mkdir()
        os.environ["XDG_STATE_HOME"], os.environ["TMPDIR"] = str(folder / "state"), str(folder / "tmp")
        tempfile.tempdir = None
        be_calm()
        application = QApplication(sys.argv[:1])
        window = MainWindow(UserSettings(str(folder / "settings.ini")))
        window.resize(1280, 760)
        window.show()
        try:
            watch(window, folder, options.jar, options.command, 3600 * options.hours)
            if options.picture:
                window.grab().save(options.picture)
        finally:
            window.controller.shut_down()
            window.hide()
        application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
