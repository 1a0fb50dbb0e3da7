"""Gaps of the window's event loop: ``python -m tests.bench.stalls JAR [--seconds S] [--watch MS] [--xcb]``.

A timer of 10 ms ticks while the window loads a jar, lays it out, is looked at, and reduces it with a predicate that
answers at once. A gap is the time between two ticks beyond the 10 ms that were asked for: what a click would wait. It
is made up of what the window's thread worked itself (*own*), of its waiting for a processor while other threads and
programs had them (*queued*, as the kernel counts it), and of its waiting for the interpreter's lock or a disk
(*blocked*). Own and blocked together are *ours*: what would be left of the gap on an idle machine.

With ``--watch`` what every thread was at is told for each gap longer than so many milliseconds.
"""

from __future__ import annotations

import argparse
import faulthandler
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

_TICK = 0.010
_FRAMES = 4
"""Innermost frames of a thread that are told of a gap."""


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap in seconds; ``own`` is counted from tick to tick, so it may be the longer."""

    late: float
    own: float
    queued: float

    @property
    def ours(self) -> float:
        """The part that is not the fault of a busy machine."""
        return max(0.0, self.late - self.queued)

    @property
    def blocked(self) -> float:
        """Waiting for the interpreter's lock or a disk."""
        return max(0.0, self.ours - self.own)


class Watch:
    """Writes down what every thread is at when a tick is late: from a thread that needs no interpreter's lock."""

    def __init__(self, late: float) -> None:
        self._late = late
        self._file: IO[str] = tempfile.TemporaryFile("w+")  # noqa: SIM115 - lives as long as the program
        self._read = 0

    def tick(self) -> str:
        """What was written since the last tick; and watches on."""
        if not self._late:
            return ""
        faulthandler.dump_traceback_later(self._late + _TICK, file=self._file)
        if os.fstat(self._file.fileno()).st_size <= self._read:
            return ""
        text = os.pread(self._file.fileno(), 1 << 20, self._read).decode("utf-8", "replace")
        self._read += len(text.encode())
        return "\n".join(self._short(block) for block in text.split("\n\n") if "File" in block)

    def close(self) -> None:
        """Watches no more."""
        faulthandler.cancel_dump_traceback_later()

    @staticmethod
    def _short(thread: str) -> str:
        frames = [line.strip().removeprefix("File ") for line in thread.splitlines() if line.startswith("  File")]
        short = [frame.replace('"', "").replace(str(Path.cwd()) + "/", "") for frame in frames]
        return "      " + " < ".join(short[:_FRAMES])


@dataclass(slots=True)
class Clock:
    """Takes the gaps of the thread that it was made on."""

    watch: Watch
    gaps: list[Gap] = field(default_factory=list)
    seen: list[tuple[Gap, str]] = field(default_factory=list)
    """Gaps that the watch has something to say of."""
    _last: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _counters: int = field(
        default_factory=lambda: os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)
    )

    def start(self) -> None:
        """Forgets what was and begins anew."""
        self.gaps.clear()
        self.seen.clear()
        self.watch.tick()
        self._last = self._now()

    def tick(self) -> None:
        """To be called every 10 ms."""
        now = self._now()
        passed, own, queued = (b - a for a, b in zip(self._last, now, strict=True))
        gap = Gap(max(0.0, passed - _TICK), own, queued)
        self.gaps.append(gap)
        told = self.watch.tick()
        if told:
            self.seen.append((gap, told))
        self._last = now

    def _now(self) -> tuple[float, float, float]:
        """Seconds on the wall, of the processor, and in the kernel's queue for one."""
        queued = int(os.pread(self._counters, 64, 0).split()[1])
        return time.perf_counter(), time.thread_time(), queued / 1e9

    def report(self, phase: str) -> None:
        """Prints a row of the table, and what the watch saw."""
        gaps = self.gaps or [Gap(0.0, 0.0, 0.0)]
        longest = max(gaps, key=lambda gap: gap.late)
        print(
            f"| {phase} | {len(gaps)} | {_high(gap.late for gap in gaps)} | {_ms(longest.late)} | "
            f"{_ms(longest.own)} + {_ms(longest.queued)} + {_ms(longest.blocked)} | "
            f"{_high(gap.ours for gap in gaps)} | {_ms(max(gap.ours for gap in gaps))} | "
            f"{_ms(max(gap.own for gap in gaps))} |",
            flush=True,
        )
        for gap, told in self.seen:
            print(f"    {_ms(gap.late)} ms: own {_ms(gap.own)}, queued {_ms(gap.queued)}, blocked {_ms(gap.blocked)}")
            print(told)


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.1f}"


