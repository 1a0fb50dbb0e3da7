"""The exports of the file menu: the user names a place, and is told of the written file."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QTemporaryDir, Signal

from app import text
from app.engine.controller import Controller
from app.engine.runs import StepSummary, key_of
from app.graph.view import GraphView
from app.panels.message_bar import MessageBar, MessageButton
from app.presenter import Presenter
from app.window.commands.file_commands import open_folder
from app.window.commands.named_files import FileChooser
from app.window.drawing_export import PICTURES, DrawingExport
from core.protocol.questions.exports import Export, Exported, ExportStep, ExportTest, ExportView
from core.protocol.settings import Settings

VIEW_FORMATS = ("dot", "graphml")
"""Formats of a view that the engine writes; JSON has the whole graph."""
GRAPH_FORMATS = (*PICTURES, *VIEW_FORMATS, "json")
REPORT_FORMATS = {"md": "markdown", "html": "html"}
_FIRST = {
    "markdown": "Decompiling the result", "html": "Decompiling the result",
    "folder": "Decompiling the result, running its script", "test": "Looking for Java source, compiling it",
}  # fmt: skip
"""Words for the engine's work before it writes, which takes seconds."""


class ExportCommands(Presenter):
    """The commands that ask for a place, have a file written there, and tell of it."""

    result_written = Signal()
    """The reduced jar or its bug report is on disk."""

    _controller: Controller
    _chooser: FileChooser
    _messages: MessageBar
    _graph: GraphView
    _chosen_step: Callable[[], StepSummary | None] = lambda: None

    def _set_up(self) -> None:
        self._drawings = DrawingExport(self)
        self._drawings.written.connect(self._tell_written)
        self._drawings.failed.connect(self._tell_failed)
        self._dragged = QTemporaryDir()

    def export_jar(self) -> None:
        """Ask for a place, and write the selected step, or else the smallest of all runs about this failure."""
        state = self._controller.state
        smallest = state.smallest(state.settings) if state.settings is not None else None
        step = self._chosen_step() or smallest or state.kept
        if step is None:
            self._messages.tell("There is no result yet: nothing smaller than the whole jar failed.", "info")
            return
        self.export_result(step)

    def export_result(self, step: StepSummary) -> None:
        """Ask for a place, and write an accepted step as the reduced jar."""
        state = self._controller.state
        path = self._result_target(f"Export reduced jar: {step.title}", "-reduced")
        if path:
            last = bool(state.steps) and step is state.steps[-1]
            self._write("jar", Export("jar", path) if last else ExportStep(path, key_of(step)), step.title)

    def result_file(self) -> str:
        """Return a file with the smallest result of the session, to be dragged elsewhere; empty if there is none."""
        best = Path(self._controller.session or "none") / "best.jar"
        if not self._controller.state.reduced or not best.is_file():
            return ""
        target = Path(self._dragged.path()) / self._name("-reduced.jar")
        with suppress(OSError):
            target.unlink(missing_ok=True)
            try:
                os.link(best, target)
            except OSError:
                shutil.copyfile(best, target)
            return str(target)
        return ""

    def export_report(self) -> None:
        """Ask for a place, and write the report of the last reduction."""
        path, _ = self._target("Export report", "-report.json", "JSON (*.json)")
        if path:
            self._write("report", Export("report", path if Path(path).suffix else f"{path}.json"))

    def export_bug(self) -> None:
        """Ask for a place, and write the bug report of the last reduction."""
        path, pattern = self._target("Export bug report", "-bug.md", "Markdown (*.md);;HTML (*.html)")
        if path:
            path, ending = _with_ending(path, tuple(REPORT_FORMATS), "html" if "html" in pattern else "md")
            self._write(REPORT_FORMATS[ending], Export(REPORT_FORMATS[ending], path))

    def export_folder(self) -> None:
        """Ask for a place, and write the folder for a bug tracker."""
        path, _ = self._target("Export bug folder", "-bug", "New folder (*)")
        if path:
            self._write("folder", Export("folder", path))

    def export_test(self, project: str, settings: Settings) -> None:
        """Ask for a place, and write the best so far as a test of a project's own suite."""
        path, _ = self._target("Export as a test", f"-{project}-test", "New folder (*)")
        if path:
            self._write("test", ExportTest(project, path, settings))

    def export_graph(self) -> None:
        """Ask for a place, and write the shown graph."""
        patterns = ";;".join(f"{kind.upper()} (*.{kind})" for kind in GRAPH_FORMATS)
        path, pattern = self._target("Export graph", "-graph.svg", patterns)
        if not path:
            return
        path, ending = _with_ending(path, GRAPH_FORMATS, pattern.split(" ", 1)[0].lower() or "svg")
        picture = self._graph.whole()
        if ending in PICTURES and picture is not None:
            self._tell_writing(ending, path)
            self._drawings.write(picture, path, self._controller.paths)
        elif ending in VIEW_FORMATS:
            view = self._controller.wish(self._graph.view or "components")
            self._write(ending, ExportView(ending, path, view))
        else:
            self._write(ending, Export(ending, path))

    def export_step(self, step: StepSummary) -> None:
        """Ask for a place, and write an accepted step as a jar."""
        path = self._result_target("Export step", f"-step-{step.probe}")
        if path:
            self._write("step", ExportStep(path, key_of(step)), step.title)

    def _written(self, event: Exported, title: str) -> None:
        """Tell of a file that is written."""
        if event.message:
            good = "warning" if event.message.startswith("Warning") else "good"
            self._tell(f"Written: {event.path}. {event.message}", good, event.path)
        else:
            self._tell_written(event.path, event.bytes, title)
        if event.what in ("jar", "step", "report", "markdown", "html", "folder", "test"):
            self.result_written.emit()

    def _result_target(self, title: str, ending: str) -> str:
        """Ask for the place of a result, which has the shape of the input; empty for none."""
        end = self._controller.state.jar.end
        path, _ = self._target(title, f"{ending}{end}", f"Jar (*{end})" if end else "New folder (*)")
        return path if not path or Path(path).suffix else f"{path}{end}"

    def _target(self, title: str, ending: str, patterns: str) -> tuple[str, str]:
        if not self._controller.state.jar.opened:
            return "", ""
        purpose = f"export/{self._controller.state.jar.title}"
        path, pattern = self._chooser.target(purpose, title, self._name(ending), patterns, self._chooser.given())
        return str(Path(path)) if path else "", pattern

    def _name(self, ending: str) -> str:
        return Path(self._controller.state.jar.title).stem + ending

    def _write(self, what: str, wish: Export | ExportStep | ExportTest | ExportView, title: str = "") -> None:
        """Have a file written. Tell of it now, and once it is written."""
        self._tell_writing(what, wish.path)
        self._controller.ask(wish, lambda event: self._written(event, title), self._tell_failed, each=True)

    def _tell_writing(self, what: str, path: str) -> None:
        """Show that a file is being made, until it is written or an error comes."""
        first = _FIRST.get(what)
        self._messages.tell(f"{first}, and writing {path}…" if first else f"Writing {path}…", "busy", about="written")

    def _tell_written(self, path: str, octets: int, what: str = "") -> None:
        packed = f"{what}, {text.size(octets)} packed" if what else text.size(octets)
        self._tell(f"Written: {path} ({packed}).", "good", path)

    def _tell_failed(self, sentence: str) -> None:
        self._messages.tell(sentence, "error")

    def _tell(self, sentence: str, kind: str, path: str) -> None:
        folder = str(Path(path).absolute().parent)
        self._messages.tell(sentence, kind, MessageButton("Open folder", lambda: open_folder(folder)), about="written")

    def close(self) -> None:
        """End unfinished drawings."""
        self._drawings.close()


def _with_ending(path: str, known: tuple[str, ...], ending: str) -> tuple[str, str]:
    """Return a path and its ending, without the dot: ``ending`` is added if it has none that is known."""
    own = Path(path).suffix.lower().lstrip(".")
    return (path, own) if own in known else (f"{path}.{ending}", ending)
