"""Binary reduction (JR19, Algorithm 1)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache, cached_property

from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, Skip, algorithm, phase
from core.search.questions import Algorithm, Candidate, Enough, Prefixes
from core.search.spaces.class_spaces import LARGE_INPUT, Closures, SearchProblem
from core.sets import ItemSet

_PARTS = 3
"""Parts of a class that a failure is taken to need, besides the class: as often a smaller input is searched in fewer
probes. See decisions/010-classes-where-they-pay.md."""


def binary_reduction(elements: Candidate, cost: Callable[[Candidate], int], known: Candidate = ()) -> Algorithm:
    """Finds one needed element at a time, the last of the least interesting prefix; ``known`` ones need not be found.

    ``cost`` is that of the union of a candidate's elements; cheap elements come first, and
    ties keep the order of ``elements``. About ``s * log2(n)`` tests for ``s`` needed ones.
    """

    def question(found: Candidate, rest: Candidate) -> Enough:
        prefixes = _CheapFirst(found, rest, cost)

        @cache
        def then(least: int | None) -> Enough | None:
            if not least:  # 0 is ``found`` again: only where two tests of one candidate disagree
                return None
            return question((*found, prefixes.elements[least - 1]), prefixes.elements[: least - 1])

        return Enough(found, prefixes, then)

    asked = question(known, tuple([element for element in elements if element not in set(known)]))
    while True:
        following = asked.then((yield asked))
        if following is None:
            return asked.candidate
        asked = following


def pays(problem: SearchProblem, known: ItemSet = 0) -> bool:
    """Whether a search for whole classes takes fewer probes than it spares the search for their parts.

    To find a needed class takes the logarithm of their number, and leaves of the bytes the share of its closure, in the
    mean ``share``; at least that of what is ``known`` to be needed. The parts to be found are among so much fewer then.
    """
    space = Closures(problem)
    whole = problem.bytes_of((1 << problem.count) - 1)
    if not space.elements or not whole:
        return False
    closures = [closure | problem.required for closure in problem.closures]
    mass = sum(problem.sizes)
    reached = sum(size * problem.bytes_of(closure) for size, closure in zip(problem.sizes, closures, strict=True))
    share = max(reached / mass, problem.bytes_of(known)) / whole
    return _PARTS * -math.log2(min(1.0, max(1e-9, share))) > math.log2(len(space.elements)) + 1


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
def CLASSES(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search closures of classes by binary reduction."""
    return _search(problem, knowledge, 0)


@phase("classes", Level.CLASSES)
def CLASSES_WITH_FAILURES(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search:
    """Search closures of classes, where the classes in which failures show are taken to be needed."""
    return _search(problem, knowledge, pointers.failing_classes())


@phase("classes", Level.CLASSES)
def CLASSES_IF_THEY_PAY(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search | Skip:
    """Search closures of classes where that spares the search of their members more probes than it takes."""
    known = pointers.failing_classes()
    if problem.count < LARGE_INPUT and not pays(problem, known):
        return Skip("to find whole classes takes more probes than it spares")
    return _search(problem, knowledge, known)


def _search(problem: SearchProblem, knowledge: Knowledge, known: ItemSet) -> Search:
    """Search closures of classes; the items ``known`` are taken to be needed."""
    space = Closures(problem)
    held = tuple([element for element in space.elements if space.closures[element] & ~known == 0])
    return Search(space, binary_reduction(space.elements, space.cost, held), knowledge)
