"""Places to draw the opened model at: as events for the window, as drawings for files."""

from __future__ import annotations

import time

from core.layout.graphviz_dot import refined
from core.layout.layered import layered
from core.layout.packages import PackageView, package_view
from core.layout.picture import Drawing, class_drawing, package_drawing
from core.layout.placement import Placement
from core.model.items import Model
from core.run.events import Layout
from core.search.spaces import ItemSet


def package_layout(model: Model) -> Layout:
    """One node a package: the first thing that the window shows."""
    start = time.monotonic()
    view = _packages(model)
    return _event(
        "packages",
        view.placement,
        start,
        labels=view.names,
        members=view.members.tolist(),
        edges=view.edges.ravel().tolist(),
    )


def component_layout(model: Model) -> Layout:
    """The class graph in layers, each strongly connected component a box: quick."""
    start = time.monotonic()
    return _event("components", _classes(model), start)


def refined_layout(model: Model) -> Layout | None:
    """The same, placed by Graphviz; None when that takes too long."""
    start = time.monotonic()
    placed = refined(len(model.items), model.edges, model.components)
    return None if placed is None else _event("components", placed, start)


def drawing(model: Model, packages: bool, kept: ItemSet | None) -> Drawing:
    """What a picture of the model shows; classes outside ``kept`` are drawn as gone."""
    if packages:
        return package_drawing(_packages(model), model.jar.title)
    numbers = None if kept is None else [i for i in range(len(model.items)) if kept >> i & 1]
    names = [item.name for item in model.items]
    return class_drawing(_classes(model), names, model.edges, numbers, model.jar.title)


def _packages(model: Model) -> PackageView:
    packages = [node.package for node in model.graph.nodes]
    return package_view([*packages, *[None] * (len(model.items) - len(packages))], model.edges)


def _classes(model: Model) -> Placement:
    return layered(len(model.items), model.edges, model.components)


def _event(
    view: str,
    placed: Placement,
    start: float,
    *,
    labels: list[str] | None = None,
    members: list[int] | None = None,
    edges: list[int] | None = None,
) -> Layout:
    return Layout(
        view=view,
        engine=placed.engine,
        x=placed.x.round(1).tolist(),
        y=placed.y.round(1).tolist(),
        width=placed.width.round(1).tolist(),
        height=placed.height.round(1).tolist(),
        boxes=placed.boxes.round(1).ravel().tolist(),
        labels=labels or [],
        members=members or [],
        edges=edges or [],
        seconds=time.monotonic() - start,
    )
