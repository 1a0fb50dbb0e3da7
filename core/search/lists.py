"""Phases that give the elements of a space to a minimiser as a list. Every minimiser runs in every space."""

from __future__ import annotations

from collections.abc import Callable

from core.search.phases import Knowledge, Level, Minimal, MinimiserSpec, Phase, PhaseEffort, Pointers, Search, logic_of
from core.search.questions import Weight
from core.search.spaces.class_spaces import Classes, Closures, SearchProblem, Space, VerifiedClasses
from core.search.spaces.item_spaces import LeastModelSpace

SPACES: dict[str, tuple[Level, Callable[[SearchProblem], Space]]] = {
    "classes": (Level.CLASSES, Classes),
    "verified": (Level.CLASSES, VerifiedClasses),
    "closures": (Level.CLASSES, Closures),
    "items": (Level.ITEMS, lambda problem: LeastModelSpace(logic_of(problem), problem.sizes)),
}


def list_phase(space: str, minimiser: MinimiserSpec) -> Phase:
    """Return the phase that gives the elements of a space to a minimiser, as a list."""
    level, make = SPACES[space]
    proves = frozenset({Minimal.CLASSES} if space in ("classes", "verified") and minimiser.singles else ())

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        made = make(problem)
        elements = made.elements
        if space == "closures" and not (effort.classic and minimiser.classic):
            # dropping a closure that lies in a larger one changes nothing, and leaves the larger one no way to go
            elements = elements[::-1]
        return Search(made, minimiser.make(effort)(elements, _weight(made)), knowledge, proves=proves)

    return Phase(space, level, start)


def _weight(space: Space) -> Weight:
    return lambda element: space.cost((element,))
