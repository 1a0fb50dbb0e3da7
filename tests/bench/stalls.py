"""Gaps of the window's event loop: ``python -m tests.bench.stalls JAR [--seconds S] [--xcb]``.

A timer of 10 ms ticks while the window loads a jar, lays it out, is looked at, and reduces it with a predicate that
answers at once. A gap is the time between two ticks beyond the 10 ms that were asked for: what a click would wait.
Of a gap, *own* is what the window's thread itself worked: the rest is other programs' share of the processors.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

_TICK = 0.010


def main(arguments: list[str]) -> int:
    """Prints a line a phase: number of ticks, 95th percentile and longest gap in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar", type=Path)
    parser.add_argument("--seconds", type=float, default=15.0, help="of the reduction")
    parser.add_argument("--xcb", action="store_true", help="on the display, not off screen")
    options = parser.parse_args(arguments)
    if not options.xcb:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_STATE_HOME"] = folder
        return _run(options, Path(folder))


def _run(options: argparse.Namespace, folder: Path) -> int:
    from PySide6.QtCore import QSettings, QTimer
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from app.main_window import MainWindow
    from app.panels.run_settings import RunSettings
    from app.state import Phase
    from app.window import be_calm

    be_calm()
    application = QApplication([])
    window = MainWindow(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    window.resize(1280, 800)
    window.show()
    gaps: list[float] = []
    works: list[float] = []
    last, worked = time.perf_counter(), time.thread_time()

    def tick() -> None:
        nonlocal last, worked
        now, work = time.perf_counter(), time.thread_time()
        gaps.append(max(0.0, now - last - _TICK))
        works.append(work - worked)
        last, worked = now, work

    timer = QTimer()
    timer.setTimerType(timer.timerType().PreciseTimer)
    timer.timeout.connect(tick)
    timer.start(round(_TICK * 1000))

    def phase(name: str, over: Callable[[], bool], seconds: float = 120.0) -> None:
        nonlocal last, worked
        gaps.clear()
        works.clear()
        last = start = time.perf_counter()
        worked = time.thread_time()
        while not over() and time.perf_counter() - start < seconds:
            QTest.qWait(5)
        ordered = sorted(gaps) or [0.0]
        high = ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))]
        took = time.perf_counter() - start
        print(
            f"{name:28} {took:6.1f} s {len(gaps):6} ticks   95 %: {1000 * high:6.1f} ms   "
            f"longest: {1000 * ordered[-1]:6.1f} ms   own: {1000 * max(works, default=0.0):6.1f} ms",
            flush=True,
        )

    state, form = window.controller.state, window.run.form
    phase("start", lambda: form.what.kind.count() > 1 and form.algorithm.count() > 1)
    window.open_paths([str(options.jar)])
    phase("load and lay out", lambda: {"packages", "components"} <= set(window.graph._scenes))
    jar = state.jar
    assert jar is not None
    phase("idle", lambda: False, 1.0)
    window.show_components()
    phase("classes view", lambda: window.graph.view == "components" and not window.graph.canvas._edges.painting, 10)
    names = [name for name in jar.names[: jar.classes] if "$" not in name]
    items = [jar.names.index(name) for name in names[:: max(1, len(names) // 20)]]
    window.inspect_selected()
    for item in items[:10]:
        window._select(item, None)
        window.tree.tree.expand(window.tree.model.index_of(item))
        QTest.qWait(20)
    phase("select, unfold, inspect", lambda: window.inspector.needs.topLevelItemCount() > 1, 60)
    window.progress_dock.raise_()
    keep = " && ".join(f"test -f {{classes}}/{names[index]}.class" for index in (0, len(names) // 2))
    form.set_settings(RunSettings(predicate=f"sh -c '{keep}'", algorithm="closure", jobs=2))
    window.start()
    phase("reduce", lambda: state.finished is not None or state.phase is Phase.READY, options.seconds)
    print(
        f"{jar.classes} classes, {len(jar.edge_from)} dependencies; {state.executed} probes, {len(state.steps)} steps"
    )
    window.controller.shut_down()
    window.hide()
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
