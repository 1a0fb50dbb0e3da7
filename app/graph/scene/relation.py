"""Two sets of items whose dependencies are asked for, and where they come from. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app import text
from app.engine.opened_jar import OpenedJar
from core.protocol.java_names import simple_name


@dataclass(frozen=True, slots=True)
class Relation:
    """The dependencies of one set of items on another."""

    source: str
    """Title of the set that needs."""
    target: str
    sources: tuple[int, ...]
    targets: tuple[int, ...]

    @property
    def title(self) -> str:
        """Return ``A → B``."""
        return f"{self.source} → {self.target}"

    def turned(self) -> Relation:
        """Return the dependencies in the other direction."""
        return Relation(self.target, self.source, self.targets, self.sources)

    def pairs(self, jar: OpenedJar) -> np.ndarray:
        """Return the class edges: rows *from, to*."""
        inside = np.zeros((2, jar.items), np.bool_)
        inside[0, list(self.sources)] = inside[1, list(self.targets)] = True
        meant = inside[0][jar.edge_from] & inside[1][jar.edge_to]
        return np.stack([jar.edge_from[meant], jar.edge_to[meant]], axis=1)

    def sentence(self, jar: OpenedJar) -> str:
        """Return ``A → B: 22 class dependencies; 3 the other way``. Packages stand without the parents of both."""
        there, back = len(self.pairs(jar)), len(self.turned().pairs(jar))
        title = " → ".join(_without_parents(self.source, self.target))
        words = f"{title}: {text.plural(there, 'class dependency', 'class dependencies')}"
        return words + (f"; {text.count(back)} the other way" if back else "")


def _without_parents(source: str, target: str) -> tuple[str, str]:
    """Return the names of two packages without the parents that both have, and other names as they are."""
    if not (source[:1].islower() and target[:1].islower()):
        return source, target
    one, other = source.split("."), target.split(".")
    most = min(len(one), len(other)) - 1
    same = next((at for at in range(most) if one[at] != other[at]), most)
    return ".".join(one[same:]), ".".join(other[same:])


@dataclass(frozen=True, slots=True)
class PackageSet:
    """A package, or a group of packages, that was chosen."""

    title: str
    items: tuple[int, ...]


def set_title(jar: OpenedJar, items: tuple[int, ...]) -> str:
    """Return the title of some items: the class, the package that has them all, or a class and how many more."""
    if len(items) == 1:
        return jar.simple[items[0]]
    packages = {jar.packages[item] for item in items}
    if len(packages) == 1 and (package := packages.pop()):
        return package
    return f"{simple_name(jar.names[items[0]])} + {len(items) - 1}" if items else "nothing"
