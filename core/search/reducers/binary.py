"""Binary reduction (JR19, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from core.search.questions import Algorithm, Candidate, Enough, Prefixes
from core.search.spaces.class_spaces import Closures, SearchProblem, Space
from core.search.specs import Level, Options, algorithm, phase


def binary_reduction(elements: Candidate, cost: Callable[[Candidate], int]) -> Algorithm:
    """Finds one needed element at a time, the last of the least interesting prefix.

    ``cost`` is that of the union of a candidate's elements; cheap elements come first, and
    ties keep the order of ``elements``. About ``s * log2(n)`` tests for ``s`` needed ones.
    """
    found: Candidate = ()
    rest = elements
    while True:
        prefixes = _CheapFirst(found, rest, cost)
        least: int | None = yield Enough(found, prefixes)
        if not least:  # 0 is ``found`` again: only where two tests of one candidate disagree
            return found
        found += (prefixes.elements[least - 1],)
        rest = prefixes.elements[: least - 1]


class _CheapFirst(Prefixes):
    """What was found, and more and more of the rest; the rest is sorted when somebody looks."""

    def __init__(self, found: Candidate, rest: Candidate, cost: Callable[[Candidate], int]) -> None:
        super().__init__(found, ())
        self._rest = rest
        self._cost = cost

    @cached_property
    def elements(self) -> Candidate:
        return tuple(sorted(self._rest, key=lambda element: self._cost((*self._base, element))))


@algorithm(
    "binary",
    "Binary reduction",
    "Finds one needed class after another by binary search over dependency closures, small ones first. "
    "Every candidate is valid; the fewest probes.",
    place=30,
)
@phase("classes", Level.CLASSES)
def CLASSES(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Closures of classes by binary reduction."""
    space = Closures(problem)
    return space, binary_reduction(space.elements, space.cost)
