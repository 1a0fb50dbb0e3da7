"""The elements of the tree of the jar: packages with their items, rows to paint, nodes of the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.shortening import Alone, TitleIndex
from core.protocol.java_names import shared


@dataclass(slots=True)
class Group:
    """A package (or a folder of resources) and its items, in the order of their names; or a jar with those of its
    packages."""

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
    tint: int = -1
    """Number of a colour in place of the state's; -1 = none."""
    alone: Alone = lambda begin, end: True
    """Says of a beginning and an end whether no other name of the package has both."""


@dataclass(slots=True, eq=False)
class TreeNode:
    """A row of the model: a jar, a package, an item, or a part of a class."""

    above: TreeNode | None
    """None = this is the tree itself."""
    row: int
    group: Group
    """The jar or the package, of an item its package."""
    item: int = -1
    part: int = -1
    """Number of a part of the class ``item``."""
    below: list[TreeNode] | None = None
    """None = not made yet."""


def shared_prefixes(packages: Iterable[str]) -> dict[str, str]:
    """Return the common beginning of the packages with one first word, by that word: ``com``: ``com.google``. Words of
    a single package are left out.
    """
    by_top: dict[str, list[list[str]]] = {}
    for words in (name.split(".") for name in packages):
        by_top.setdefault(words[0], []).append(words)
    return {top: ".".join(names[0][: shared(names)]) for top, names in by_top.items() if len(names) > 1}


def groups_of(jar: OpenedJar) -> list[Group]:
    """Return the packages of a jar and the folders of its resources."""
    found = []
    for folder in jar.folders:
        title = folder.name or ("(top folder)" if folder.resources else "(unnamed package)")
        group = Group(title, folder.items, folder.bytes, folder.resources, numbers=folder.numbers, jar=folder.jar)
        found.append(group)
    prefixes = shared_prefixes([group.title for group in found if not group.resources])
    for group in found:
        prefix = "" if group.resources else prefixes.get(group.title.partition(".")[0], "")
        if group.resources:
            group.folded = group.title
        elif prefix and group.title.startswith(prefix + "."):
            group.folded = "…" + group.title[len(prefix) + 1 :]
    return found


def jar_row(groups: Sequence[Group], short: Mapping[str, str]) -> Group:
    """Return the row of a jar with these packages, and the short name of the jar."""
    items = [item for group in groups for item in group.items]
    seen = [item for group in groups for item in group.shown]
    numbers = np.concatenate([group.numbers for group in groups])
    size, jar = sum(group.bytes for group in groups), groups[0].jar
    return Group(jar, items, size, shown=seen, numbers=numbers, folded=short[jar].removesuffix(".jar"))
