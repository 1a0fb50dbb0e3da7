"""Gaps of the window's event loop: ``python -m tests.bench.stalls JAR [JAR ...] [--preset NAME] [--seconds S]``.

A timer of 10 ms ticks while the window loads a jar, lays it out, is looked at, and reduces it: with a predicate that
answers at once, or, with ``--preset procyon``, from the check by way of one failure to the bug report, by mouse and
keys. A gap is the time between two ticks beyond the 10 ms that were asked for: what a click would wait. It is made up
of what the window's thread worked itself (*own*), of its waiting for a processor while other threads and programs had
them (*queued*, as the kernel counts it), and of its waiting for the interpreter's lock or a disk
(*blocked*). Own and blocked together are *ours*: what would be left of the gap on an idle machine.

With ``--watch`` what every thread was at is told for each gap longer than so many milliseconds; ``--pictures OUT``
writes the window at the end of each phase there.
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
    """Prints a table per jar, a row per phase, in milliseconds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", type=Path, nargs="+", metavar="JAR")
    parser.add_argument("--preset", default="", help="reduce what this preset finds, and go on to the bug report")
    parser.add_argument("--failure", default="incompatible types", help="part of the name of the one to reduce for")
    parser.add_argument("--seconds", type=float, default=15.0, help="of the reduction")
    parser.add_argument("--watch", type=float, default=0.0, help="milliseconds; 0 = do not watch")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the window after each phase")
    parser.add_argument("--xcb", action="store_true", help="on the display, not off screen")
    options = parser.parse_args(arguments)
    if not options.xcb:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"

    from PySide6.QtWidgets import QApplication

    from app.window.application import be_calm

    be_calm()
    application = QApplication([])
    whole = True
    for jar in options.jars:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = folder
            whole = Walk(jar, options, Path(folder)).go() and whole
    del application
    return 0 if whole else 1


