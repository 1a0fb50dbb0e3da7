"""The scene of a canvas, as arrays: nodes, blocks, edges between blocks. No Qt.

A *node* is a package (or a group of packages) or an item. A *block* is an end of an edge of the background: a
component's box, or a node that stands alone. Coordinates are scene units, y downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app import text
from app.engine.opened_jar import NO_JAR, Adjacency, Floats, Ints, OpenedJar, adjacency
from app.graph.scene.weights import apart, strong
from app.shortening import TitleIndex, last_parts, told_apart
from core.protocol import events
from core.protocol.java_names import package_name


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
    item_of_node: Ints
    """-1 = a package."""
    cards: int
    """The first so many nodes are packages."""
    names: list[str]
    """Internal names of those; of a group with ``/*`` behind it."""
    frames: Floats
    """Opened packages, outer ones first."""
    frame_names: list[str]
    frame_titles: list[str]
    strong: NDArray[np.bool_]
    """Lines that are drawn strongly; empty = all alike."""
    index: TitleIndex
    left_out: int
    """Classes in reach without a place."""
    request: int
    """The number of the wish that this is the answer to."""

    @property
    def nodes(self) -> int:
        """Number of nodes, drawn or not."""
        return len(self.rects)

    def bounds(self) -> tuple[float, float, float, float]:
        """Return x, y, width, height around everything; a unit square if there is nothing."""
        return enclosing(np.concatenate([self.rects[self.rects[:, 2] > 0], self.boxes, self.frames]))

    def around(self, nodes: Ints) -> tuple[float, float, float, float]:
        """Return x, y, width, height around some nodes."""
        rects = self.rects[nodes]
        return enclosing(rects[rects[:, 2] > 0])


def enclosing(rects: Floats) -> tuple[float, float, float, float]:
    """Return the smallest rectangle around ``rects``."""
    if not len(rects):
        return 0.0, 0.0, 1.0, 1.0
    low = rects[:, :2].min(axis=0)
    high = (rects[:, :2] + rects[:, 2:]).max(axis=0)
    return float(low[0]), float(low[1]), float(high[0] - low[0]), float(high[1] - low[1])


def scene_from(jar: OpenedJar, event: events.Layout) -> Scene:
    """Return the scene of a ``layout`` event: packages, some of the items, or both are nodes."""
    rects = np.array(event.rects, np.float64).reshape(-1, 4)
    numbered = np.array(event.boxes, np.float64).reshape(-1, 5)
    count, cards, boxes = len(rects), len(event.labels), np.ascontiguousarray(numbered[:, :4])
    items, node_of_item, node_box = (np.array(one, np.int32) for one in (event.items, event.members, event.blocks))
    if not len(items):  # one node per package, or one per item
        items = np.full(count, -1, np.int32) if cards else np.arange(count, dtype=np.int32)
    if not len(node_of_item):
        node_of_item = np.full(jar.items, -1, np.int32)
        there = np.flatnonzero((items >= 0) & (rects[:, 2] > 0))
        node_of_item[items[there]] = there
    node_box = node_box if len(node_box) else np.full(count, -1, np.int32)
    components = np.full(len(boxes), -1, np.int32)
    if event.view == "components":
        components = numbered[:, 4].astype(np.int32)
        box_of = np.full(jar.component_count + 1, -1, np.int32)  # the last one is for items in no component
        box_of[components] = np.arange(len(boxes))
        node_box = box_of[jar.components]
    blocks = rects.copy()
    boxed = node_box >= 0
    blocks[boxed] = boxes[node_box[boxed]]
    source, target = node_of_item[jar.edge_from], node_of_item[jar.edge_to]
    drawn = (source >= 0) & (target >= 0)
    source, target = source[drawn], target[drawn]
    # One line for all edges between the same two boxes; inside a box the box says it all.
    number = np.where(boxed, count + node_box, np.arange(count))
    first, weight = _distinct(number[source], number[target])
    line_from, line_to = source[first], target[first]
    frame_titles = list(event.frame_labels)
    if event.view == "treemap":  # areas are to be seen, not edges
        line_from, line_to, weight = line_from[:0], line_to[:0], weight[:0]
        frame_titles = last_parts(frame_titles)
    pairs, _ = _distinct(source, target)
    source, target = source[pairs], target[pairs]
    placed = np.flatnonzero(node_of_item >= 0).astype(np.int32)
    shown = items[cards:].tolist()
    titles = [package_name(label) for label in event.labels]
    titles += told_apart([jar.simple[item] for item in shown], [jar.packages[item] for item in shown])
    return Scene(
        view=event.view,
        request=event.request,
        left_out=event.left_out,
        rects=rects,
        titles=titles,
        index=TitleIndex(titles),
        boxes=boxes,
        box_titles=[component_title(jar, one) if one >= 0 else "" for one in components.tolist()],
        box_components=components,
        node_box=node_box,
        lines=apart(border_lines(blocks[line_from], blocks[line_to]), line_from, line_to),
        line_from=line_from,
        line_to=line_to,
        line_weight=weight,
        strong=strong(line_from, line_to, weight, count) if cards else np.zeros(0, np.bool_),
        needs=adjacency(source, target, count),
        needed_by=adjacency(target, source, count),
        members=adjacency(node_of_item[placed], placed, count),
        node_of_item=node_of_item,
        item_of_node=items,
        cards=cards,
        names=list(event.names) or list(event.labels),
        frames=np.array(event.frames, np.float64).reshape(-1, 4),
        frame_names=list(event.frame_names),
        frame_titles=frame_titles,
    )


def empty_scene(jar: OpenedJar) -> Scene:
    """Return a scene without nodes, in the place of the views of a jar until the first of them is here."""
    return replace(NO_SCENE, node_of_item=np.full(jar.items, -1, np.int32))


def component_title(jar: OpenedJar, component: int) -> str:
    """Return a component by its class that most others need: ``LocalCache + 34``."""
    hub, others = hub_title(jar, component), jar.members.degree(component) - 1
    return f"{hub} + {others}" if others else hub


def hub_title(jar: OpenedJar, component: int) -> str:
    """Return the class of a component that most others need."""
    members = jar.members.of(component)
    starts = jar.needed_by.starts
    return jar.simple[int(members[np.argmax(starts[members + 1] - starts[members])])]


def _distinct(source: NDArray[np.integer], target: NDArray[np.integer]) -> tuple[Ints, Ints]:
    """Return the first place of each pair of different ends, and the number of its places.

    ``np.unique`` does the same, but its first call imports ``numpy.ma``: 40 ms of a still window.
    """
    across = np.flatnonzero(source != target)
    keys = source[across].astype(np.int64) * (int(target.max(initial=0)) + 1) + target[across]
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(keys)])
    counts = np.diff(np.concatenate([starts, [len(keys)]]))
    return across[order[starts]].astype(np.int32), counts.astype(np.int32)


def border_lines(start: Floats, end: Floats) -> Floats:
    """Return the lines between the middles of rectangles, cut off at their borders: rows x1, y1, x2, y2."""
    middle_a, middle_b = start[:, :2] + start[:, 2:] / 2, end[:, :2] + end[:, 2:] / 2
    way = middle_b - middle_a
    lines = np.empty((len(start), 4))
    lines[:, :2] = middle_a + way * _leaving(way, start[:, 2:] / 2)
    lines[:, 2:] = middle_b - way * _leaving(way, end[:, 2:] / 2)
    return lines


def _leaving(way: Floats, half: Floats) -> Floats:
    """Return the share of ``way`` after which it leaves a rectangle of half size ``half``, at most a half."""
    length = np.abs(way)
    shares = np.divide(half, length, out=np.full_like(half, np.inf), where=length > 1e-9)
    cut: Floats = np.minimum(shares.min(axis=1, keepdims=True), 0.5)
    return cut


def drawn_lines(scene: Scene, source: Ints, target: Ints) -> Floats:
    """Return the drawn lines between pairs of nodes, each once. Without a drawn line, as within a box, one goes
    straight from node to node."""
    blocks = np.where(scene.node_box >= 0, scene.nodes + scene.node_box, np.arange(scene.nodes))
    from_there = np.isin(blocks, blocks[source])  # of numbers of a small range: far faster than of pairs
    lines = np.flatnonzero(from_there[scene.line_from])
    keys, wanted = (
        blocks[start] * (scene.nodes + len(scene.boxes)) + blocks[end]
        for start, end in ((scene.line_from[lines], scene.line_to[lines]), (source, target))
    )
    alone = ~np.isin(wanted, keys)
    straight = border_lines(scene.rects[source[alone]], scene.rects[target[alone]])
    return np.concatenate([scene.lines[lines[np.isin(keys, wanted)]], straight])


def drawn_ways(scene: Scene, node: int) -> tuple[Floats, Floats]:
    """Return the lines from a node to those it needs, and the lines to it."""
    needs, needed_by = (one.of(node)[scene.rects[one.of(node), 2] > 0] for one in (scene.needs, scene.needed_by))
    itself = np.full(max(len(needs), len(needed_by)), node, np.int32)
    outward = drawn_lines(scene, itself[: len(needs)], needs)
    return outward, drawn_lines(scene, needed_by, itself[: len(needed_by)])


def describe(scene: Scene, node: int, jar: OpenedJar) -> list[str]:
    """Return the description of a node for a tooltip and a screen reader: the name, then facts."""
    if node < scene.cards:
        needs, needed_by = scene.needs.degree(node), scene.needed_by.degree(node)
        items = scene.members.of(node)
        octets = int(jar.sizes[items].sum())
        facts = f"{text.classes(len(items))}, {text.size(octets)}"
        relations = f"needs {text.counted(needs, 'neighbour')}, needed by {text.count(needed_by)}"
        return [package_name(scene.names[node]), facts, relations]
    item = int(scene.item_of_node[node])
    lines = [
        jar.full[item],
        text.size(int(jar.sizes[item])),
        f"needs {text.classes(jar.needs.degree(item))}, needed by {text.count(jar.needed_by.degree(item))}",
    ]
    component = int(jar.components[item])
    if component >= 0 and (others := jar.members.degree(component) - 1):
        lines.append(f"in a cycle with {text.counted(others, 'other class')}")
    return lines


NO_SCENE = scene_from(NO_JAR, events.Layout("", []))
