"""From the click to the drawing: ``python -m tests.bench.opening [--classes N ...] JAR...``.

Joins jars, cuts them to so many classes (else: all of them), opens the file in the real window off screen, in a process
of its own that has started its engine before, and prints a row of a table: seconds from the call that opens the file to
the jar read, to the first painted package view, and to the graph of classes drawn with all its edges (asked for as soon
as packages are drawn); processor seconds of the window's process until then and of the engine's; memory of the window's
process before the file, at its peak, and two seconds after the last drawing.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import Any

_SETTLED_S = 2.0
_PATIENCE_S = 300.0
_HEAD = (
    "| classes | dependencies | read s | packages drawn s | classes drawn s | window CPU s | engine CPU s | "
    "window MB before / peak / settled | engine MB |\n"
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
)


def main(arguments: list[str]) -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("jars", nargs="+", type=Path)
    parser.add_argument("--classes", type=int, nargs="*", default=[])
    parser.add_argument("--profile", action="store_true", help="where the window's memory was allocated")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(_opened(options.jars[0], options.profile)))
        return 0
    print(_HEAD, flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for classes in options.classes or [sys.maxsize]:
            jar = _joined(options.jars, classes, Path(folder))
            environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "XDG_STATE_HOME": folder}
            command = [sys.executable, "-m", "tests.bench.opening", "--child", str(jar)]
            command += ["--profile"] if options.profile else []
            found = json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
            print(_row(found), flush=True)
    return 0


def _row(found: dict[str, Any]) -> str:
    return (
        f"| {found['classes']:,} | {found['edges']:,} | {found['read']:.2f} | {found['packages']:.2f} | "
        f"{found['components']:.2f} | {found['cpu']:.2f} | {found['engine_cpu']:.2f} | "
        f"{found['before']:.0f} / {found['peak']:.0f} / {found['settled']:.0f} | {found['engine']:.0f} |"
    )


def _joined(jars: list[Path], classes: int, folder: Path) -> Path:
    """One jar with the first so many classes of some, and the other files on the way there."""
    target, names, left = folder / f"{min(classes, 99999)}.jar", set(), classes
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as joined:
        for jar in jars:
            with zipfile.ZipFile(jar) as source:
                for entry in source.infolist():
                    if left <= 0:
                        return target
                    if entry.filename in names or entry.is_dir() or entry.filename.startswith("META-INF/"):
                        continue
                    names.add(entry.filename)
                    left -= entry.filename.endswith(".class")
                    joined.writestr(entry.filename, source.read(entry))
    return target


def _opened(jar: Path, profile: bool) -> dict[str, Any]:
    """The figures of one file, in this process."""
    import tracemalloc

    from PySide6.QtCore import QEvent, QObject, QTimer
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from app.user_settings import UserSettings
    from app.window.application import be_calm
    from app.window.main_window import MainWindow

    be_calm()
    application = QApplication([])
    application.setApplicationName("Jarlet")
    folder = Path(os.environ["XDG_STATE_HOME"])
    window = MainWindow(UserSettings(str(folder / "settings.ini")))
    window.resize(1280, 800)
    window.show()
    start = time.perf_counter()
    seen: dict[str, float] = {}

    def reached(what: str) -> None:
        seen.setdefault(what, time.perf_counter() - start)

    class Painted(QObject):
        """Notes when the canvas has painted which view."""

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and window.parts.graph.canvas.scene is not None:
                view, whole = window.parts.graph.canvas.scene.view, not window.parts.graph.canvas._edges.painting
                QTimer.singleShot(0, lambda: reached(view))
                if whole:
                    QTimer.singleShot(0, lambda: reached(view + " whole"))
            return False

    def wait(what: str) -> None:
        while what not in seen and time.perf_counter() - start < _PATIENCE_S:
            QTest.qWait(2)
        assert what in seen, f"{what} was not reached"

    painted = Painted()
    window.parts.graph.canvas.installEventFilter(painted)
    window.controller.opened.connect(lambda _: reached("read"))
    while window.parts.run.form.algorithm.count() < 2 or window.parts.run.form.what.kind.count() < 2:
        QTest.qWait(10)
    before = _memory("VmRSS")
    if profile:
        tracemalloc.start(12)
    busy, start = time.process_time(), time.perf_counter()
    window.commands.file.open_paths([str(jar)])
    wait("read")
    wait("packages")
    window.commands.view.components()
    wait("components whole")
    busy = time.process_time() - busy
    engine = window.controller.client.pid
    engine_cpu, engine_memory = _processor(engine), _memory("VmRSS", engine)
    QTest.qWait(round(_SETTLED_S * 1000))
    found = window.controller.state.jar
    assert found is not None
    figures = {
        "classes": found.classes,
        "edges": len(found.edge_from),
        "read": seen["read"],
        "packages": seen["packages"],
        "components": seen["components whole"],
        "cpu": busy,
        "engine_cpu": engine_cpu,
        "before": before,
        "peak": _memory("VmHWM"),
        "settled": _memory("VmRSS"),
        "engine": engine_memory,
    }
    if profile:
        _print_profile()
    window.controller.shut_down()
    window.hide()
    del application
    return figures


def _memory(field: str, process: int | str | None = "self") -> float:
    """A field of a process's status in megabytes."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(field + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


def _processor(process: int | None) -> float:
    """Processor seconds that a process has taken, threads and all."""
    after_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(after_name[11]) + int(after_name[12])) / os.sysconf("SC_CLK_TCK")


def _print_profile() -> None:
    """The places that hold most of what Python allocated since the file was opened."""
    import tracemalloc

    now, peak = tracemalloc.get_traced_memory()
    print(f"allocated since: {now / 2**20:.1f} MB, at the most {peak / 2**20:.1f} MB", file=sys.stderr)
    for statistic in tracemalloc.take_snapshot().statistics("lineno")[:25]:
        print(statistic, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
