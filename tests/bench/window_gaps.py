"""The longest times in which the window's thread hears nothing, by its processor time.

``python -m tests.bench.window_gaps JAR...`` opens jars as one input, looks at its views, finds a text, shows the
longest bytecode, and reduces it for 60 runs. It prints for each way the longest gap in ms of processor time, the gaps
over 50 ms, and where the thread was in the longest one. Other load on the machine does not count. ``--way`` chooses
ways, such as ``views``. Needs no display.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QAbstractEventDispatcher, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.graph.canvas import GraphCanvas
from app.user_settings import UserSettings
from app.window.main_window import MainWindow
from core.protocol.settings import Settings

LONG = 0.05
"""Seconds of processor time from which on a gap is counted."""
_SAMPLE = 0.004
"""Seconds between two looks at the thread."""
_DEEP = 4
"""Frames of this project that are told of a place."""


class Gaps:
    """The gaps of the thread that makes this object, from one look for events to the next."""

    def __init__(self) -> None:
        self.gaps: list[tuple[float, str]] = []
        self._begun = time.thread_time()
        self._places: Counter[str] = Counter()
        self._thread, self._over = threading.get_ident(), threading.Event()
        dispatcher = QAbstractEventDispatcher.instance()
        assert dispatcher is not None
        dispatcher.aboutToBlock.connect(self._end)
        dispatcher.awake.connect(self._next)
        threading.Thread(target=self._look, daemon=True).start()

    def _next(self) -> None:
        self._end()
        self._begun = time.thread_time()
        self._places = Counter()

    def _end(self) -> None:
        gap = time.thread_time() - self._begun
        place = self._places.most_common(1)[0][0] if gap > LONG and self._places else ""
        self.gaps.append((gap, place))
        self._begun, self._places = time.thread_time(), Counter()

    def _look(self) -> None:
        while not self._over.wait(_SAMPLE):
            frame = sys._current_frames().get(self._thread)
            own = [one for one in traceback.extract_stack(frame) if "/app/" in one.filename]
            self._places[" < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in own[: -_DEEP - 1 : -1])] += 1

    @contextmanager
    def told(self, way: str) -> Iterator[None]:
        """Print the gaps of a way."""
        self.gaps.clear()
        self._begun = time.thread_time()
        yield
        longest, place = max(self.gaps, default=(0.0, ""))
        count = sum(gap > LONG for gap, _ in self.gaps)
        print(f"{way:<28} {1000 * longest:6.0f} ms  {count:3} over {1000 * LONG:.0f} ms  {place}", flush=True)


def until(over: Callable[[], bool], seconds: float = 900) -> None:
    """Wait for something; end the program if it takes too long."""
    end = time.monotonic() + seconds
    while not over():
        if time.monotonic() > end:
            sys.exit("waited in vain")
        QTest.qWait(10)


def spread(canvas: GraphCanvas) -> list[str]:
    """Return the shares of width and height that all but the outermost hundredths of the nodes take."""
    assert canvas.scene is not None
    rects = canvas.camera.rects(canvas.scene.rects[canvas.scene.rects[:, 2] > 0])
    low, high = np.quantile(rects[:, :2] + rects[:, 2:] / 2, (0.01, 0.99), axis=0)
    return [f"{share:.0%}" for share in (high - low) / (canvas.width(), canvas.height())]


WAYS = ("views", "find", "code", "model", "reduce")


def walk(window: MainWindow, gaps: Gaps, jars: list[str], command: str, ways: Sequence[str] = WAYS) -> None:
    """Go the ways."""
    parts, state, form = window.parts, window.controller.state, window.parts.run.form
    until(lambda: form.algorithm.count() > 1 and form.what.kind.count() > 2)
    with gaps.told("open"):
        window.commands.file.open_paths(jars)
        until(lambda: set(parts.graph.scenes) >= {"packages", "components"})
        QTest.qWait(1500)
    if "views" in ways:
        for view in ("components", "matrix", "force", "treemap", "packages"):
            with gaps.told(f"view {view}"):
                window.actions_by_id[view].trigger()
                until(lambda view=view: parts.graph.view == view)  # type: ignore[misc]
                QTest.qWait(1200)
            if view == "force":
                print(f"{'':<28} 98 % of the classes in {' x '.join(spread(parts.graph.canvas))} of the picture")
    if "find" in ways:
        with gaps.told("find a class"):
            for letter in "value":
                QTest.keyClick(parts.search.field, letter)
                QTest.qWait(150)
            parts.search.field.clear()
            QTest.qWait(300)
        with gaps.told("filter the tree"):
            for letter in "val":
                QTest.keyClick(parts.tree.filter, letter)
                QTest.qWait(150)
            parts.tree.filter.clear()
            QTest.qWait(300)
        with gaps.told("find a text in bytecode"):
            window.actions_by_id["find_code"].trigger()
            parts.find.place.setCurrentIndex(1)
            parts.find.field.setText("getString")
            QTest.keyClick(parts.find.field, Qt.Key.Key_Return)
            QTest.qWait(6000)
    assert state.jar is not None
    if "code" in ways:
        with gaps.told("longest bytecode"):
            window.selection.select(int(np.argmax(np.where(state.jar.is_class, state.jar.sizes, 0))))
            window.parts.show_inspector()
            parts.centre.show_source()
            parts.centre.source.show_place("bytecode", "")
            until(lambda: bool(parts.centre.source.view.toPlainText()))
            QTest.qWait(1500)
    if "model" in ways:
        with gaps.told("what goes with it"):
            window.actions_by_id["goes_with"].trigger()
            until(lambda: parts.inspector.answers.shown is not None)
            QTest.qWait(1000)
    if "reduce" in ways:
        window.actions_by_id["components"].trigger()
        form.set_settings(Settings(predicate=command, max_probes=60, evidence=False))
        with gaps.told("reduce"):
            window.commands.reduce.start()
            until(lambda: state.finished is not None)
            QTest.qWait(1500)


def main(arguments: list[str]) -> int:
    """Measure once."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.window_gaps")
    parser.add_argument("jars", nargs="+", metavar="JAR")
    parser.add_argument("--command", default="sh -c 'unzip -l {jar} | grep -q Value'")
    parser.add_argument("--way", action="append", choices=WAYS, help="default: all")
    options = parser.parse_args(arguments)
    application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory(prefix="jarlet-gaps-") as folder:
        os.environ["XDG_STATE_HOME"] = folder
        window = MainWindow(UserSettings(str(Path(folder) / "settings.ini")))
        window.resize(1680, 1050)
        window.show()
        try:
            walk(window, Gaps(), options.jars, options.command, options.way or WAYS)
        finally:
            window.controller.shut_down()
            window.hide()
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
