"""Tree reducers as algorithms, one for each minimiser of lists."""

from __future__ import annotations

from collections.abc import Callable

from core.search.minimisers.cdd import CDD
from core.search.minimisers.ddmin import DDMIN
from core.search.minimisers.probdd import PROBDD, WPROBDD
from core.search.minimisers.wddmin import WDDMIN
from core.search.phases import (
    Knowledge,
    Level,
    MinimiserSpec,
    PhaseEffort,
    Pointers,
    Search,
    Start,
    algorithm,
    logic_of,
    phase,
)
from core.search.questions import Algorithm
from core.search.spaces.class_spaces import SearchProblem
from core.search.spaces.trees import Tree, TreeSpace


def tree_algorithms(kind: str, title: str, how: str, search: Callable[..., Algorithm], *, place: int) -> None:
    """Declare ``kind-ddmin`` and so on. ``search`` is called with a tree, a minimiser and ``present``."""
    for minimiser in (DDMIN, WDDMIN, PROBDD, WPROBDD, CDD):
        algorithm(
            f"{kind}-{minimiser.name}",
            f"{title} with {minimiser.name}",
            f"{how} Each list is minimised by {minimiser.name}; whatever depends on what is dropped falls with it.",
            place=place,
        )(phase("tree", Level.ITEMS)(_start(search, minimiser)))


def _start(search: Callable[..., Algorithm], minimiser: MinimiserSpec) -> Start:
    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        tree = Tree.grow(problem.parents, problem.sizes, problem.groups)
        space = TreeSpace(tree, logic_of(problem), problem.required, problem.sizes)
        return Search(space, search(tree, minimiser.make(effort), present=space.present), knowledge)

    return start