def _high(seconds: Iterable[float]) -> str:
    """The 95th percentile."""
    ordered = sorted(seconds)
    return _ms(ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))])


def main(arguments: list[str]) -> int:
    """Prints a row a phase, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jar", type=Path)
    parser.add_argument("--seconds", type=float, default=15.0, help="of the reduction")
    parser.add_argument("--watch", type=float, default=0.0, help="milliseconds; 0 = do not watch")
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

    from app.engine.run_state import EngineState
    from app.window.application import be_calm
    from app.window.main_window import MainWindow
    from core.protocol.settings import Settings

    be_calm()
    application = QApplication([])
    window = MainWindow(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
    window.resize(1280, 800)
    window.show()
    clock = Clock(Watch(options.watch / 1000))
    timer = QTimer()
    timer.setTimerType(timer.timerType().PreciseTimer)
    timer.timeout.connect(clock.tick)
    timer.start(round(_TICK * 1000))
    print(
        "| phase | ticks | 95 % ms | longest ms | of it own + queued + blocked | ours 95 % ms | ours longest ms | "
        "most own ms |\n|---|---:|---:|---:|---:|---:|---:|---:|"
    )

    def phase(name: str, over: Callable[[], bool], seconds: float = 120.0, act: Callable[[], object] = int) -> None:
        clock.start()
        start = time.perf_counter()
        act()
        while not over() and time.perf_counter() - start < seconds:
            QTest.qWait(5)
        clock.report(f"{name} ({time.perf_counter() - start:.1f} s)")

    state, form = window.controller.state, window.parts.run.form
    phase("start", lambda: form.what.kind.count() > 1 and form.algorithm.count() > 1)
    phase(
        "load and lay out",
        lambda: {"packages", "components"} <= set(window.parts.graph.scenes),
        act=lambda: window.commands.file.open_paths([str(options.jar)]),
    )
    jar = state.jar
    assert jar is not None
    phase("idle", lambda: False, 1.0)
    phase(
        "classes view",
        lambda: window.parts.graph.view == "components" and not window.parts.graph.canvas._edges.painting,
        10,
        window.commands.view.components,
    )
    names = [name for name in jar.names[: jar.classes] if "$" not in name]
    items = [jar.names.index(name) for name in names[:: max(1, len(names) // 20)]]

    def look() -> None:
        window.commands.edit.inspect()
        for item in items[:10]:
            window.selection.select(item, None)
            window.parts.tree.tree.expand(window.parts.tree.model.index_of(item))
            QTest.qWait(20)

    phase("select, unfold, inspect", lambda: window.parts.inspector.needs.topLevelItemCount() > 1, 60, look)
    window.parts.progress_dock.raise_()
    keep = " && ".join(f"test -f {{classes}}/{names[index]}.class" for index in (0, len(names) // 2))
    form.set_settings(Settings(predicate=f"sh -c '{keep}'", algorithm="closure", jobs=2))
    over = (lambda: state.finished is not None or state.phase is EngineState.READY, options.seconds)
    phase("reduce", *over, window.commands.reduce.start)
    print(
        f"\n{jar.classes} classes, {len(jar.edge_from)} dependencies; {state.executed} probes, {len(state.steps)} steps"
    )
    clock.watch.close()
    window.controller.shut_down()
    window.hide()
    del application
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
