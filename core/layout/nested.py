"""The package view: packages as cards, an opened one as a frame around its classes, groups as frames of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from core.layout.layered import layered
from core.layout.packages import FIRST_LEAST, FIRST_MOST, Folder, box_sizes, first_open, place_packages, title, tree
from core.layout.placement import Edges, Floats, Ints, Placement, as_edges, condense
from core.protocol.java_names import artifact_names

ASPECT = 1.9
"""Width of a window's graph for its height."""
_TALL = 1.2
"""Height for width from which a group may lie on its side."""
READABLE = 0.9
"""Share of the cards whose names can be read in a first picture."""
_CARDS = (FIRST_MOST, 35, 30, 25, 20, 15, FIRST_LEAST, 0)
"""Numbers of cards that a first picture is tried with."""
_MARGIN = 28
"""Pixels around the picture."""
_LETTER, _LINE, _BORDER = 5.4, 12.0, 6.0
"""Pixels: width of a letter and height of a line of the smallest name, and the border of its card."""
_JAR_LETTER = 15.0
"""Width of a closed jar for each letter of its name. Graphs of jars are deep, and are shown small."""
FRAME_PADDING = 12.0
FRAME_HEAD = 24.0
"""Room for a frame's title above its content."""


@dataclass(frozen=True, slots=True, eq=False)
class Card:
    """A package or group drawn closed, or the frame of an opened one."""

    name: str
    title: str


@dataclass(frozen=True, slots=True, eq=False)
class NestedView:
    """A view of packages within packages. Nodes are the cards, then the classes that can be seen. Coordinates as in a
    Placement."""

    rects: Floats
    """Shape (nodes, 4): x, y, width, height."""
    cards: list[Card]
    """Of the first nodes."""
    items: Ints
    """Item of each node, -1 for a card."""
    members: Ints
    """Node of each item, -1 = not in this view."""
    boxes: Floats
    """Shape (k, 5): x, y, width, height and a number, of what lies in a cycle."""
    blocks: Ints
    """Box of each class, -1 = none; boxes around packages are nobody's."""
    frames: Floats
    """Shape (m, 4), outer ones before those within."""
    framed: list[Card]


@dataclass(slots=True)
class _NestedPart:
    """The layout of one folder, with its corner at (0, 0)."""

    width: float
    height: float
    rects: Floats
    items: Ints
    """Item of each node; -1 - i = card number i."""
    boxes: Floats
    blocks: Ints
    frames: Floats
    framed: list[Card]


