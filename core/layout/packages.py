"""The package view: one box a package, sized by its classes, in layers like the class graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np

from core.layout.components import PADDING, place_components, shelf_limit, shelves
from core.layout.placement import Edges, Floats, Ints, Placement, as_edges, condense, edges_between
from core.protocol.java_names import dotted

SCALE = 8.0
"""Height of a package's box, by the square root of its classes: area tells the number."""
MOST_HEIGHT = 76.0
"""Height of the largest box of a picture: beside a higher one the names of the others would be too small to read."""
SHAPE = 2.5
"""Width / height of a box: package graphs are deep, flat boxes keep the picture from becoming a tower."""
LEAST_HEIGHT = 28.0
LETTER = 8.0
GAP = 14.0


@dataclass(frozen=True, slots=True, eq=False)
class PackageView:
    """Packages with places. All lists run parallel to the packages but ``members``."""

    placement: Placement
    """``boxes`` are the groups of packages that mention each other in a circle."""
    names: list[str]
    """As they came in, sorted."""
    labels: list[str]
    """Short ones, for drawing."""
    classes: Ints
    """Number of classes."""
    members: Ints
    """Package of each node of the class graph, -1 for one without."""
    edges: Ints
    """Shape (k, 3): from, to, number of class edges."""


def package_view(packages: Sequence[str | None], edges: Edges) -> PackageView:
    """Place the packages of a class graph.

    ``packages`` names each node's package; None for a node without one (a resource), ``""``
    is the unnamed package. ``edges`` are the class graph's.
    """
    names = sorted({name for name in packages if name is not None})
    number = {name: index for index, name in enumerate(names)}
    members = np.asarray([-1 if name is None else number[name] for name in packages], dtype=np.int64)
    classes = np.bincount(members[members >= 0], minlength=len(names)).astype(np.int64)
    between = edges_between(as_edges(edges), members)
    labels = package_labels(names)
    width, height = box_sizes(labels, classes, int(classes.max(initial=1)))
    placement = place_packages(between[:, :2], width, height)
    return PackageView(placement, names, labels, classes, members, between)


def box_sizes(labels: list[str], classes: Ints, most: int) -> tuple[Floats, Floats]:
    """Return the widths and heights of the boxes of packages with these labels and numbers of classes, in a picture
    whose largest package has ``most`` classes.
    """
    height = min(SCALE, MOST_HEIGHT / max(most, 1) ** 0.5) * np.sqrt(classes.astype(np.float64))
    text = np.asarray([LETTER * len(label) + 2 * PADDING for label in labels], dtype=np.float64)
    height = np.maximum(height, LEAST_HEIGHT)
    return np.maximum(SHAPE * height, text), height


def place_packages(edges: Ints, width: Floats, height: Floats) -> Placement:
    """Place boxes of these sizes, ``edges`` of any kind between them.

    Layers of the condensation; packages of one component stand on shelves in its box.
    """
    count = len(width)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from(edges.tolist())
    components = sorted(sorted(part) for part in nx.strongly_connected_components(graph))
    component_of = np.zeros(count, dtype=np.int64)
    inner_x, inner_y = np.zeros(count), np.zeros(count)
    box_width, box_height = np.zeros(len(components)), np.zeros(len(components))
    for index, part in enumerate(components):
        nodes = np.asarray(part, dtype=np.int64)
        component_of[nodes] = index
        inset = PADDING if len(part) > 1 else 0.0
        limit = shelf_limit(width[nodes], height[nodes], SHAPE, GAP)
        x, y = shelves(width[nodes], height[nodes], limit, GAP)
        inner_x[nodes], inner_y[nodes] = x + inset, y + inset
        box_width[index] = (x + width[nodes]).max() + 2 * inset
        box_height[index] = (y + height[nodes]).max() + 2 * inset
    box_x, box_y = place_components(condense(edges, component_of), box_width, box_height)
    boxed = np.asarray([index for index, part in enumerate(components) if len(part) > 1], dtype=np.int64)
    boxes = np.stack(
        [box_x[boxed], box_y[boxed], box_width[boxed], box_height[boxed], boxed.astype(np.float64)], axis=1
    )
    x, y = box_x[component_of] + inner_x, box_y[component_of] + inner_y
    return Placement(x, y, width, height, boxes, "layered")


def package_labels(names: Sequence[str]) -> list[str]:
    """Return the package names with dots, without the leading parts that all of them share."""
    parts = [dotted(name).split(".") if name else [] for name in names]
    filled = [path for path in parts if path]
    shared = 0
    if len(filled) > 1:
        # The last part of the shortest name always stays.
        limit = min(len(path) for path in filled) - 1
        while shared < limit and len({path[shared] for path in filled}) == 1:
            shared += 1
    return [".".join(path[shared:]) if path else "(unnamed)" for path in parts]
