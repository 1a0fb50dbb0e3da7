"""The graph as PDF or PNG: the engine writes an SVG, a process of its own draws that."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import QObject, QProcess, Signal

from app import svg_drawing
from app.engine.controller import Controller
from core.protocol import events


class DrawingExport(QObject):
    """One drawing after another; the window never waits."""

    written = Signal(str, int)
    """Path and bytes."""
    failed = Signal(str)

    def __init__(self, controller: Controller, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._controller = controller
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._targets: dict[str, tuple[str, list[str]]] = {}
        self._processes: set[QProcess] = set()

    def write(self, view: str, path: str) -> None:
        """Draw a view of the graph to ``path``: a picture if it ends in ``.png``, else a page."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="jarlet-drawing-")
        drawing = str(Path(self._folder.name) / f"{len(self._targets)}.svg")
        self._targets[drawing] = path, list(self._controller.paths)
        self._controller.export_view(view, "svg", drawing)

    def take(self, event: events.Exported) -> bool:
        """Return True if a file that the engine wrote is one of ours. In this case draw the page of the file."""
        if event.path not in self._targets:
            return False
        target, inputs = self._targets[event.path]
        if getattr(sys, "frozen", False):  # there is no interpreter to start
            self._ended(target, svg_drawing.write(event.path, target, inputs))
            return True
        process = QProcess(self)
        self._processes.add(process)
        process.finished.connect(lambda *_: self._over(process, target))
        process.errorOccurred.connect(lambda _: self._over(process, target))
        program, *arguments = svg_drawing.command(event.path, target, inputs)
        process.start(program, arguments)
        return True

    def close(self) -> None:
        """End what is still being drawn."""
        for process in self._processes:
            process.kill()
            process.waitForFinished(1000)
        self._processes.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def _over(self, process: QProcess, target: str) -> None:
        if process not in self._processes:
            return
        self._processes.discard(process)
        words = bytes(process.readAllStandardError().data()).decode("utf-8", "replace").strip()
        fine = process.exitStatus() is QProcess.ExitStatus.NormalExit and process.exitCode() == 0
        self._ended(target, "" if fine else words or process.errorString())
        process.deleteLater()

    def _ended(self, target: str, problem: str) -> None:
        if problem:
            self.failed.emit(problem)
        else:
            self.written.emit(target, Path(target).stat().st_size)