class _NestedBuilder:
    def __init__(
        self, packages: Sequence[str | None], edges: Ints, component_of: Ints, opened: Collection[str]
    ) -> None:
        self._edges, self._components, self._opened = edges, component_of, frozenset(opened)
        self._package_items: dict[str, list[int]] = {}
        for item, name in enumerate(packages):
            if name is not None:
                self._package_items.setdefault(name, []).append(item)
        self._items = len(packages)
        self._jars: dict[str, str] = {}
        """Short names of the jars of a class path."""
        self._shared: frozenset[str] = frozenset()
        """Titles of several folders: cards with these say their parents too."""
        self._most = 1
        """Classes of the largest folder that is a card."""
        self.cards: list[Card] = []

    def begin(self, root: Folder) -> _NestedPart:
        """Return the layout of the whole tree."""
        self._jars = artifact_names(jar for folder in root.all() if (jar := _jar_and_package(folder)[0]))
        titles = Counter(_titles(root))
        self._shared = frozenset(name for name, count in titles.items() if count > 1)
        self._most = max(self._closed(root, root=True), default=1)
        placed = np.zeros(self._items, dtype=np.bool_)
        for items in self._package_items.values():
            placed[items] = True
        return self.part(root, "", self._edges[placed[self._edges].all(axis=1)], root=True)

    def _closed(self, folder: Folder, root: bool = False) -> Iterator[int]:
        """Yield the classes of each folder that is drawn as a card."""
        if folder.name not in self._opened and not (root and folder.inside):
            yield folder.classes
        for inside in folder.inside if root or folder.name in self._opened else ():
            yield from self._closed(inside)

    def _label(self, folder: Folder, above: str, closed: bool = False) -> str:
        """Return the title of a folder. A jar is called by its short name, and open with the package of all that is
        inside.
        """
        name = _label(folder, above)
        jar, package = _jar_and_package(folder)
        if jar and not f"{above}/".startswith(f"{jar}!/"):
            return self._jars[jar] if closed or not package else f"{self._jars[jar]}: {name.rpartition(': ')[2]}"
        parent = self._jars.get(above.removesuffix("!"), above.rpartition("/")[2])
        return f"{parent}.{name}" if name in self._shared and parent and folder.prefix != above else name

    def part(self, folder: Folder, above: str, edges: Ints, root: bool = False) -> _NestedPart:
        """Return the layout of a folder with ``edges`` between its items."""
        if folder.name not in self._opened and not (root and folder.inside):
            return self._card(folder, above)
        inner = self._group(folder, edges) if folder.inside else self._classes(folder, edges)
        return inner if root and folder.inside else _framed(inner, Card(folder.name, self._label(folder, above)))

    def _card(self, folder: Folder, above: str) -> _NestedPart:
        label = self._label(folder, above, closed=True)
        width, height = box_sizes([label], np.asarray([folder.classes]), self._most)[0].tolist()
        if label in self._jars.values():
            width = max(width, _JAR_LETTER * len(label))
        self.cards.append(Card(folder.name, label))
        rect, none = np.asarray([[0.0, 0.0, width, height]]), np.zeros((0, 4))
        return _NestedPart(width, height, rect, np.asarray([-len(self.cards)]), none, np.full(1, -1), none, [])

    def _classes(self, folder: Folder, edges: Ints) -> _NestedPart:
        items = np.asarray(self._package_items[folder.name], dtype=np.int64)
        number = np.full(self._items, -1, dtype=np.int64)
        number[items] = np.arange(len(items))
        component = np.unique(self._components[items], return_inverse=True)[1].astype(np.int64)
        placed = layered(len(items), number[edges], component)
        blocks = np.full(len(items), -1, dtype=np.int64)
        for box, row in enumerate(placed.boxes[:, 4].astype(np.int64).tolist()):
            blocks[component == row] = box
        return _NestedPart(*placed.size, placed.rects, items, placed.boxes[:, :4], blocks, np.zeros((0, 4)), [])

    def _group(self, folder: Folder, edges: Ints) -> _NestedPart:
        number = np.full(self._items, -1, dtype=np.int64)
        for index, inside in enumerate(folder.inside):
            for name in inside.packages():
                number[self._package_items[name]] = index
        pairs = number[edges]
        apart = pairs[:, 0] != pairs[:, 1]
        within, owner = edges[~apart], pairs[~apart, 0]
        order = np.argsort(owner, kind="stable")
        ends = np.searchsorted(owner[order], np.arange(1, len(folder.inside)))
        parts = [
            self.part(inside, folder.prefix, own)
            for inside, own in zip(folder.inside, np.split(within[order], ends), strict=True)
        ]
        placed = _filling(condense(edges, number), np.asarray([(part.width, part.height) for part in parts]))
        boxes = [placed.boxes[:, :4]]
        blocks, count = [], len(placed.boxes)
        for part, corner in zip(parts, placed.rects[:, :2], strict=True):
            for rects in (part.rects, part.boxes, part.frames):
                rects[:, :2] += corner
            boxes.append(part.boxes)
            blocks.append(np.where(part.blocks >= 0, part.blocks + count, -1))
            count += len(part.boxes)
        return _NestedPart(
            *placed.size,
            np.concatenate([part.rects for part in parts]),
            np.concatenate([part.items for part in parts]),
            np.concatenate(boxes),
            np.concatenate(blocks),
            np.concatenate([part.frames for part in parts]),
            [card for part in parts for card in part.framed],
        )


def _filling(between: Ints, sizes: Floats) -> Placement:
    """Return packages in layers, one below the other, or side by side. Many layers of few packages would make a thin
    column, and side by side they fill a window better.
    """
    upright = place_packages(between, sizes)
    wide, high = upright.size
    if high <= _TALL * wide:
        return upright
    lying = place_packages(between, sizes[:, ::-1])
    across, long = lying.size
    if min(ASPECT / long, 1 / across) <= min(ASPECT / wide, 1 / high):
        return upright
    return Placement(lying.rects[:, [1, 0, 3, 2]], lying.boxes[:, [1, 0, 3, 2, 4]])


def _jar_and_package(folder: Folder) -> tuple[str, str]:
    """Return the innermost jar that a folder is or is in, empty = none, and the package there."""
    jar, _, package = f"{folder.prefix}/".rpartition("!/")
    return jar, package.strip("/")


def _titles(folder: Folder) -> Iterator[str]:
    for inside in folder.inside:
        if inside.prefix != folder.prefix:
            yield _label(inside, folder.prefix)
        yield from _titles(inside)


def _label(folder: Folder, above: str) -> str:
    return title(folder, above) + (".*" if folder.inside and not folder.prefix.endswith("!") else "")


