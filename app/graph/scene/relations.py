"""Dependencies between sets of items: class edges, shortest paths, the reason why a class is kept. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app import text
from app.engine.opened_jar import Adjacency, OpenedJar, steps_along
from app.engine.run_state import ItemState
from core.protocol.java_names import shared, simple_name


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
        words = f"{title}: {text.counted(there, 'class dependency')}"
        return words + (f"; {text.count(back)} the other way" if back else "")


def _without_parents(source: str, target: str) -> tuple[str, str]:
    """Return the names of two packages without the parents that both have, and other names as they are."""
    if not (source[:1].islower() and target[:1].islower()):
        return source, target
    one, other = source.split("."), target.split(".")
    same = shared([one[:-1], other[:-1]])
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


@dataclass(frozen=True, slots=True)
class Found:
    """A path along dependencies, with a sentence on it."""

    items: list[int]
    sentence: str


def shortest(
    needs: Adjacency, sources: NDArray[np.integer], goal: int, allowed: np.ndarray | None = None
) -> list[int] | None:
    """Return a shortest path along ``needs`` from one of ``sources`` to ``goal``, both ends included; None = there is
    none.

    ``allowed`` (one boolean per node) keeps the path to some nodes. Among equals, the path with the smallest numbers of
    nodes, from the end backwards.
    """
    origin, target = np.repeat(np.arange(len(needs.starts) - 1), np.diff(needs.starts)), needs.targets
    front = np.isin(np.arange(len(needs.starts) - 1), sources)
    if allowed is not None:
        front &= allowed
        inside = allowed[target]
        origin, target = origin[inside], target[inside]
    steps = steps_along(origin, target, front)
    if steps[goal] < 0:
        return None
    path = [goal]
    while left := steps[path[-1]]:
        path.append(int(origin[(target == path[-1]) & (steps[origin] == left - 1)].min()))
    return path[::-1]


def path_between(jar: OpenedJar, start: int, end: int) -> Found:
    """Return the shortest path by which ``start`` needs ``end``, else the other way round."""
    if start == end:
        return Found([start], f"Start and end are the same class, {jar.simple[start]}: choose another end.")
    found = shortest(jar.needs, np.array([start]), end)
    if found is not None:
        return Found(found, f"{_steps(found)}: {arrows(jar, found)}")
    found = shortest(jar.needs, np.array([end]), start)
    if found is not None:
        return Found(found, f"Only the other way, {_steps(found)}: {arrows(jar, found)}")
    return Found([], f"No dependency path between {jar.simple[start]} and {jar.simple[end]}.")


def cycle_through(jar: OpenedJar, item: int) -> Found:
    """Return the shortest cycle through a class."""
    others = jar.needs.of(item)
    inside = jar.components == jar.components[item]
    found = shortest(jar.needs, others[others != item], item, inside)
    if found is None:
        return Found([item], f"{jar.simple[item]} is in no cycle.")
    best = [item, *found]
    return Found(best, f"Shortest cycle, {_steps(best)}: {arrows(jar, best)}")


def why_kept(jar: OpenedJar, item: int, states: np.ndarray | None, finished: bool) -> Found:
    """Return the shortest chain of kept classes from a required one to ``item``."""
    name = jar.simple[item]
    if jar.pinned[item]:
        return Found([item], f"{name} is pinned: it is always kept.")
    if states is None:
        found = shortest(jar.needs, np.flatnonzero(jar.pinned), item)
        if found is not None:
            return Found(found, f"{name} must stay because a pinned class needs it: {arrows(jar, found)}")
        return Found([item], f"No pinned class needs {name}: run a reduction to find out whether the failure needs it.")
    if states[item] == ItemState.GONE:
        return Found([item], f"{name} is gone: the smallest jar so far does not contain it.")
    there = states != ItemState.GONE
    if states[item] in (ItemState.NEEDED, ItemState.SO_FAR):
        return Found([item], f"{name} is needed: a run without it did not fail.")
    proved = np.flatnonzero((states == ItemState.NEEDED) | (states == ItemState.SO_FAR) | jar.pinned)
    found = shortest(jar.needs, proved, item, there)
    if found is not None:
        return Found(found, f"{name} is kept because {jar.simple[found[0]]} must stay: {arrows(jar, found)}")
    tops = np.flatnonzero(there & jar.is_class & ~_needed_by_another(jar, there))
    found = shortest(jar.needs, tops, item, there)
    if finished and found is not None and len(found) > 1:
        return Found(found, f"{name} is kept because {jar.simple[found[0]]} is: {arrows(jar, found)}")
    if finished:
        return Found([item], f"{name} is kept: no run without it failed.")
    return Found([item], f"No run so far has shown whether {name} is needed.")


def _needed_by_another(jar: OpenedJar, there: np.ndarray) -> np.ndarray:
    needed = np.zeros(jar.items, np.bool_)
    needed[jar.edge_to[there[jar.edge_from]]] = True
    return needed


def _steps(path: list[int]) -> str:
    return "1 step" if len(path) == 2 else f"{len(path) - 1} steps"


def arrows(jar: OpenedJar, path: list[int]) -> str:
    """Return a text such as ``A → B → C``."""
    return " → ".join(jar.simple[item] for item in path)
