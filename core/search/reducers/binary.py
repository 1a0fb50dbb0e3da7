"""Binary reduction (JR19, Algorithm 1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache, cached_property

from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, Skip, phase
from core.search.questions import Algorithm, Candidate, Enough, Prefixes
from core.search.spaces.class_spaces import LARGE_CLASS_PATH, LARGE_INPUT, Closures, SearchProblem
from core.sets import ItemSet, union


def binary_reduction(elements: Candidate, cost: Callable[[Candidate], int], known: Candidate = ()) -> Algorithm:
    """Find one needed element at a time: the last element of the least interesting prefix. ``known`` elements are
    needed and not searched.

    ``cost`` returns the bytes of the union of a candidate's elements. Cheap elements come first, and ties keep the
    order of ``elements``. About ``s * log2(n)`` tests for ``s`` needed elements of ``n``.
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


class _CheapFirst(Prefixes):
    """The found elements, then growing prefixes of the rest by rising cost. The rest is sorted on first access."""

    def __init__(self, found: Candidate, rest: Candidate, cost: Callable[[Candidate], int]) -> None:
        super().__init__(found, ())
        self._rest = rest
        self._cost = cost

    @cached_property
    def elements(self) -> Candidate:
        return tuple(sorted(self._rest, key=lambda element: self._cost((*self._base, element))))


@phase("classes", Level.CLASSES)
def CLASSES(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search closures of classes by binary reduction."""
    return _search(problem, knowledge, 0)


@phase("classes", Level.CLASSES)
def CLASSES_WITH_FAILURES(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search:
    """Search closures of classes. The classes in which failures show are taken to be needed."""
    return _search(problem, knowledge, pointers.failing_classes())


@phase("jars", Level.CLASSES)
def JARS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Search opened jars, if there are several. Each comes with the classes elsewhere that its classes mention; what
    only these need may be missing, as a class of a library may.
    """
    jars: dict[str, list[int]] = {}
    for item, (jar,) in enumerate(problem.groups):
        jars.setdefault(jar, []).append(item)
    if len(jars) < 2:
        return Skip("the input is one jar")
    near = problem.near()
    whole = [union(near[item] for item in items) for items in jars.values()]
    return _search(replace(problem, closures=whole), knowledge, pointers.failing_classes())


@phase("classes", Level.CLASSES)
def CLASSES_OF_LARGE_INPUT(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search | Skip:
    """Search closures of classes, if the input has too many of them for a model of its members."""
    opened = any(map(any, problem.groups))
    if problem.count < (LARGE_CLASS_PATH if opened else LARGE_INPUT):
        return Skip("the input is small enough for a search of members")
    if opened:
        problem = replace(problem, closures=problem.near())
    return _search(problem, knowledge, pointers.failing_classes())


def _search(problem: SearchProblem, knowledge: Knowledge, known: ItemSet) -> Search:
    """Search closures of classes; the items ``known`` are taken to be needed."""
    space = Closures(problem)
    held = tuple([element for element in space.elements if space.closures[element] & ~known == 0])
    return Search(space, binary_reduction(space.elements, space.cost, held), knowledge)
