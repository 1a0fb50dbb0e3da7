"""The removable pieces of an input, numbered, with the needs of each (granularity ``class``).

Item numbers: first the parsed classes, in the order of the class graph's nodes (so a node's position is its item's
number), then unparsable class files, then resources and nested jars in input order. Directories and signature files are
no items: they are derived.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from core.archive.jar import EntryKind, Jar
from core.archive.selection import select
from core.entries import Entries
from core.model import class_graph
from core.model.class_graph import ClassGraph
from core.model.reading.readers import Progress, Readings
from core.sets import ItemSet, union


class Kind(Enum):
    """The kinds of items."""

    CLASS = "class"
    RESOURCE = "resource"
    NESTED = "nested"
    PART = "part"
    """A part of a class (:mod:`core.model.item_model`)."""


_KINDS = {EntryKind.CLASS: Kind.CLASS, EntryKind.RESOURCE: Kind.RESOURCE, EntryKind.NESTED: Kind.NESTED}


class Item(NamedTuple):
    """A removable piece: its kind, name, size in bytes, and its place among the jar's entries."""

    kind: Kind
    name: str
    bytes: int
    entry: int


@dataclass(frozen=True)
class ClassModel:
    """An input and its removable pieces."""

    jar: Jar
    graph: ClassGraph
    items: tuple[Item, ...]
    pinned: ItemSet
    """Items that are always kept: unreadable class files."""

    @property
    def full(self) -> ItemSet:
        return (1 << len(self.items)) - 1

    @cached_property
    def class_items(self) -> ItemSet:
        """The items that are classes."""
        return sum(1 << number for number, item in enumerate(self.items) if item.kind is Kind.CLASS)

    @cached_property
    def closures(self) -> list[ItemSet]:
        """For each item, itself and everything that it needs."""
        masks = self.graph.closures()
        closures = [masks[component] for component in self.graph.component_of]
        return closures + [1 << number for number in range(len(closures), len(self.items))]

    @cached_property
    def surroundings(self) -> list[ItemSet]:
        """For each item: itself, its mentioned classes, and the supertypes of all of these, for tools that look at one
        item alone.
        """
        graph, nodes = self.graph.graph, self.graph.nodes
        found = [1 << number for number in range(len(self.items))]
        for number in range(len(nodes)):
            waiting = [number]
            while waiting:
                node = nodes[waiting.pop()]
                for name in (node.superclass, *node.interfaces):
                    above = self.graph.index.get(name or "")
                    if above is not None and not found[number] >> above & 1:
                        found[number] |= 1 << above
                        waiting.append(above)
        near = [union([found[number], *(found[each] for each in graph[number])]) for number in range(len(nodes))]
        return near + found[len(nodes) :]

    @cached_property
    def _companions(self) -> dict[ItemSet, ItemSet]:
        """The resources named as a class and beside it, such as its .tasty of Scala, by the classes of that name."""
        named: dict[str, list[ItemSet]] = {}
        for number, item in enumerate(self.items):
            if item.kind is Kind.RESOURCE:
                named.setdefault(item.name.rpartition(".")[0], []).append(1 << number)
        found: dict[ItemSet, ItemSet] = {}
        of_classes: dict[str, list[ItemSet]] = {}
        for number, node in enumerate(self.graph.nodes if named else ()):
            stem = node.name.partition("$")[0]
            if stem in named:
                of_classes.setdefault(stem, []).append(1 << number)
        for stem, classes in of_classes.items():
            found[union(classes)] = union(named[stem])
        return found

    def accompanied(self, kept: ItemSet) -> ItemSet:
        """Return a sub-input with the resources that are named as one of its classes."""
        return union([kept, *(beside for classes, beside in self._companions.items() if classes & kept)])

    @cached_property
    def components(self) -> tuple[int, ...]:
        """Strongly connected component of each item; -1 for an item without a parsed class."""
        return (*self.graph.component_of, *[-1] * (len(self.items) - len(self.graph.nodes)))

    @cached_property
    def edges(self) -> list[tuple[int, int]]:
        """Pairs of items: the first mentions the second."""
        return list(self.graph.graph.edges())

    def entries(self, kept: ItemSet) -> Entries:
        """Return the names and contents of the entries of a sub-input, in input order."""
        return select(self.jar, {item.entry for number, item in enumerate(self.items) if kept >> number & 1})


def build(jar: Jar, progress: Progress | None = None, readings: Readings | None = None) -> ClassModel:
    """Read the class files of a jar, unless ``readings`` has them, and number its items. ``progress(done, total)``
    counts class files."""
    graph = class_graph.build(jar, progress, readings)
    items = [Item(Kind.CLASS, node.name, node.bytes, node.entry) for node in graph.nodes]
    pinned = 0
    for entry, _ in graph.problems:
        pinned |= 1 << len(items)
        name = jar.entries[entry].name.removesuffix(".class")
        items.append(Item(Kind.CLASS, name, len(jar.entries[entry].data), entry))
    for number, entry_ in enumerate(jar.entries):
        if entry_.kind in (EntryKind.RESOURCE, EntryKind.NESTED):
            items.append(Item(_KINDS[entry_.kind], entry_.name, len(entry_.data), number))
    return ClassModel(jar, graph, tuple(items), pinned)
