"""What a canvas draws, as arrays: nodes, blocks, edges between blocks. No Qt.

A *node* is a package or an item. A *block* is what an edge of the background ends at: a
component's box, or a node that stands alone. Coordinates are scene units, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app import text
from app.jar import Adjacency, Floats, Ints, Jar, Places, adjacency


@dataclass(frozen=True, slots=True)
class Scene:
    """One view of the jar, ready to be drawn."""

    view: str
    rects: Floats
    """x, y, width, height of each node; width 0 = not in this view."""
    titles: list[str]
    boxes: Floats
    box_titles: list[str]
    box_components: Ints
    node_box: Ints
    """Box of each node, -1 = none."""
    lines: Floats
    """x1, y1, x2, y2 of each edge of the background, from border to border."""
    line_from: Ints
    """A node that stands for the block at the start: the edge is drawn as gone with it."""
    line_to: Ints
    line_weight: Ints
    """Class edges that the line stands for."""
    needs: Adjacency
    needed_by: Adjacency
    members: Adjacency
    """Items of each node."""
    node_of_item: Ints

    @property
    def nodes(self) -> int:
        """Number of nodes, drawn or not."""
        return len(self.rects)

    def bounds(self) -> tuple[float, float, float, float]:
        """x, y, width, height around everything; a unit square when there is nothing."""
        return enclosing(np.concatenate([self.rects[self.rects[:, 2] > 0], self.boxes]))

    def around(self, nodes: Ints) -> tuple[float, float, float, float]:
        """x, y, width, height around some nodes."""
        rects = self.rects[nodes]
        return enclosing(rects[rects[:, 2] > 0])


def enclosing(rects: Floats) -> tuple[float, float, float, float]:
    """The smallest rectangle around ``rects``."""
    if not len(rects):
        return 0.0, 0.0, 1.0, 1.0
    low = rects[:, :2].min(axis=0)
    high = (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def scene_of(jar: Jar, places: Places) -> Scene:
    """The scene of a layout; the one that came with it, if any."""
    if places.scene is not None:
        return places.scene
    return _packages(jar, places) if places.view == "packages" else _components(jar, places)


def component_title(jar: Jar, component: int) -> str:
    """A component by its class that most others need: ``LocalCache + 34``."""
    members = jar.members.of(component)
    starts = jar.needed_by.starts
    hub = int(members[np.argmax(starts[members + 1] - starts[members])])
    return jar.simple[hub] if len(members) == 1 else f"{jar.simple[hub]} + {len(members) - 1}"


def _components(jar: Jar, places: Places) -> Scene:
    rects = places.rects
    shown = rects[:, 2] > 0
    box_of_component = np.full(jar.component_count, -1, np.int32)
    box_of_component[places.box_components] = np.arange(len(places.boxes), dtype=np.int32)
    node_box = np.full(len(rects), -1, np.int32)
    placed = jar.components >= 0
    node_box[placed] = box_of_component[jar.components[placed]]

    # One line for all class edges between the same two components; inside a box the box says it all.
    between = shown[jar.edge_from] & shown[jar.edge_to]
    source, target = jar.edge_from[between], jar.edge_to[between]
    ends = jar.components[np.stack([source, target], axis=1)].astype(np.int64)
    across = ends[:, 0] != ends[:, 1]
    keys = ends[across, 0] * max(jar.component_count, 1) + ends[across, 1]
    first, weight = _distinct(keys)
    line_from, line_to = source[across][first], target[across][first]

    blocks = rects.copy()
    boxed = node_box >= 0
    blocks[boxed] = places.boxes[node_box[boxed]]
    return Scene(
        view="components",
        rects=rects,
        titles=jar.simple,
        boxes=places.boxes,
        box_titles=[component_title(jar, int(c)) for c in places.box_components],
        box_components=places.box_components,
        node_box=node_box,
        lines=border_lines(blocks[line_from], blocks[line_to]),
        line_from=line_from,
        line_to=line_to,
        line_weight=weight,
        needs=jar.needs,
        needed_by=jar.needed_by,
        members=adjacency(*(2 * (np.arange(len(rects), dtype=np.int32),)), len(rects)),
        node_of_item=np.where(shown, np.arange(len(rects), dtype=np.int32), -1),
    )


def _distinct(keys: NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Where each distinct key stands first, and how often it is there.

    ``np.unique`` does the same, but its first call imports ``numpy.ma``: 40 ms of a still window.
    """
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(keys)])
    counts = np.diff(np.concatenate([starts, [len(keys)]]))
    return order[starts].astype(np.int32), counts.astype(np.int32)


def _packages(jar: Jar, places: Places) -> Scene:
    count = len(places.rects)
    items = np.flatnonzero(places.members >= 0).astype(np.int32)
    source, target, weight = places.edges[:, 0], places.edges[:, 1], places.edges[:, 2]
    return Scene(
        view="packages",
        rects=places.rects,
        titles=[label.replace("/", ".") or "(unnamed package)" for label in places.labels],
        boxes=places.boxes,
        box_titles=[""] * len(places.boxes),
        box_components=places.box_components,
        node_box=np.full(count, -1, np.int32),
        lines=border_lines(places.rects[source], places.rects[target]),
        line_from=source,
        line_to=target,
        line_weight=weight,
        needs=adjacency(source, target, count),
        needed_by=adjacency(target, source, count),
        members=adjacency(places.members[items], items, count),
        node_of_item=places.members,
    )


def border_lines(start: Floats, end: Floats) -> Floats:
    """Lines between the middles of rectangles, cut off at their borders: rows x1, y1, x2, y2."""
    middle_a, middle_b = start[:, :2] + start[:, 2:] / 2, end[:, :2] + end[:, 2:] / 2
    way = middle_b - middle_a
    lines = np.empty((len(start), 4))
    lines[:, :2] = middle_a + way * _leaving(way, start[:, 2:] / 2)
    lines[:, 2:] = middle_b - way * _leaving(way, end[:, 2:] / 2)
    return lines


def _leaving(way: Floats, half: Floats) -> Floats:
    """Share of ``way`` after which one has left a rectangle of half size ``half``, at most a half."""
    length = np.abs(way)
    shares = np.divide(half, length, out=np.full_like(half, np.inf), where=length > 1e-9)
    cut: Floats = np.minimum(shares.min(axis=1, keepdims=True), 0.5)
    return cut


def describe(scene: Scene, node: int, jar: Jar) -> list[str]:
    """What a tooltip and a screen reader say of a node: its name, then its facts."""
    needs, needed_by = scene.needs.degree(node), scene.needed_by.degree(node)
    if scene.view == "packages":
        items = scene.members.of(node)
        octets = int(jar.sizes[items].sum())
        facts = f"{text.plural(len(items), 'class', 'classes')}, {text.size(octets)}"
        relations = f"uses {text.plural(needs, 'package')}, used by {text.plural(needed_by, 'package')}"
        name = jar.packages[int(items[0])] if len(items) else ""
        return [name or "(unnamed package)", facts, relations]
    lines = [
        jar.full[node],
        text.size(int(jar.sizes[node])),
        f"needs {text.plural(needs, 'class', 'classes')}, needed by {text.count(needed_by)}",
    ]
    component = int(jar.components[node])
    if component >= 0 and (others := jar.members.degree(component) - 1):
        lines.append(f"in a cycle with {text.plural(others, 'other class', 'other classes')}")
    return lines
