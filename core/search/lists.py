"""Lists to minimise: every minimiser runs in every one of these spaces."""

from __future__ import annotations

from collections.abc import Callable

from core.search.questions import Algorithm, Weight
from core.search.spaces.class_spaces import Classes, Closures, SearchProblem, Space, VerifiedClasses
from core.search.spaces.item_spaces import LeastModelSpace
from core.search.specs import Level, MinimiserSpec, Options, PhaseSpec, logic_of

SPACES: dict[str, tuple[Level, Callable[[SearchProblem], Space]]] = {
    "classes": (Level.CLASSES, Classes),
    "verified": (Level.CLASSES, VerifiedClasses),
    "closures": (Level.CLASSES, Closures),
    "items": (Level.ITEMS, lambda problem: LeastModelSpace(logic_of(problem), problem.sizes)),
}


def list_phase(space: str, minimiser: MinimiserSpec) -> PhaseSpec:
    """The elements of a space as a list for a minimiser."""
    level, make = SPACES[space]

    def start(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
        made = make(problem)
        elements = made.elements
        if space == "closures" and not (minimiser.keeps_parts and options.classic):
            # dropping a closure that lies in a larger one changes nothing, and leaves the larger one no way to go
            elements = elements[::-1]
        return made, minimiser.make(options)(elements, _weight(made))

    return PhaseSpec(space, level, start, singles=space in ("classes", "verified") and minimiser.singles)


def _weight(space: Space) -> Weight:
    return lambda element: space.cost((element,))
