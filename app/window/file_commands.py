"""The file commands of the window: what to open, where to export to."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QSettings
from PySide6.QtWidgets import QFileDialog, QMainWindow

from app.engine.controller import Controller
from app.engine.run_state import StepSummary
from app.window.pdf_export import PdfExport

JARS = (".jar", ".war", ".zip", ".ear", ".aar")
GRAPH_FORMATS = ("svg", "png", "pdf", "dot", "graphml", "json")
PAGES, VIEW_FORMATS = ("png", "pdf"), ("svg", "dot", "graphml")
"""What is made of a drawing, and what the engine writes of a view; JSON has the whole graph."""
REPORT_FORMATS = {"md": "markdown", "html": "html"}
SESSION = ".jarlet"


class FileCommands(QMainWindow):
    """Base of the main window: asks for file names and hands them to the controller."""

    controller: Controller
    settings: QSettings
    printer: PdfExport

    def choose_jar(self) -> None:
        """Ask for jars and open them."""
        paths, _ = QFileDialog.getOpenFileNames(
            self,
            "Open jar",
            self._folder("open"),
            "Java archives (*.jar *.war *.zip *.ear *.aar);;All files (*)",
        )
        if paths:
            self._remember("open", paths[0])
            self.open_paths(paths)

    def choose_folder(self) -> None:
        """Ask for a folder of classes and open it."""
        path = QFileDialog.getExistingDirectory(self, "Open class folder", self._folder("open"))
        if path:
            self._remember("open", path)
            self.open_paths([path])

    def open_paths(self, paths: list[str]) -> None:
        """Open files as one input."""
        self.controller.open(paths)

    def export_jar(self) -> None:
        """Ask where to, and write the best so far."""
        jar = self.controller.state.jar
        if jar is not None:
            name = f"{Path(jar.title).stem}-reduced.jar"
            self._export("Export reduced jar", name, "Jar (*.jar)", "jar")

    def export_graph(self) -> None:
        """Ask where to, and write what the graph shows in the format that the name's ending says."""
        jar = self.controller.state.jar
        if jar is not None:
            patterns = ";;".join(f"{kind.upper()} (*.{kind})" for kind in GRAPH_FORMATS)
            self._export("Export graph", f"{Path(jar.title).stem}-graph.svg", patterns, None)

    def export_report(self) -> None:
        """Ask where to, and write the report of the last reduction."""
        jar = self.controller.state.jar
        if jar is not None:
            name = f"{Path(jar.title).stem}-report.json"
            self._export("Export report", name, "JSON (*.json)", "report")

    def export_bug(self) -> None:
        """Ask where to, and write the bug report of the last reduction."""
        jar = self.controller.state.jar
        if jar is None:
            return
        patterns = ";;".join(("Markdown (*.md)", "HTML (*.html)"))
        start = str(Path(self._folder("export")) / f"{Path(jar.title).stem}-bug.md")
        path, pattern = QFileDialog.getSaveFileName(self, "Export bug report", start, patterns)
        if path:
            ending = Path(path).suffix.lower().lstrip(".")
            if ending not in REPORT_FORMATS:
                ending = "html" if "html" in pattern else "md"
                path += f".{ending}"
            self._remember("export", path)
            self.controller.export(REPORT_FORMATS[ending], path)

    def export_step(self, step: StepSummary) -> None:
        """Ask where to, and write an accepted step as a jar."""
        jar = self.controller.state.jar
        if jar is not None:
            start = str(Path(self._folder("export")) / f"{Path(jar.title).stem}-step-{step.probe}.jar")
            path, _ = QFileDialog.getSaveFileName(self, "Export step", start, "Jar (*.jar)")
            if path:
                self._remember("export", path)
                self.controller.export_step(step, path if Path(path).suffix else f"{path}.jar")

    def choose_session(self) -> None:
        """Ask for a session's folder and open it."""
        path = QFileDialog.getExistingDirectory(self, "Open session", self._folder("session"))
        if path:
            self._remember("session", path)
            self.controller.open_session(path)

    def save_session(self) -> None:
        """Ask where to keep the session from here on."""
        jar = self.controller.state.jar
        if jar is None:
            return
        if not self.controller.session:
            words = "There is no session to save yet: it begins with the first reduction."
            self.controller.told.emit(words, "info")
            return
        start = str(Path(self._folder("session")) / f"{Path(jar.title).stem}{SESSION}")
        path, _ = QFileDialog.getSaveFileName(self, "Save session as", start, "Jarlet session (*.jarlet)")
        if path:
            self._remember("session", path)
            self.controller.save_session(path)

    def _export(self, title: str, name: str, patterns: str, what: str | None) -> None:
        start = str(Path(self._folder("export")) / name)
        path, pattern = QFileDialog.getSaveFileName(self, title, start, patterns)
        if not path:
            return
        ending = Path(path).suffix.lower().lstrip(".")
        if what is None:
            if ending not in GRAPH_FORMATS:
                ending = pattern.split(" ", 1)[0].lower() or "svg"
                path += f".{ending}"
            what = ending
        elif not ending:
            path += ".jar" if what == "jar" else ".json"
        self._remember("export", path)
        if what in PAGES:
            self.printer.write(self.shown_view, path)
        elif what in VIEW_FORMATS:
            self.controller.export_view(self.shown_view, what, path)
        else:
            self.controller.export(what, path)

    @property
    def shown_view(self) -> str:
        """The view of the graph that is shown."""
        return "components"

    def _folder(self, purpose: str) -> str:
        return str(self.settings.value(f"folders/{purpose}", "") or Path.home())

    def _remember(self, purpose: str, path: str) -> None:
        self.settings.setValue(f"folders/{purpose}", str(Path(path).parent))


def dropped_paths(data: QMimeData) -> list[str]:
    """Archives and folders among what is being dragged; empty if anything else is with them."""
    paths = [url.toLocalFile() for url in data.urls() if url.isLocalFile()]
    fine = [path for path in paths if Path(path).is_dir() or path.lower().endswith(JARS)]
    return fine if paths and len(fine) == len(data.urls()) else []
