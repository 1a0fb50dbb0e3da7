"""Layouts of the opened model: as events for the window, as drawings for files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import networkx
import numpy as np

from core.archive.entry_names import MARK
from core.errors import UsageError
from core.layout.force import spring, stretched
from core.layout.layered import layered
from core.layout.layers import Focus, chain, focus
from core.layout.matrix import matrix
from core.layout.nested import folders, nested_view, readable_view
from core.layout.packages import all_open, numbered
from core.layout.picture import Drawing, class_drawing, package_drawing
from core.layout.placement import Floats, Ints, Placement, as_edges, edges_among
from core.model.class_model import ClassModel
from core.protocol.commands import LayOut
from core.protocol.events import Layout, Matrix
from core.protocol.java_names import package_name
from core.service.queries.explore.treemap import treemap

DEEPEST = 6
"""Largest number of steps of a neighbourhood."""
OPEN_MOST = 3000
"""Number of classes up to which packages are opened when all are wanted: the smallest packages first."""


def granted(model: ClassModel, wish: LayOut) -> Layout | Matrix:
    """Return the layout that a wish asks for. Raises UsageError for items that do not exist."""
    if any(item >= len(model.items) for item in wish.items):
        raise UsageError(f"'items' are numbers below {len(model.items)}, not {list(wish.items)}.")
    return replace(_VIEWS[wish.view](model, wish), request=wish.request)


def package_layout(model: ClassModel, wish: LayOut | None = None, room: Sequence[int] = ()) -> Layout:
    """Return the layout of the packages: cards for closed ones, frames for opened ones. The window shows it first, with
    as many open as can be read in ``room`` pixels, width and height.
    """
    packages = _package_names(model)
    opened = None if wish is None else wish.open
    if wish is not None and wish.open_all and model.graph.nodes:
        opened = tuple(all_open(folders(packages), OPEN_MOST))
    if opened is None and len(room) == 2:
        view = readable_view(packages, model.edges, model.components, (room[0], room[1]))
    else:
        view = nested_view(packages, model.edges, model.components, opened)
    return _laid_out(
        "packages",
        view.rects,
        boxes=view.boxes.round(1).ravel().tolist(),
        labels=[card.title for card in view.cards],
        members=view.members.tolist(),
        names=[card.name for card in view.cards],
        items=view.items.tolist(),
        blocks=view.blocks.tolist(),
        frames=view.frames.round(1).ravel().tolist(),
        frame_names=[card.name for card in view.framed],
        frame_labels=[card.title for card in view.framed],
    )


def _component_layout(model: ClassModel, wish: LayOut) -> Layout:
    """Return the layout of the class graph in layers. Each strongly connected component is a box."""
    return _event("components", _classes(model))


def drawing(model: ClassModel, packages: bool) -> Drawing:
    """Return the drawing of the model for a picture."""
    if packages:
        in_jar = [name and name.rpartition(MARK)[2] for name in _package_names(model)]
        return package_drawing(in_jar, model.edges, model.jar.title)
    names = [item.name for item in model.items]
    return class_drawing(_classes(model), names, model.edges, model.jar.title)


def _focus_layout(model: ClassModel, wish: LayOut) -> Layout:
    if wish.together:
        return _together(model, wish)
    count, depth = len(model.items), min(wish.depth, DEEPEST)
    if len(wish.items) > 1:
        view: Focus = chain(count, model.edges, wish.items)
    else:
        view = focus(count, model.edges, wish.items[0], depth, wish.needs, wish.needed_by)
    items = view.items.tolist()
    return _laid_out("focus", view.rects, items=items, left_out=view.left_out)


def _treemap_layout(model: ClassModel, wish: LayOut) -> Layout:
    view = treemap(_package_names(model), [item.bytes for item in model.items], wish.wide / 100)
    return _laid_out(
        "treemap",
        view.rects,
        digits=2,
        frames=view.frames.round(2).ravel().tolist(),
        frame_names=view.names,
        frame_labels=[package_name(name) for name in view.names],
    )


def _together(model: ClassModel, wish: LayOut) -> Layout:
    """Return the layout of some classes in layers. Classes that need each other are in boxes."""
    components = np.asarray(model.components, dtype=np.int64)
    items = np.asarray([item for item in dict.fromkeys(wish.items) if components[item] >= 0], dtype=np.int64)
    edges = edges_among(as_edges(model.edges), items, len(components))
    parts = networkx.DiGraph()
    parts.add_nodes_from(range(len(items)))
    parts.add_edges_from(edges.tolist())
    own = np.zeros(len(items), dtype=np.int64)
    for component, nodes in enumerate(sorted(map(sorted, networkx.strongly_connected_components(parts)))):
        own[nodes] = component
    placed = layered(len(items), edges, own)
    box_of = {int(box[4]): at for at, box in enumerate(placed.boxes.tolist())}
    blocks = [box_of.get(int(component), -1) for component in own]
    return _event("focus", placed, items=items.tolist(), blocks=blocks)


def _force_layout(model: ClassModel, wish: LayOut) -> Layout:
    placed = np.flatnonzero(np.asarray(model.components, dtype=np.int64) >= 0)
    return _event("force", stretched(spring(len(model.items), model.edges, placed), wish.wide / 100))


def _matrix(model: ClassModel, wish: LayOut) -> Matrix:
    row_of, names = _rows(model, wish.rows)
    view = matrix(len(names), model.edges, row_of)
    row = np.empty(len(names), dtype=np.int64)
    row[view.order] = np.arange(len(names))
    return Matrix(
        rows=wish.rows,
        names=[names[node] for node in view.order.tolist()],
        members=np.where(row_of >= 0, row[row_of], -1).tolist() if len(names) else [-1] * len(row_of),
        cells=view.cells.ravel().tolist(),
        groups=view.groups.ravel().tolist(),
    )


_VIEWS: dict[str, Callable[[ClassModel, LayOut], Layout | Matrix]] = {
    "packages": package_layout,
    "components": _component_layout,
    "focus": _focus_layout,
    "force": _force_layout,
    "treemap": _treemap_layout,
    "matrix": _matrix,
}
"""The layout of each of :data:`core.protocol.commands.VIEWS`."""


def _rows(model: ClassModel, rows: str) -> tuple[Ints, list[str]]:
    """Return the number of the row of each item, and the names of the rows."""
    components = np.asarray(model.components, dtype=np.int64)
    if rows == "components":
        first: dict[int, str] = {}
        for item, component in enumerate(model.components):
            if component >= 0:
                first.setdefault(component, model.items[item].name)
        return components, [first[component] for component in range(len(first))]
    if rows == "classes":
        classes = np.flatnonzero(components >= 0)
        node_of = np.full(len(components), -1, dtype=np.int64)
        node_of[classes] = np.arange(len(classes))
        return node_of, [model.items[item].name for item in classes.tolist()]
    return numbered(_package_names(model))


def _package_names(model: ClassModel) -> list[str | None]:
    """Return the package of each item, behind its jar if that is an opened one; None for an item that is no class."""
    entries, nodes = model.jar.entries, model.graph.nodes
    packages = ["".join(entries[node.entry].name.rpartition(MARK)[:2]) + node.package for node in nodes]
    return [*packages, *[None] * (len(model.items) - len(packages))]


def _classes(model: ClassModel) -> Placement:
    return layered(len(model.items), model.edges, model.components)


def _event(view: str, placed: Placement, **more: Any) -> Layout:
    return _laid_out(view, placed.rects, boxes=placed.boxes.round(1).ravel().tolist(), **more)


def _laid_out(view: str, rects: Floats, digits: int = 1, **more: Any) -> Layout:
    """Return the event of a layout; ``more`` has the other fields of its view."""
    return Layout(view, rects.round(digits).ravel().tolist(), **more)
