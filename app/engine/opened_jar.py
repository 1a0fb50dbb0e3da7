"""The opened jar as arrays: items, packages, class graph, places. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from core.protocol import events
from core.protocol.java_names import java_name, package_of, simple_name

Ints = NDArray[np.int32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Neighbours of each node, flat: those of node ``i`` are ``targets[starts[i]:starts[i + 1]]``."""

    starts: Ints
    targets: Ints

    def of(self, node: int) -> Ints:
        """Return the neighbours of ``node``."""
        return self.targets[self.starts[node] : self.starts[node + 1]]

    def degree(self, node: int) -> int:
        """Return the number of neighbours of ``node``."""
        return int(self.starts[node + 1] - self.starts[node])


def adjacency(source: Ints, target: Ints, nodes: int) -> Adjacency:
    """Return the neighbours by ``source``, in the order of the pairs."""
    order = np.argsort(source, kind="stable")
    starts = np.zeros(nodes + 1, np.int32)
    np.cumsum(np.bincount(source, minlength=nodes)[:nodes], out=starts[1:])
    return Adjacency(starts, target[order])


class JarFolder(NamedTuple):
    """A package, or with ``resources`` a folder of them, and its items in the order of their names; of several jars
    ``jar`` is the name of its own."""

    jar: str
    resources: bool
    name: str
    items: list[int]
    numbers: NDArray[np.int64]
    """``items`` as an array."""
    bytes: int


@dataclass(frozen=True, slots=True)
class OpenedJar:
    """The input as the engine read it. Arrays run over items; item numbers are the engine's."""

    sources: list[str]
    end: str
    """Ending of a result's name; empty if the result is a folder of jars."""
    title: str
    bytes: int
    classes: int
    kinds: list[str]
    names: list[str]
    """As the JVM writes them: ``a/b/C``; paths of resources."""
    full: list[str]
    """As Java writes them: ``a.b.C.D``; paths of resources."""
    simple: list[str]
    packages: list[str]
    """Package of each item, ``""`` = unnamed; a resource's is its folder."""
    lowered: list[str]
    """``full`` in lower case, for searching."""
    small: list[str]
    """``simple`` in lower case, for searching."""
    numbers: dict[str, int]
    """Item of each name in ``names``."""
    folders: list[JarFolder]
    """Of each jar the packages with their classes, then the folders with their resources."""
    sizes: NDArray[np.int64]
    components: Ints
    component_count: int
    members: Adjacency
    """Classes of each component."""
    edge_from: Ints
    edge_to: Ints
    needs: Adjacency
    needed_by: Adjacency
    is_class: NDArray[np.bool_]
    pinned: NDArray[np.bool_]
    warnings: list[str] = field(default_factory=list)
    unresolved: int = 0
    seconds: float = 0.0

    @property
    def items(self) -> int:
        """Number of items of all kinds."""
        return len(self.names)

    def find(self, text: str) -> Ints:
        """Return the items whose Java name contains ``text``, upper and lower case alike; classes first."""
        wanted = text.strip().lower()
        if not wanted:
            return np.zeros(0, np.int32)
        hits = np.array([i for i, name in enumerate(self.lowered) if wanted in name], np.int32)
        return hits[np.argsort(~self.is_class[hits], kind="stable")] if len(hits) else hits


@dataclass(frozen=True, slots=True)
class Places:
    """Where to draw the nodes of a view, in scene units."""

    view: str
    """``packages``, ``components``, ``focus`` or ``force``."""
    rects: Floats
    """x, y, width, height of each node; items without a place have width 0."""
    boxes: Floats
    """x, y, width, height of the boxes of cycles."""
    box_components: Ints
    labels: list[str]
    members: Ints
    """Package node of each item, -1 = none (``packages`` view)."""
    seconds: float = 0.0
    request: int = 0
    """The number of the wish that this is the answer to."""
    names: list[str] = field(default_factory=list)
    """Internal names behind the labels (``packages`` view)."""
    items: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """Item of each node, -1 = a package (``packages`` and ``focus`` view)."""
    blocks: Ints = field(default_factory=lambda: np.zeros(0, np.int32))
    """Box of each node, -1 = none (``packages`` view)."""
    frames: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    frame_names: list[str] = field(default_factory=list)
    frame_labels: list[str] = field(default_factory=list)
    left_out: int = 0
    """Classes in reach without a place (``focus`` view)."""


