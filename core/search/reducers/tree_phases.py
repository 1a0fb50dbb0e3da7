"""A tree reducer as algorithms: one for each minimiser of its lists."""

from __future__ import annotations

from collections.abc import Callable

from core.search.minimisers.cdd import CDD
from core.search.minimisers.ddmin import DDMIN
from core.search.minimisers.probdd import PROBDD, WPROBDD
from core.search.minimisers.wddmin import WDDMIN
from core.search.questions import Algorithm
from core.search.spaces.class_spaces import SearchProblem, Space
from core.search.spaces.trees import Tree, TreeSpace
from core.search.specs import Level, MinimiserSpec, Options, algorithm, logic_of, phase


def tree_algorithms(kind: str, title: str, how: str, search: Callable[..., Algorithm], *, place: int) -> None:
    """Declares ``kind-ddmin`` and so on; ``search`` is called with a tree, a minimiser and ``present``."""
    for minimiser in (DDMIN, WDDMIN, PROBDD, WPROBDD, CDD):
        algorithm(
            f"{kind}-{minimiser.name}",
            f"{title} with {minimiser.name}",
            f"{how} Each list is minimised by {minimiser.name}; whatever depends on what is dropped falls with it.",
            place=place,
        )(phase("tree", Level.ITEMS)(_start(search, minimiser)))


def _start(
    search: Callable[..., Algorithm], minimiser: MinimiserSpec
) -> Callable[[SearchProblem, Options], tuple[Space, Algorithm]]:
    def start(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
        tree = Tree.grow(problem.parents, problem.sizes, problem.groups)
        space = TreeSpace(tree, logic_of(problem), problem.required, problem.sizes)
        return space, search(tree, minimiser.make(options), present=space.present)

    return start
