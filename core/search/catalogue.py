"""The algorithms by the names that users type: a space and a minimiser each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.search.binary import binary_reduction
from core.search.ddmin import complements_only, ddmin
from core.search.questions import Algorithm
from core.search.spaces import Classes, Closures, Problem, Space, VerifiedClasses


@dataclass(frozen=True, slots=True)
class Entry:
    """One algorithm: ``start(space, classic)`` gives the generator that runs in ``space(problem)``."""

    name: str
    title: str
    explanation: str
    space: Callable[[Problem], Space]
    start: Callable[[Space, bool], Algorithm]


CATALOGUE: dict[str, Entry] = {}
DEFAULT = "binary"


def _register(
    name: str, title: str, explanation: str, space: Callable[[Problem], Space]
) -> Callable[[Callable[[Space, bool], Algorithm]], Callable[[Space, bool], Algorithm]]:
    def add(start: Callable[[Space, bool], Algorithm]) -> Callable[[Space, bool], Algorithm]:
        CATALOGUE[name] = Entry(name, title, explanation, space, start)
        return start

    return add


def _ddmin(space: Space, classic: bool) -> Algorithm:
    return ddmin(space.elements) if classic else complements_only(space.elements)


@_register(
    "binary",
    "Binary reduction",
    "Finds one needed class after another by binary search over dependency closures, small ones first. "
    "Every try is valid; usually the fewest probes and the smallest result.",
    Closures,
)
def _binary(space: Space, classic: bool) -> Algorithm:
    return binary_reduction(space.elements, space.cost)


_register(
    "closure",
    "Delta debugging of closures",
    "Delta debugging over lists of dependency closures: every try is valid, but closures are not weighed.",
    Closures,
)(_ddmin)

_register(
    "verify",
    "Delta debugging, valid tries only",
    "Delta debugging over classes; the dependency graph turns down tries that lack a needed class, "
    "without running the command.",
    VerifiedClasses,
)(_ddmin)

_register(
    "ddmin",
    "Delta debugging of classes",
    "Delta debugging over the list of classes as if they did not depend on each other: many tries are invalid.",
    Classes,
)(_ddmin)