def jar_from(event: events.Opened) -> OpenedJar:
    """Return the arrays of an ``opened`` event."""
    count = len(event.names)
    is_class = np.array([kind == "class" for kind in event.kinds], np.bool_)
    pairs = np.array(event.edges, np.int32).reshape(-1, 2)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    components = np.array(event.components, np.int32)
    inside = np.flatnonzero(components >= 0).astype(np.int32)
    pinned = np.zeros(count, np.bool_)
    pinned[event.pinned] = True
    full = [java_name(name) if kind == "class" else name for name, kind in zip(event.names, event.kinds, strict=True)]
    simple = [
        simple_name(n) if k == "class" else n.rpartition("/")[2] for n, k in zip(event.names, event.kinds, strict=True)
    ]
    packages, small = [package_of(name) for name in event.names], [name.lower() for name in simple]
    return OpenedJar(
        sources=event.sources,
        end=event.end,
        title=event.title,
        bytes=event.bytes,
        classes=event.classes,
        kinds=event.kinds,
        names=event.names,
        full=full,
        simple=simple,
        packages=packages,
        lowered=[name.lower() for name in full],
        small=small,
        numbers={name: item for item, name in enumerate(event.names)},
        folders=_folders(event, packages, small),
        sizes=np.array(event.sizes, np.int64),
        components=components,
        component_count=event.component_count,
        members=adjacency(components[inside], inside, event.component_count),
        edge_from=pairs[:, 0].copy(),
        edge_to=pairs[:, 1].copy(),
        needs=adjacency(pairs[:, 0], pairs[:, 1], count),
        needed_by=adjacency(pairs[:, 1], pairs[:, 0], count),
        is_class=is_class,
        pinned=pinned,
        warnings=event.warnings,
        unresolved=event.unresolved,
        seconds=event.seconds,
    )


def _folders(event: events.Opened, packages: list[str], small: list[str]) -> list[JarFolder]:
    """Return the packages and the folders of resources, sorted by their names."""
    sizes = np.array(event.sizes, np.int64)
    found: dict[tuple[str, bool, str], list[int]] = {}
    for item in sorted(range(len(small)), key=small.__getitem__):
        resources = event.kinds[item] != "class"
        jar = event.jars[event.jar_of[item]] if event.jars else ""
        name = event.names[item].removeprefix(f"{jar}!/").rpartition("/")[0] if resources else packages[item]
        found.setdefault((jar, resources, name), []).append(item)
    rows = ((*key, found[key], np.array(found[key], np.int64)) for key in sorted(found))
    return [JarFolder(*row, int(sizes[row[-1]].sum())) for row in rows]


def places_from(event: events.Layout) -> Places:
    """Return the arrays of a ``layout`` event."""
    columns = [np.asarray(c, np.float64) for c in (event.x, event.y, event.width, event.height)]
    quintuples = np.array(event.boxes, np.float64).reshape(-1, 5)
    return Places(
        view=event.view,
        rects=np.ascontiguousarray(np.stack(columns, axis=1)) if columns else np.zeros((0, 4)),
        boxes=np.ascontiguousarray(quintuples[:, :4]),
        box_components=quintuples[:, 4].astype(np.int32),
        labels=list(event.labels),
        members=np.array(event.members, np.int32),
        seconds=event.seconds,
        request=event.request,
        names=list(event.names) or list(event.labels),
        items=np.array(event.items, np.int32),
        blocks=np.array(event.blocks, np.int32),
        frames=np.array(event.frames, np.float64).reshape(-1, 4),
        frame_names=list(event.frame_names),
        frame_labels=list(event.frame_labels),
        left_out=event.left_out,
    )