class Walk:
    """One window, from its start to a result."""

    def __init__(self, jar: Path, options: argparse.Namespace, folder: Path) -> None:
        from PySide6.QtCore import QTimer

        from app.user_settings import UserSettings
        from app.window.main_window import MainWindow

        self._jar, self._options, self._folder = jar, options, folder
        self._window = MainWindow(UserSettings(str(folder / "settings.ini")))
        self._window.resize(1280, 800)
        self._window.show()
        self._state = self._window.controller.state
        self._clock = Clock(Watch(options.watch / 1000))
        self._total: list[Gap] = []
        self._timer = QTimer()
        self._timer.setTimerType(self._timer.timerType().PreciseTimer)
        self._timer.timeout.connect(self._clock.tick)
        self._timer.start(round(_TICK * 1000))

    def go(self) -> bool:
        """Walks; whether it came to its end."""
        print(
            f"\n{self._jar.name}\n\n| phase | ticks | 95 % ms | longest ms | of it own + queued + blocked | "
            "ours 95 % ms | ours longest ms | most own ms |\n|---|---:|---:|---:|---:|---:|---:|---:|"
        )
        try:
            self._look()
            came = self._reduce_to_report() if self._options.preset else self._reduce_at_once()
            self._clock.gaps[:] = self._total
            self._clock.seen.clear()
            self._clock.report("all")
            jar, state = self._state.jar, self._state
            assert jar is not None
            print(f"\n{jar.classes} classes, {len(jar.edge_from)} dependencies; {state.executed} probes, ", end="")
            print(f"{len(state.steps)} steps; {state.best().classes} classes, {state.best().bytes} B left")
            return came
        finally:
            self._timer.stop()
            self._clock.watch.close()
            self._window.controller.shut_down()
            self._window.hide()

    def _phase(
        self, name: str, over: Callable[[], object], seconds: float = 120.0, act: Callable[[], object] = int
    ) -> bool:
        """Acts and waits; whether it was over in time."""
        from PySide6.QtTest import QTest

        self._clock.start()
        start = time.perf_counter()
        act()
        while not (there := bool(over())) and time.perf_counter() - start < seconds:
            QTest.qWait(5)
        passed = time.perf_counter() - start
        self._clock.report(f"{name} ({passed:.1f} s)" if there or seconds < 30 else f"{name} (not in {seconds:.0f} s)")
        self._total += self._clock.gaps
        if self._options.pictures is not None:
            QTest.qWait(300)
            self._options.pictures.mkdir(parents=True, exist_ok=True)
            active = self._window.commands.report.dialog
            shown = active if active is not None and active.isVisible() else self._window
            shown.grab().save(str(self._options.pictures / f"{self._jar.stem}-{name.replace(' ', '-')}.png"))
        return there

    def _look(self) -> None:
        """Open, look at classes one after the other."""
        from PySide6.QtTest import QTest

        window, state, form = self._window, self._state, self._window.parts.run.form
        self._phase("start", lambda: form.what.kind.count() > 1 and form.algorithm.count() > 1)
        self._phase(
            "load and lay out",
            lambda: {"packages", "components"} <= set(window.parts.graph.scenes),
            act=lambda: window.commands.file.open_paths([str(self._jar)]),
        )
        self._phase("idle", lambda: False, 1.0)
        self._phase(
            "classes view",
            lambda: window.parts.graph.view == "components" and not window.parts.graph.canvas._edges.painting,
            10,
            lambda: window.parts.centre.show_view("components"),
        )
        jar = state.jar
        assert jar is not None
        names = self._outer_classes()
        items = [jar.names.index(name) for name in names[:: max(1, len(names) // 20)]]

        def look() -> None:
            window.parts.show_inspector()
            for item in items[:10]:
                window.selection.select(item, None)
                window.parts.tree.tree.expand(window.parts.tree.model.index_of(item))
                QTest.qWait(20)

        self._phase("select, unfold, inspect", lambda: window.parts.inspector.needs.topLevelItemCount() > 1, 60, look)
        window.parts.show_form()

    def _outer_classes(self) -> list[str]:
        jar = self._state.jar
        assert jar is not None
        return [name for name in jar.names[: jar.classes] if "$" not in name]

    def _ended(self) -> bool:
        from app.engine.run_state import EngineState

        return self._state.finished is not None or self._state.phase is EngineState.READY

    def _reduce_at_once(self) -> bool:
        """A predicate that answers at once, so that events come as fast as they can."""
        from core.protocol.settings import Settings

        names = self._outer_classes()
        keep = " && ".join(f"test -f {{classes}}/{names[index]}.class" for index in (0, len(names) // 2))
        form = self._window.parts.run.form
        form.set_settings(Settings(predicate=f"sh -c '{keep}'", algorithm="closure", jobs=2))
        self._phase("reduce", self._ended, self._options.seconds, self._window.commands.reduce.start)
        return True

    def _reduce_to_report(self) -> bool:
        """Check, keep one failure, reduce for it with the page of the bug in view, look at the report, export it."""
        from PySide6.QtCore import Qt
        from PySide6.QtTest import QTest
        from PySide6.QtWidgets import QFileDialog, QWidget

        window, parts, state = self._window, self._window.parts, self._state

        def click(widget: QWidget) -> None:
            QTest.mouseClick(widget, Qt.MouseButton.LeftButton)

        def keep_one() -> None:
            failures = parts.failures
            names = [row.name for row in failures.model.rows]
            fitting = [at for at, name in enumerate(names) if self._options.failure in name]
            row = failures.model.index(fitting[0] if fitting else 0, 0)
            failures.table.scrollTo(row)
            place = failures.table.visualRect(row).center()
            QTest.mouseClick(failures.table.viewport(), Qt.MouseButton.LeftButton, pos=place)
            click(failures.keep)

        kind = parts.run.form.what.kind
        kind.setCurrentIndex(kind.findData(self._options.preset))
        if not self._phase("check", self._ended_check, 900, lambda: click(parts.run.check)):
            return False
        self._phase("list of failures", parts.failures.keep.isVisible, 10, window.actions_by_id["go_failures"].trigger)
        if not parts.failures.model.rowCount():
            print("The preset found no failure.")
            return False
        self._phase("keep one failure", lambda: parts.run.form.settings().failures is not None, 10, keep_one)
        print(f"    {parts.run.form.settings().failures}")
        window.actions_by_id["bug"].trigger()
        self._phase("reduce", self._ended, max(self._options.seconds, 30), lambda: click(parts.run.start))
        if not self._ended():
            click(parts.run.stop)
            self._phase("stop", self._ended, 60)
        if not state.reduced:
            print("Nothing smaller was accepted.")
            return False
        bug, reports = parts.centre.bug, window.commands.report
        self._phase("bug", lambda: bug.page is not None and bug.page.classes == state.best().classes)
        self._phase(
            "report", lambda: reports.dialog is not None and reports.dialog.report.copy.isEnabled(), 120,
            lambda: click(bug.report),
        )  # fmt: skip
        assert reports.dialog is not None
        click(reports.dialog.report.copy)
        target = self._folder / "bug"
        chosen = QFileDialog.getSaveFileName
        QFileDialog.getSaveFileName = lambda *_: (str(target), "")  # type: ignore[method-assign]
        folder = reports.dialog.report.folder
        try:
            return self._phase(
                "export", lambda: "Written" in parts.messages.text.text(), 300, lambda: click(folder)
            )  # fmt: skip
        finally:
            QFileDialog.getSaveFileName = chosen  # type: ignore[method-assign]

    def _ended_check(self) -> bool:
        return self._state.checked is not None and self._ended()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