def _framed(part: _NestedPart, card: Card) -> _NestedPart:
    width = max(part.width, 8.0 * len(card.title)) + 2 * FRAME_PADDING
    height = part.height + FRAME_HEAD + FRAME_PADDING
    for rects in (part.rects, part.boxes, part.frames):
        rects[:, :2] += (FRAME_PADDING, FRAME_HEAD)
    frames = np.concatenate([np.asarray([[0.0, 0.0, width, height]]), part.frames])
    return _NestedPart(width, height, part.rects, part.items, part.boxes, part.blocks, frames, [card, *part.framed])


def folders(packages: Sequence[str | None]) -> Folder:
    """Return the tree of the packages that items are in; None = an item in no package."""
    numbers: dict[str, int] = {}
    for name in packages:
        if name is not None:
            numbers[name] = numbers.get(name, 0) + 1
    return tree(list(numbers), list(numbers.values()))


def nested_view(
    packages: Sequence[str | None],
    edges: Edges,
    component_of: Sequence[int] | npt.NDArray[np.integer],
    opened: Collection[str] | None = None,
) -> NestedView:
    """Place packages and the classes of opened ones.

    ``packages`` names each item's package (None for a resource, ``""`` is the unnamed
    package), ``component_of`` its strong component, ``opened`` the folders that are open by
    the names of :mod:`core.layout.packages` (names that do not exist do not matter); None =
    as at first. Deterministic, nothing overlaps.
    """
    if all(name is None for name in packages):
        return NestedView(
            np.zeros((0, 4)), [], np.zeros(0, np.int64), np.full(len(packages), -1), np.zeros((0, 5)),
            np.zeros(0, np.int64), np.zeros((0, 4)), [],
        )  # fmt: skip
    root = folders(packages)
    chosen = first_open(root) if opened is None else opened
    builder = _NestedBuilder(packages, as_edges(edges), np.asarray(component_of, dtype=np.int64), chosen)
    part = builder.begin(root)
    # Cards in the order of their names, then the classes in the order of the items.
    order = np.lexsort((np.where(part.items < 0, -part.items, part.items), part.items >= 0))
    items = np.where(part.items < 0, -1, part.items)[order]
    members = np.full(len(packages), -1, dtype=np.int64)
    shown = np.flatnonzero(items >= 0)
    members[items[shown]] = shown
    named = {folder.name: folder for folder in root.all()}
    hidden = {name: node for node, card in enumerate(builder.cards) for name in named[card.name].packages()}
    for item, name in enumerate(packages):
        if name is not None and members[item] < 0:
            members[item] = hidden[name]
    boxes = np.column_stack([part.boxes, np.arange(len(part.boxes), dtype=np.float64)])
    return NestedView(
        part.rects[order], builder.cards, items, members, boxes, part.blocks[order], part.frames, part.framed
    )


def readable_view(
    packages: Sequence[str | None],
    edges: Edges,
    component_of: Sequence[int] | npt.NDArray[np.integer],
    room: tuple[int, int],
) -> NestedView:
    """Return the view with as many folders open as can be read when all of it is shown in ``room`` pixels; the most
    readable one if none can. A view of fewer cards than :data:`FIRST_LEAST` is not taken while there are others.
    """
    root = folders(packages)
    tried = list(dict.fromkeys(first_open(root, most) for most in _CARDS))
    best, share = nested_view(packages, edges, component_of, tried[0]), -1.0
    for number, opened in enumerate(tried):
        view = nested_view(packages, edges, component_of, opened) if number else best
        if number and len(view.cards) < FIRST_LEAST:
            break
        there = _readable(view, room)
        if there >= share:  # of equally readable views the one with fewer cards
            best, share = view, there
        if share >= READABLE:
            break
    return best


def _readable(view: NestedView, room: tuple[int, int]) -> float:
    """Return the share of the cards whose whole name can be read when all of the view is shown in ``room`` pixels."""
    if not view.cards:
        return 1.0
    corners = np.concatenate([rows[:, :4] for rows in (view.rects, view.boxes, view.frames)])
    wide, high = (corners[:, :2] + corners[:, 2:]).max(axis=0) - corners[:, :2].min(axis=0)
    scale = max(min((room[0] - 2 * _MARGIN) / wide, (room[1] - 2 * _MARGIN) / high), 0.0)
    cards = view.rects[: len(view.cards)] * scale
    words = np.asarray([len(card.title) for card in view.cards]) * _LETTER + _BORDER
    return float(((cards[:, 2] >= words) & (cards[:, 3] >= _LINE)).mean())
