"""Writing what the session holds at the user's wish: reduced jar, report, graph."""

from __future__ import annotations

import json
from pathlib import Path

from core.errors import OutputError, UsageError
from core.layout.picture import png, svg
from core.model.class_model import ClassModel
from core.model.graph_export import to_dot, to_graphml, to_json
from core.protocol.commands import LayOut
from core.protocol.events import Exported
from core.search.item_sets import ItemSet
from core.service.bug_folder import report_document, write_bug_folder
from core.service.queries.layouts import drawing
from core.service.queries.views import view_bytes
from core.service.workspace import Workspace
from core.system.files import write_whole

FOLDER = "folder"
"""The folder that is handed on (:mod:`core.service.bug_folder`)."""

REPORTS = ("report", "markdown", "html")
GRAPH_FORMATS = ("json", "dot", "graphml", "svg", "png")


def graph_bytes(
    model: ClassModel, kind: str, *, components: bool = False, packages: bool = False, kept: ItemSet | None = None
) -> bytes:
    """The class graph in a format of ``GRAPH_FORMATS``; with ``kept``, pictures tell kept classes from gone ones."""
    match kind:
        case "json":
            return (json.dumps(to_json(model.graph)) + "\n").encode()
        case "dot":
            return to_dot(model.graph, components, packages).encode()
        case "graphml":
            return to_graphml(model.graph, components, packages)
        case "svg":
            return svg(drawing(model, packages, kept)).encode()
        case "png":
            picture = png(drawing(model, packages, kept))
            if picture is None:
                raise OutputError("The PNG picture took too long or Graphviz failed. Write an SVG instead.")
            return picture
    raise UsageError(f"There is no graph format {kind!r}: choose among {', '.join(GRAPH_FORMATS)}.")


def report_bytes(session: Workspace, what: str) -> bytes:
    """The report in one of ``REPORTS``. Raises UsageError before a reduction has ended."""
    if session.last_report is None:
        raise UsageError("There is no report yet: it is written when a reduction has ended.")
    if what == "report":
        return (json.dumps(session.last_report, indent=2) + "\n").encode()
    document = report_document(session)
    return (document.markdown() if what == "markdown" else document.html()).encode()


def export_view(session: Workspace, what: str, path: Path, wish: LayOut) -> None:
    """Writes what a view of the window shows (:mod:`core.service.queries.views`), and emits that."""
    model = session.opened
    reduced = None if session.kept == model.full else session.kept
    session.refuse(path)
    write_whole(path, view_bytes(model, what, wish, reduced), parents=True)
    session.emit(Exported(str(path), path.stat().st_size, what))


def export(session: Workspace, what: str, path: Path) -> None:
    """Writes ``jar`` (best so far), a report (JSON, ``markdown``, ``html``), a ``folder`` to hand on, or a graph to
    ``path``, and emits that."""
    model = session.opened
    if what == FOLDER:
        message = write_bug_folder(session, path).message
        session.emit(Exported(str(path), sum(one.stat().st_size for one in path.rglob("*")), what, message))
        return
    session.refuse(path)
    if what == "jar":
        session.write_best(path)
    elif what in REPORTS:
        write_whole(path, report_bytes(session, what), parents=True)
    elif what in GRAPH_FORMATS:
        reduced = None if session.kept == model.full else session.kept
        write_whole(path, graph_bytes(model, what, kept=reduced), parents=True)
    else:
        raise UsageError(f"Cannot export {what!r}: choose among jar, {', '.join((FOLDER, *REPORTS, *GRAPH_FORMATS))}.")
    session.emit(Exported(str(path), path.stat().st_size, what))
