"""Binary reduction (JR19, Algorithm 1): over closures of classes, and over those of lossy encodings.

A lossy encoding reduces every clause to an edge (GBR21, section 4.3). A set that is closed under the edges satisfies
the clauses, so every candidate is valid. Sets that satisfy a clause in another way are out of reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, cached_property

import networkx as nx

from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search, Skip, logic_of, phase
from core.search.questions import Algorithm, Candidate, Enough, Least, Prefixes, Test
from core.search.spaces import LARGE_INPUT, Closures, Edges, SearchProblem, Space
from core.sets import ItemSet, each, listed_by, mask_of, union


def binary_reduction(
    elements: Candidate, cost: Callable[[Candidate], int], known: Candidate = (), *, some: bool = False
) -> Algorithm:
    """Find one needed element at a time: the last element of the least interesting prefix. ``known`` elements are
    needed and not searched. With ``some``, the first question is not for none of the elements.

    ``cost`` returns the bytes of the union of a candidate's elements. Cheap elements come first, and ties keep the
    order of ``elements``. About ``s * log2(n)`` tests for ``s`` needed elements of ``n``.
    """

    def question(found: Candidate, rest: Candidate, some: bool = False) -> Enough | Least:
        prefixes = _CheapFirst(found, rest, cost)

        @cache
        def then(least: int | None) -> Enough | Least | None:
            if not least:  # 0 is ``found`` again: only where two tests of one candidate disagree
                return None
            return question((*found, prefixes.elements[least - 1]), prefixes.elements[: least - 1])

        return Least(prefixes, then) if some else Enough(found, prefixes, then)

    asked = question(known, tuple([element for element in elements if element not in set(known)]), some and not known)
    while True:
        following = asked.then((yield asked))
        if following is None:
            return asked.candidate if isinstance(asked, Enough) else known
        asked = following


def _rare_first(space: Space, rare: set[int], known: Candidate = (), *, some: bool) -> Algorithm:
    """Reduce the ``rare`` elements alone if they are interesting, else all."""
    few = tuple(element for element in space.elements if element in rare)
    elements = few if few and (yield Test(few)) else space.elements
    return (yield from binary_reduction(elements, space.cost, known, some=some))


class _CheapFirst(Prefixes):
    """The found elements, then growing prefixes of the rest by rising cost. The rest is sorted on first access."""

    def __init__(self, found: Candidate, rest: Candidate, cost: Callable[[Candidate], int]) -> None:
        super().__init__(found, ())
        self._rest = rest
        self._cost = cost

    @cached_property
    def elements(self) -> Candidate:
        return tuple(sorted(self._rest, key=lambda element: self._cost((*self._base, element))))


@phase("jars", Level.CLASSES)
def JARS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Search opened jars, if there are several. A jar comes with the mentioned classes of other jars. Dependencies of
    these alone may be missing, like classes of a library.
    """
    jars = listed_by(lambda item: problem.groups[item][0], range(len(problem.groups)))
    if len(jars) < 2:
        return Skip("the input is one jar")
    near = problem.near()
    whole = [union(near[item] for item in items) for items in jars.values()]
    return _search(replace(problem, closures=whole), knowledge, pointers.failing_classes())


def _search(problem: SearchProblem, knowledge: Knowledge, known: ItemSet | None = None, rare: ItemSet = 0) -> Search:
    """Search closures of classes; the items ``known`` are taken to be needed. None: the search is as published. If none
    are known, the closures of the ``rare`` items come first.
    """
    space = Closures(problem)
    held = tuple([element for element in space.elements if space.closures[element] & ~(known or 0) == 0])
    first = {problem.closures[item] | problem.required for item in each(rare)} if not held else set()
    few = {element for element in space.elements if space.closures[element] in first}
    return Search(space, _rare_first(space, few, held, some=known is not None), knowledge)


