"""The opened jar as arrays: items, packages, class graph. No Qt."""

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


def steps_along(
    source: NDArray[np.integer], target: NDArray[np.integer], front: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Return for each node the steps over the edges from the nearest node of ``front``; -1 = none leads there."""
    steps, step = np.where(front, 0, -1).astype(np.int64), 0
    while front.any():
        step += 1
        reached = np.zeros(len(front), np.bool_)
        reached[target[front[source]]] = True
        front = reached & (steps < 0)
        steps[front] = step
    return steps


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

    paths: list[str]
    end: str
    """Ending of a result's name; empty if the result is a folder of jars."""
    title: str
    bytes: int
    classes: int
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
    seconds: float = 0.0

    @property
    def items(self) -> int:
        """Number of items of all kinds."""
        return len(self.names)

    @property
    def opened(self) -> bool:
        """Return True if this is an input, and not :data:`NO_JAR`."""
        return self is not NO_JAR

    def steps_from(self, front: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return for each item the steps over needs from the nearest item of ``front``; -1 = none leads there."""
        return steps_along(self.edge_from, self.edge_to, front)

    def find(self, text: str) -> Ints:
        """Return the items whose Java name contains ``text``, upper and lower case alike; classes first."""
        wanted = text.strip().lower()
        if not wanted:
            return np.zeros(0, np.int32)
        hits = np.array([i for i, name in enumerate(self.lowered) if wanted in name], np.int32)
        return hits[np.argsort(~self.is_class[hits], kind="stable")] if len(hits) else hits


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
        paths=event.paths,
        end=event.end,
        title=event.title,
        bytes=event.bytes,
        classes=event.classes,
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
        seconds=event.seconds,
    )


def _folders(event: events.Opened, packages: list[str], small: list[str]) -> list[JarFolder]:
    """Return the packages and the folders of resources: jar by jar, sorted by their names."""
    sizes = np.array(event.sizes, np.int64)
    found: dict[tuple[int, bool, str], list[int]] = {}
    jars = event.jars or [""]
    for item in sorted(range(len(small)), key=small.__getitem__):
        resources, jar = event.kinds[item] != "class", event.jar_of[item] if event.jars else 0
        name = event.names[item].removeprefix(f"{jars[jar]}!/").rpartition("/")[0] if resources else packages[item]
        found.setdefault((jar, resources, name), []).append(item)
    rows = ((jars[key[0]], *key[1:], found[key], np.array(found[key], np.int64)) for key in sorted(found))
    return [JarFolder(*row, int(sizes[row[-1]].sum())) for row in rows]


NO_JAR = jar_from(events.Opened([], "", 0, 0, [], [], [], [], 0, [], [], [], 0, 0.0))
"""A jar without items, in the place of an input until one is open."""
