"""The elements of the tree of the jar: packages with their items, rows to paint, nodes of members."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np

from app.engine.members import ClassMembers
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.shortening import Alone, TitleIndex

PACKAGE, MEMBER = 1 << 30, 1 << 40
"""From here on internal ids are those of packages in jars, and of members: more packages than that there are not."""


@dataclass(slots=True)
class Group:
    """A package (or a folder of resources) and its items, in the order of their names."""

    title: str
    items: list[int]
    bytes: int
    resources: bool = False
    shown: list[int] = field(default_factory=list)
    numbers: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    """``items`` as an array."""
    names: TitleIndex | None = None
    """The names of the items, once one of them is too long."""
    folded: str = ""
    """A shorter title: of a package without the beginning that it shares with others; empty = there is none."""
    jar: str = ""
    """Name of its jar, if there are several."""
    place: tuple[int, int] = (0, 0)
    """Row of its jar, and its own row there."""
    inside: range = range(0)
    """Of a jar: its packages among those that are shown."""


@dataclass(frozen=True, slots=True)
class TreeRow:
    """The painted content of a row; ``item`` -1 = a package, ``state`` None = nothing to show."""

    item: int
    name: str
    size: str
    state: ItemState | None
    share: float
    """Length of the size bar, 0 to 1."""
    pinned: bool = False
    member: bool = False
    first: bool = False
    """True if the item is to be dropped first."""
    folded: str = ""
    """A shorter name, for too little room; empty = there is none."""
    left: float = 1.0
    """Share of the size in the best so far, 0 to 1."""
    alone: Alone = lambda begin, end: True
    """Says of a beginning and an end whether no other name of the package has both."""


@dataclass(frozen=True, slots=True)
class MemberNode:
    """A part of a class: its class, its number there, its row below its parent."""

    item: int
    number: int
    row: int


@dataclass(slots=True)
class Loaded:
    """The members of one class and their nodes."""

    members: ClassMembers
    nodes: dict[int, int] = field(default_factory=dict)
    """Place in the model's list of nodes, by number of the part."""


def shared_prefixes(packages: Iterable[str]) -> dict[str, str]:
    """Return the common beginning of the packages with one first word, by that word: ``com``: ``com.google``. Words of
    a single package are left out.
    """
    found: dict[str, list[str]] = {}
    counts: dict[str, int] = {}
    for name in packages:
        words = name.split(".")
        top = words[0]
        counts[top] = counts.get(top, 0) + 1
        before = found.setdefault(top, words)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, words, strict=False)))
        found[top] = before[:same]
    return {top: ".".join(words) for top, words in found.items() if counts[top] > 1}


def groups_of(jar: OpenedJar, top: str, unnamed: str) -> list[Group]:
    """Return the packages of a jar and the folders of its resources; ``top`` and ``unnamed`` are titles of nameless
    ones."""
    found = []
    for folder in jar.folders:
        title = folder.name or (top if folder.resources else unnamed)
        group = Group(title, folder.items, folder.bytes, folder.resources, numbers=folder.numbers, jar=folder.jar)
        found.append(group)
    shared = shared_prefixes([group.title for group in found if not group.resources])
    for group in found:
        prefix = "" if group.resources else shared.get(group.title.partition(".")[0], "")
        if group.resources:
            group.folded = group.title
        elif prefix and group.title.startswith(prefix + "."):
            group.folded = "…" + group.title[len(prefix) + 1 :]
    return found
