"""The package view: packages as a tree by their dotted prefixes, one box a package, sized by its classes, in layers
like the class graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import networkx as nx
import numpy as np

from core.layout.layered import PADDING, place_components, shelf_limit, shelves
from core.layout.placement import Floats, Ints, Placement, condense
from core.protocol.java_names import dotted, package_name, shared

GROUP = "/*"
"""Ends the name of a group: ``a/b/*`` is all packages from ``a/b`` on, ``a/b`` is the package alone."""

FIRST_LEAST, FIRST_MOST = 9, 40
"""Cards that the first picture shows at least and at most, if it can be helped."""
FIRST_MORE = 80
"""Greatest number of cards of a group that is open at first because it has most of the classes. Closed, it would be the
whole picture."""
FIRST_CLASSES = 250
"""A jar of a single package with no more classes than this starts with the package open."""
DEEPEST = 40
"""Parts of a package name that make levels of their own."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A package (no ``inside``) or a group of packages that begin alike."""

    name: str
    """Internal name of the package; of a group with :data:`GROUP` behind it."""
    classes: int
    """In it and in all below."""
    inside: tuple[Folder, ...] = ()

    @property
    def prefix(self) -> str:
        """The name without the mark of a group."""
        return self.name.removesuffix(GROUP) if self.inside else self.name

    def all(self) -> Iterator[Folder]:
        """Yield this folder and all folders inside, from the top."""
        yield self
        for folder in self.inside:
            yield from folder.all()

    def packages(self) -> Iterator[str]:
        """Yield the names of all packages below."""
        return (folder.name for folder in self.all() if not folder.inside)


@dataclass(slots=True)
class _Branch:
    package: str | None = None
    below: dict[str, _Branch] = field(default_factory=dict)


def tree(names: Sequence[str], classes: Sequence[int]) -> Folder:
    """Return the tree of packages with those numbers of classes; a level with one entry only is left out."""
    root = _Branch()
    numbers = dict(zip(names, classes, strict=True))
    for name in sorted(numbers):
        branch = root
        for part in name.split("/", DEEPEST) if name else ():
            branch = branch.below.setdefault(part, _Branch())
        branch.package = name
    return _folder(root, "", numbers)


def _folder(branch: _Branch, prefix: str, numbers: dict[str, int]) -> Folder:
    inside = [] if branch.package is None else [Folder(branch.package, numbers[branch.package])]
    inside += [_folder(below, f"{prefix}/{part}" if prefix else part, numbers) for part, below in branch.below.items()]
    if len(inside) == 1:
        return inside[0]
    return Folder(prefix + GROUP, sum(folder.classes for folder in inside), tuple(inside))


def first_open(root: Folder, cards_most: int = FIRST_MOST) -> frozenset[str]:
    """Return the names of the folders that are open at first: groups, the largest first, up to a number of cards. That
    is ``cards_most``, in proportion more for a group with most of the classes."""
    if not root.inside:
        return frozenset([root.name] if root.classes <= FIRST_CLASSES else [])
    opened = {root.name}
    cards = len(root.inside)
    waiting = [folder for folder in root.inside if folder.inside]
    while waiting:
        folder = max(waiting, key=lambda f: (f.classes, f.name))
        waiting.remove(folder)
        most = cards_most * FIRST_MORE // FIRST_MOST if 2 * folder.classes > root.classes else cards_most
        if cards + len(folder.inside) - 1 <= most:
            cards += len(folder.inside) - 1
            opened.add(folder.name)
            waiting += [below for below in folder.inside if below.inside]
    return frozenset(opened)


def all_open(root: Folder, most_classes: int) -> frozenset[str]:
    """Return all groups, and packages, the smallest first, while no more than ``most_classes`` classes are shown."""
    opened = {folder.name for folder in root.all() if folder.inside}
    shown = 0
    for folder in sorted((f for f in root.all() if not f.inside), key=lambda f: (f.classes, f.name)):
        shown += folder.classes
        if shown > most_classes:
            break
        opened.add(folder.name)
    return frozenset(opened)


def title(folder: Folder, above: str) -> str:
    """Return a folder's name with dots, as it reads within the group of prefix ``above``."""
    prefix = folder.prefix
    if above and prefix == above:
        return prefix.rpartition("/")[2]
    return package_name(prefix[len(above) + 1 :] if above and prefix.startswith(above + "/") else prefix)


SCALE = 8.0
"""Height of a package's box, by the square root of its classes: area tells the number."""
MOST_HEIGHT = 76.0
"""Height of the largest box of a picture: beside a higher one the names of the others would be too small to read."""
SHAPE = 2.5
"""Width / height of a box: package graphs are deep, flat boxes keep the picture from becoming a tower."""
LEAST_HEIGHT = 28.0
LETTER = 8.0
GAP = 14.0


def numbered(packages: Sequence[str | None]) -> tuple[Ints, list[str]]:
    """Return the number of each node's package, and the sorted names of the packages.

    ``packages`` names each node's package; None for a node without one (a resource), which gets -1. ``""`` is the
    unnamed package.
    """
    names = sorted({name for name in packages if name is not None})
    number: dict[str | None, int] = {name: index for index, name in enumerate(names)}
    return np.asarray([number.get(name, -1) for name in packages], dtype=np.int64), names


def box_sizes(labels: list[str], classes: Ints, most: int) -> Floats:
    """Return widths and heights, shape (n, 2), of the boxes of packages with these labels and numbers of classes, in a
    picture whose largest package has ``most`` classes.
    """
    height = min(SCALE, MOST_HEIGHT / max(most, 1) ** 0.5) * np.sqrt(classes.astype(np.float64))
    text = np.asarray([LETTER * len(label) + 2 * PADDING for label in labels], dtype=np.float64)
    height = np.maximum(height, LEAST_HEIGHT)
    return np.stack([np.maximum(SHAPE * height, text), height], axis=1)


def place_packages(edges: Ints, sizes: Floats) -> Placement:
    """Place boxes of these sizes, shape (n, 2), ``edges`` of any kind between them.

    Layers of the condensation; packages of one component stand on shelves in its box.
    """
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(range(len(sizes)))
    graph.add_edges_from(edges.tolist())
    components = sorted(sorted(part) for part in nx.strongly_connected_components(graph))
    component_of = np.zeros(len(sizes), dtype=np.int64)
    inner, boxes = np.zeros_like(sizes), np.zeros((len(components), 2))
    for index, part in enumerate(components):
        component_of[part] = index
        inset = PADDING if len(part) > 1 else 0.0
        corners = shelves(sizes[part], shelf_limit(sizes[part], SHAPE, GAP), GAP)
        inner[part] = corners + inset
        boxes[index] = (corners + sizes[part]).max(axis=0) + 2 * inset
    outer = place_components(condense(edges, component_of), boxes)
    boxed = np.asarray([index for index, part in enumerate(components) if len(part) > 1], dtype=np.int64)
    rects = np.concatenate([outer[component_of] + inner, sizes], axis=1)
    return Placement(rects, np.column_stack([outer[boxed], boxes[boxed], boxed]))


def package_labels(names: Sequence[str]) -> list[str]:
    """Return the package names with dots, without the leading parts that all of them share."""
    parts = [dotted(name).split(".") if name else [] for name in names]
    parents = [path[:-1] for path in parts if path]  # the last part of a name always stays
    same = shared(parents) if len(parents) > 1 else 0
    return [".".join(path[same:]) if path else "(unnamed)" for path in parts]
