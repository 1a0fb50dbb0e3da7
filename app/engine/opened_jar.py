"""The opened jar as arrays: items, packages, class graph. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
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


class OpenedJar:
    """The input as the engine read it. Arrays run over items; item numbers are the engine's."""

    def __init__(self, event: events.Opened) -> None:
        self.paths, self.title, self.bytes, self.classes = event.paths, event.title, event.bytes, event.classes
        self.warnings, self.seconds = event.warnings, event.seconds
        self.end = event.end
        """Ending of a result's name; empty if the result is a folder of jars."""
        self.names = event.names
        """As the JVM writes them: ``a/b/C``; paths of resources."""
        self.is_class = np.array([kind == "class" for kind in event.kinds], np.bool_)
        rows = list(zip(self.names, self.is_class.tolist(), strict=True))
        self.full = [java_name(name) if is_class else name for name, is_class in rows]
        """As Java writes them: ``a.b.C.D``; paths of resources."""
        self.simple = [simple_name(name) if is_class else name.rpartition("/")[2] for name, is_class in rows]
        self.packages = list(map(package_of, self.names))
        """Package of each item, ``""`` = unnamed; a resource's is its folder."""
        self.lowered = [name.lower() for name in self.full]
        """``full`` in lower case, for searching."""
        self.small = [name.lower() for name in self.simple]
        """``simple`` in lower case, for searching."""
        self.numbers = {name: item for item, name in enumerate(self.names)}
        """Item of each name in ``names``."""
        self.sizes = np.array(event.sizes, np.int64)
        self.folders = list(self._folders(event))
        """Of each jar the packages with their classes, then the folders with their resources."""
        self.components: Ints = np.array(event.components, np.int32)
        self.component_count = event.component_count
        inside = np.flatnonzero(self.components >= 0).astype(np.int32)
        self.members = adjacency(self.components[inside], inside, self.component_count)
        """Classes of each component."""
        pairs = np.array(event.edges, np.int32).reshape(-1, 2)
        self.edge_from, self.edge_to = pairs[pairs[:, 0] != pairs[:, 1]].T.copy()
        self.needs = adjacency(self.edge_from, self.edge_to, self.items)
        self.needed_by = adjacency(self.edge_to, self.edge_from, self.items)
        self.pinned = np.zeros(self.items, np.bool_)
        self.pinned[event.pinned] = True

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

    def _folders(self, event: events.Opened) -> Iterator[JarFolder]:
        """Yield the packages and the folders of resources: jar by jar, sorted by their names."""
        found: dict[tuple[int, bool, str], list[int]] = {}
        jars = event.jars or [""]
        for item in sorted(range(self.items), key=self.small.__getitem__):
            resources, jar = not self.is_class[item], event.jar_of[item] if event.jars else 0
            folder = self.names[item].removeprefix(f"{jars[jar]}!/").rpartition("/")[0]
            found.setdefault((jar, resources, folder if resources else self.packages[item]), []).append(item)
        for (jar, resources, name), items in sorted(found.items()):
            numbers = np.array(items, np.int64)
            yield JarFolder(jars[jar], resources, name, items, numbers, int(self.sizes[numbers].sum()))


NO_JAR = OpenedJar(events.Opened([], "", 0, 0, [], [], [], [], 0, [], [], [], 0, 0.0))
"""A jar without items, in the place of an input until one is open."""
