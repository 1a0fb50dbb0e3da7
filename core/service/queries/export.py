"""Files that the user asks for: the reduced jar, a report, a graph, the graph of a view, an accepted step."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event as Flag

from core.errors import OutputError, UsageError
from core.layout.picture import drawn
from core.model.class_model import ClassModel
from core.model.graph_export import by_jar, jars_json, to_dot, to_graphml, to_json
from core.protocol.commands import LayOut
from core.protocol.events import Exported, Layout
from core.protocol.questions.exports import Export, ExportStep, ExportView
from core.service.bug_folder import report_document, write_bug_folder
from core.service.queries.bug_sources import source_memory
from core.service.queries.desk import Desk
from core.service.queries.layouts import drawing, granted
from core.service.source_memory import SourceMemory
from core.service.workspace import Workspace
from core.system.files import write_whole
from core.words import no_such

FORMATS = ("dot", "graphml")


def view_bytes(model: ClassModel, kind: str, wish: LayOut) -> bytes:
    """Return the graph of a view in a format of :data:`FORMATS`.

    In a graph of the packages (or of the matrix of packages) the nodes are packages. A graph of a focus has the classes
    of the focus; every other graph has all classes.
    """
    if kind not in FORMATS:
        raise UsageError(no_such("format", kind, FORMATS))
    packages = wish.view == "packages" or (wish.view == "matrix" and wish.rows == "packages")
    graph = model.graph
    if wish.view == "focus":
        shown = granted(model, wish)
        assert isinstance(shown, Layout)
        graph = graph.part(sorted(shown.items))
    if kind == "dot":
        return to_dot(graph, not packages, packages).encode()
    return to_graphml(graph, not packages, packages)


FOLDER = "folder"
"""The kind of export that writes the folder of :mod:`core.service.bug_folder`."""

_SECONDS = 900.0
"""Time limit of the programs that an export runs, in seconds."""
REPORTS = ("report", "markdown", "html")
GRAPH_FORMATS = ("json", "dot", "graphml", "svg", "png")


def graph_bytes(
    model: ClassModel, kind: str, *, components: bool = False, packages: bool = False, jars: bool = False
) -> bytes:
    """Return the class graph in a format of ``GRAPH_FORMATS``; with ``jars`` that of the jars of a class path."""
    if jars and kind != "json":
        model, packages = by_jar(model), True
    match kind:
        case "json" if jars:
            return (json.dumps(jars_json(model)) + "\n").encode()
        case "json":
            return (json.dumps(to_json(model.graph)) + "\n").encode()
        case "dot":
            return to_dot(model.graph, components, packages).encode()
        case "graphml":
            return to_graphml(model.graph, components, packages)
        case "svg" | "png":
            picture = drawn(drawing(model, packages), kind)
            if picture is None:
                raise OutputError(
                    "The picture took too long, or Graphviz failed. Write a graph (DOT or GraphML) instead."
                )
            return picture
    raise UsageError(no_such("graph format", kind, GRAPH_FORMATS))


def report_bytes(workspace: Workspace, what: str, sources: SourceMemory, end: Flag) -> bytes:
    """Return the report in one of the forms ``REPORTS``; ``sources`` were made before. Raises UsageError before a
    reduction has ended."""
    if what == "report":
        return (json.dumps(workspace.report, indent=2) + "\n").encode()
    document = report_document(workspace, sources, end)
    return (document.markdown() if what == "markdown" else document.html()).encode()


def export(workspace: Workspace, what: str, path: Path, sources: SourceMemory, end: Flag) -> Exported:
    """Write ``jar`` (the best so far), a report (JSON, ``markdown``, ``html``), a bug ``folder`` or a graph to
    ``path``. Return the event that tells of the file. ``sources``: those that were made of results before. ``end`` ends
    the programs of a report or bug folder."""
    model = workspace.opened
    if what == FOLDER:
        message = write_bug_folder(workspace, path, end, sources).message
        return Exported(str(path), sum(one.stat().st_size for one in path.rglob("*")), what, message)
    workspace.refuse(path)
    if what == "jar":
        workspace.write_best(path)
    elif what in REPORTS:
        write_whole(path, report_bytes(workspace, what, sources, end), parents=True)
    elif what in GRAPH_FORMATS:
        write_whole(path, graph_bytes(model, what), parents=True)
    else:
        raise UsageError(f"Cannot export {what!r}: choose among jar, {', '.join((FOLDER, *REPORTS, *GRAPH_FORMATS))}.")
    return _exported(path, what)


def export_result(desk: Desk, wish: Export) -> Exported:
    """Write the best candidate so far, the report or the class graph."""
    with desk.background.run("export", f"Export of the {wish.what}", _SECONDS, alone=False) as cancel:
        return export(desk.workspace, wish.what, Path(wish.path), source_memory(desk), cancel)


def export_view(desk: Desk, wish: ExportView) -> Exported:
    """Write what a view of the window shows (:mod:`core.service.queries.export`)."""
    workspace, path = desk.workspace, Path(wish.path)
    workspace.refuse(path)
    write_whole(path, view_bytes(workspace.opened, wish.what, wish.view), parents=True)
    return _exported(path, wish.what)


def export_step(desk: Desk, wish: ExportStep) -> Exported:
    """Write an accepted step as a jar."""
    path = Path(wish.path)
    desk.workspace.write(path, desk.keeper.step(wish.step))
    return _exported(path, "step")


def _exported(path: Path, what: str) -> Exported:
    return Exported(str(path), path.stat().st_size, what)
