"""Packages as a tree by their dotted prefixes, with the ones that can be opened and the ones open at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from core.protocol.java_names import UNNAMED, dotted

GROUP = "/*"
"""Ends the name of a group: ``a/b/*`` is all packages from ``a/b`` on, ``a/b`` is the package alone."""

FIRST_MOST = 60
"""Cards that the first picture shows at most, if it can be helped."""
FIRST_MORE = 120
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
    if not prefix:
        return UNNAMED
    if above and prefix == above:
        return prefix.rpartition("/")[2]
    short = prefix[len(above) + 1 :] if above and prefix.startswith(above + "/") else prefix
    return dotted(short)