def _of_classes(name: str, *, failing: bool = True, large: bool = False, near: bool = False) -> Phase:
    """Return a phase that searches closures of classes. ``failing``: the classes in which failures show are taken to be
    needed. ``large``: only an input with too many classes for a model of its members is searched. ``near``: each class
    comes with what it mentions alone.
    """

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
        if large and (problem.count < LARGE_INPUT or knowledge.mostly_used):
            return Skip("the input is small enough for a search of members, or most of it runs")
        searched = replace(problem, closures=_with_families(problem)) if near else problem
        known = pointers.failing_classes() if failing else None
        return _search(searched, knowledge, known, pointers.rare_classes() if near else 0)

    return Phase(name, Level.CLASSES, start)


CLASSES = _of_classes("classes", failing=False)
CLASSES_WITH_FAILURES = _of_classes("classes")
CLASSES_ALONE = _of_classes("classes alone", large=True, near=True)
"""Dependencies farther away than what a class mentions may be missing, like classes of a library."""
CLASSES_OF_LARGE_INPUT = _of_classes("classes", large=True)


def _with_families(problem: SearchProblem) -> list[ItemSet]:
    """Return what is near each item, with its top-level class and all that is nested there: a compiler, or another
    reader of signatures, asks for these together."""
    near = list(problem.near())
    for family in problem.families.values():
        whole = mask_of(family, problem.count)
        for item in family:
            near[item] |= whole
    return near


class ClassClosures(Space):
    """The space with one element per outermost class or resource. A candidate keeps these whole, with their nested
    classes and the least valid set around them."""

    def __init__(self, problem: SearchProblem) -> None:
        self._problem = problem
        self._families = list(problem.families.values())
        self.elements: Candidate = tuple(range(len(self._families)))
        self._found: tuple[Candidate, int, Callable[[Iterable[int]], list[int]]] | None = None

    def having(self, items: ItemSet) -> set[int]:
        """Return the elements with any of some items."""
        return {number for number, family in enumerate(self._families) if any(items >> item & 1 for item in family)}

    def items(self, candidate: Candidate) -> ItemSet:
        return logic_of(self._problem).least(self._within(candidate))

    def cost(self, candidate: Candidate) -> int:
        found, last = candidate[:-1], candidate[-1:]
        if self._found is None or self._found[0] != found:  # a round weighs each of the rest beside the same elements
            beyond = logic_of(self._problem).beyond(self._within(found))
            self._found = found, self._problem.bytes_of(self.items(found)), beyond
        return self._found[1] + sum(map(self._problem.sizes.__getitem__, self._found[2](self._within(last))))

    def _within(self, candidate: Candidate) -> list[int]:
        return [item for element in candidate for item in self._families[element]]


@phase("class by class", Level.ITEMS, whole=True)
def CLASS_BY_CLASS(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search | Skip:
    """Search whole classes, each with its least valid set, if nothing tells where to begin."""
    if knowledge.mostly_used:
        return Skip("most of the input runs")
    space = ClassClosures(problem)
    return Search(space, _rare_first(space, space.having(pointers.rare_classes()), some=True), knowledge)


def along_edges(problem: SearchProblem, edges: Edges) -> Closures:
    """Return the space of the closures of a problem's items along some edges."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(edges.variables))
    graph.add_edges_from(edges.pairs.tolist())
    reached: dict[int, ItemSet] = {}
    for nodes in nx.strongly_connected_components(graph):  # each comes after those that it reaches
        beyond = {target for node in nodes for target in graph[node]} - nodes
        own = (1 << node for node in nodes if node < problem.count)
        reached |= dict.fromkeys(nodes, union((*own, *(reached[target] for target in beyond))))
    closures = [reached[item] for item in range(problem.count)]
    return Closures(replace(problem, closures=closures, required=union(reached[each] for each in edges.required)))


def _lossy(name: str, *, last: bool) -> Phase:
    """Return the phase of a lossy encoding."""

    def start(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
        assert problem.cut_down is not None
        space = along_edges(problem, problem.cut_down(last))
        return Search(space, binary_reduction(space.elements, space.cost), knowledge)

    return Phase(name, Level.ITEMS, start)


FIRST = _lossy("first choices", last=False)
"""The search along edges from the first premise to the first conclusion of each clause."""
LAST = _lossy("last choices", last=True)
"""The search along edges from the last premise to the last conclusion of each clause."""
