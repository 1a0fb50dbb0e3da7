"""A view of the window in a file: its picture, or the graph that it shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.errors import UsageError
from core.layout.matrix import matrix_svg
from core.layout.picture import Drawing, svg
from core.layout.placement import Floats, Ints, Placement, as_edges
from core.model.class_model import ClassModel
from core.model.graph_export import to_dot, to_graphml
from core.protocol.commands import LayOut
from core.protocol.events import Layout, Matrix
from core.protocol.java_names import UNNAMED, java_name, simple_name
from core.service.queries.layouts import drawing, granted
from core.sets import ItemSet, members

FORMATS = ("svg", "dot", "graphml")
_CLASS_FONT, _CARD_FONT = 8.0, 11.0


def view_bytes(model: ClassModel, kind: str, wish: LayOut, kept: ItemSet | None = None) -> bytes:
    """Return the view in a format of :data:`FORMATS`. With ``kept`` the picture shows removed classes as such.

    In a graph of the packages (or of the matrix of packages) the nodes are packages. A graph of a focus has the classes
    of the focus; every other graph has all classes.
    """
    match kind:
        case "svg":
            return _picture(model, wish, kept).encode()
        case "dot" | "graphml":
            packages = wish.view == "packages" or (wish.view == "matrix" and wish.rows == "packages")
            graph = model.graph
            if wish.view == "focus":
                shown = next(iter(granted(model, wish)))
                assert isinstance(shown, Layout)
                graph = graph.part(sorted(shown.items))
            if kind == "dot":
                return to_dot(graph, not packages, packages).encode()
            return to_graphml(graph, not packages, packages)
    raise UsageError(f"There is no format {kind!r} of a view: choose among {', '.join(FORMATS)}.")


def _picture(model: ClassModel, wish: LayOut, kept: ItemSet | None) -> str:
    if wish.view == "components":
        return svg(drawing(model, False, kept))
    found = list(granted(model, wish))[-1]  # the best places come last
    return _matrix(model, found, kept) if isinstance(found, Matrix) else svg(_drawing(model, found, kept))


def _drawing(model: ClassModel, places: Layout, kept: ItemSet | None) -> Drawing:
    nodes, cards = len(places.x), len(places.labels)
    if places.view in ("force", "treemap"):
        items, node_of = np.arange(nodes), np.arange(nodes)
    else:
        items = np.asarray(places.items, dtype=np.int64)
        node_of = np.asarray(places.members, dtype=np.int64) if places.members else _inverse(items, len(model.items))
    names = [java_name(name) or UNNAMED for name in places.names] + [
        java_name(model.items[item].name) for item in items[cards:].tolist()
    ]
    labels = [*places.labels, *(simple_name(model.items[item].name) for item in items[cards:].tolist())]
    frames = np.asarray(places.frames, dtype=np.float64).reshape(-1, 4)
    boxes = np.asarray(places.boxes, dtype=np.float64).reshape(-1, 5)
    sides = (places.x, places.y, places.width, places.height)
    x, y, width, height = (np.asarray(side, dtype=np.float64) for side in sides)
    left = None
    if kept is not None:
        left = frozenset(node_of[list(members(kept))].tolist()) - {-1}
    return Drawing(
        placement=_shifted(Placement(x, y, width, height, np.vstack([_as_boxes(frames), boxes]), places.engine)),
        names=names,
        labels=labels,
        edges=_edges(model, node_of) if places.view != "treemap" else np.zeros((0, 2), dtype=np.int64),
        font=_CARD_FONT if places.view in ("packages", "focus") else _CLASS_FONT,
        kept=left,
        title=model.jar.title,
        frames=places.frame_labels,
        layered=places.view != "force",
    )


def _edges(model: ClassModel, node_of: Ints) -> Ints:
    """Return the pairs of nodes that edges between classes connect, each pair once."""
    pairs = node_of[as_edges(model.edges)]
    pairs = pairs[(pairs >= 0).all(axis=1) & (pairs[:, 0] != pairs[:, 1])]
    found: Ints = np.unique(pairs, axis=0)
    return found


def _inverse(items: Ints, count: int) -> Ints:
    node_of = np.full(count, -1, dtype=np.int64)
    node_of[items] = np.arange(len(items))
    return node_of


def _as_boxes(frames: Floats) -> Floats:
    return np.column_stack([frames, np.full(len(frames), -1.0)])


def _shifted(placement: Placement) -> Placement:
    """Return the placement, moved so that it begins at (0, 0)."""
    there = placement.width > 0
    left = min([*placement.x[there].tolist(), *placement.boxes[:, 0].tolist()], default=0.0)
    top = min([*placement.y[there].tolist(), *placement.boxes[:, 1].tolist()], default=0.0)
    boxes = placement.boxes.copy()
    boxes[:, 0] -= left
    boxes[:, 1] -= top
    return replace(placement, x=placement.x - left, y=placement.y - top, boxes=boxes)


def _matrix(model: ClassModel, found: Matrix, kept: ItemSet | None) -> str:
    cells = np.asarray(found.cells, dtype=np.int64).reshape(-1, 3)
    groups = np.asarray(found.groups, dtype=np.int64).reshape(-1, 2)
    rows = np.asarray(found.members, dtype=np.int64)
    gone: set[int] = set()
    if kept is not None:
        gone = set(range(len(found.names))) - set(rows[list(members(kept))].tolist())
    names = [java_name(name) or UNNAMED for name in found.names]
    if found.rows == "components":
        sizes = np.bincount(rows[rows >= 0], minlength=len(names)).tolist()
        names = [f"{name} + {size - 1}" if size > 1 else name for name, size in zip(names, sizes, strict=True)]
    return matrix_svg(names, cells.tolist(), groups.tolist(), gone, model.jar.title)
