"""The graph of mentions between the classes of an input, for reduction by whole classes.

Seed 000, section 3: a set of classes that is closed under "mentions" is a valid
sub-input, and so is every union of such sets. Strongly connected components are kept
or removed as one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import networkx as nx

from core.archive.entry_names import class_path, is_versioned, opened_jar
from core.archive.jar import Jar
from core.model.reading.class_reading import ClassNode, ClassReading
from core.model.reading.readers import Progress, Readings, read_classes
from core.system.interpreter import collector_paused

__all__ = ["JDK", "ClassGraph", "ClassNode", "build"]

JDK = (
    "java/", "javax/", "jdk/", "sun/", "com/sun/", "org/w3c/dom/", "org/xml/sax/", "org/ietf/jgss/",
    "netscape/javascript/",
)  # fmt: skip
"""Classes whose names start so are taken for the JDK's. A simplification: some of ``javax`` and
``com/sun`` is in libraries only, so a missing one of those is not reported as unresolved."""


@dataclass(frozen=True)
class ClassGraph:
    """The graph of mentions between classes. Nodes are the positions 0..n-1 in ``nodes``; an edge goes from a class to
    one that it mentions."""

    nodes: tuple[ClassNode, ...]
    graph: nx.DiGraph[int]
    problems: tuple[tuple[int, str], ...]
    """Index of an entry that is no correct class file, and why. It has no node; its user keeps it always."""
    unresolved: dict[str, tuple[int, ...]]
    """Classes neither in the input nor in the JDK, sorted by name, with the nodes that mention them."""

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of each node by its name."""
        return {node.name: position for position, node in enumerate(self.nodes)}

    @cached_property
    def components(self) -> tuple[tuple[int, ...], ...]:
        """Strongly connected components, members ascending; dependents stand before their dependencies.

        Among those that could come next the one with the least member comes first.
        """
        with collector_paused():
            parts = [tuple(sorted(part)) for part in nx.strongly_connected_components(self.graph)]
            condensed = nx.condensation(self.graph, parts)
            order = nx.lexicographical_topological_sort(condensed, key=lambda part: parts[part][0])
            return tuple(parts[part] for part in order)

    @cached_property
    def component_of(self) -> tuple[int, ...]:
        """Number of the component of each node."""
        numbers = {node: number for number, part in enumerate(self.components) for node in part}
        return tuple(numbers[node] for node in range(len(self.nodes)))

    def condensation(self) -> nx.DiGraph[int]:
        """Return the acyclic graph of the components; an edge goes from a lower to a higher number."""
        return nx.condensation(self.graph, self.components)

    def part(self, positions: Iterable[int]) -> ClassGraph:
        """Return the graph of some of the nodes, numbered anew in the order given, and the edges among them."""
        number = {position: place for place, position in enumerate(positions)}
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(number)))
        inner = self.graph.subgraph(number).edges
        graph.add_edges_from(sorted((number[source], number[target]) for source, target in inner))
        return ClassGraph(tuple(self.nodes[position] for position in number), graph, (), {})

    def closure(self, node: int) -> frozenset[int]:
        """Return ``node`` and everything that it mentions, directly or not."""
        return frozenset(nx.descendants(self.graph, node)) | {node}

    def closures(self) -> list[int]:
        """Return for each component the bit mask of the nodes reachable from it, its own included."""
        condensed = self.condensation()
        masks = [sum(1 << node for node in part) for part in self.components]
        for number in reversed(range(len(masks))):
            for successor in condensed[number]:
                masks[number] |= masks[successor]
        return masks


def build(jar: Jar, progress: Progress | None = None, readings: Readings | None = None) -> ClassGraph:
    """Links the class files of ``jar``. ``readings``: these, if they were read before; else ``progress`` is told (done,
    total) now and then."""
    with collector_paused(lasting=True):
        if readings is None:
            readings = read_classes(jar, None, progress)
        read = [reading for _, reading in readings if not isinstance(reading, str)]
        problems = [(entry, reading) for entry, reading in readings if isinstance(reading, str)]
        return _link(jar, read, problems)


def _link(jar: Jar, read: list[ClassReading], problems: list[tuple[int, str]]) -> ClassGraph:
    paths = [jar.entries[reading.node.entry].name for reading in read]
    base = _bases([reading.node for reading in read], paths)
    taken = {name for _, name in base}
    nodes: list[ClassNode] = []
    edges: list[tuple[int, int]] = []
    unresolved: dict[str, list[int]] = {}
    for position, (node, mentions, _) in enumerate(read):
        own = base[opened_jar(paths[position]), node.name]
        if own != position:
            edges.append((position, own))
        if base[None, node.name] != position:
            node = _renamed(node, paths[position].removesuffix(".class"), taken)
        nodes.append(node)
        for name in mentions:
            target = base.get((None, name))
            if target is not None:
                edges.append((position, target))
            elif not name.startswith(JDK):
                unresolved.setdefault(name, []).append(position)
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(nodes)))
    graph.add_edges_from(sorted(edges))
    missing = {name: tuple(unresolved[name]) for name in sorted(unresolved)}
    return ClassGraph(tuple(nodes), graph, tuple(problems), missing)


def _bases(nodes: list[ClassNode], paths: list[str]) -> dict[tuple[str | None, str], int]:
    """Return the position of the class file meant by a mention of a name, if several files have the name: by opened jar
    and name, and without a jar by the name alone.

    It is the one at the place of the class path's look-up, no multi-release copy, else the first.
    """

    def rank(position: int) -> tuple[bool, bool, int]:
        path = paths[position]
        return is_versioned(path), class_path(path) != f"{nodes[position].name}.class", position

    base: dict[tuple[str | None, str], int] = {}
    for position in sorted(range(len(nodes)), key=rank):
        for jar in (None, opened_jar(paths[position])):
            base.setdefault((jar, nodes[position].name), position)
    return base


def _renamed(node: ClassNode, name: str, taken: set[str]) -> ClassNode:
    while name in taken:
        name += "'"
    taken.add(name)
    return node._replace(name=name)
