"""Searches that ask for all elements at once, then for parts: suggestions, parameters, lines, neutral names, and items
that the user wants removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.search.logic import Logic
from core.search.minimisers.ddmin import complements_only
from core.search.phases import Knowledge, Level, Phase, PhaseEffort, Pointers, Search, Skip, phase
from core.search.questions import Algorithm, Candidate, First, Test
from core.search.spaces import Classes, Items, SearchProblem, Space
from core.sets import ItemSet, mask_of, members, union


def first_of(start: Candidate, candidates: Sequence[Candidate]) -> Algorithm:
    """Return the first interesting one of some candidates, which go from small to large; ``start`` if there is none."""
    index: int | None = yield First(candidates)
    return start if index is None else candidates[index]


def without_groups(
    start: Candidate,
    groups: Sequence[Candidate],
    most: int,
    failed: set[frozenset[str]] | None = None,
    name: Callable[[int], str] = str,
) -> Algorithm:
    """Leave out all groups at once. If the candidate is not interesting, try one half, then the other, then their
    halves.

    At most ``most`` questions, the large halves first. ``failed`` has the names of elements that could not go together:
    no question is about these and others, and those of this search are added.
    """
    known = set() if failed is None else failed
    current = start
    waiting = [tuple(groups)] if groups else []
    while waiting and most > 0:
        block = waiting.pop(0)
        gone = {element for group in block for element in group}
        names = frozenset(map(name, gone))
        if not any(each <= names for each in known):
            candidate = tuple(element for element in current if element not in gone)
            most -= 1
            if (yield Test(candidate)):
                current = candidate
                continue
            known.add(names)
        if len(block) > 1:
            half = len(block) // 2
            waiting += [block[:half], block[half:]]
    return current


_MOST_FOR_NAMES = 100
"""Largest number of probes: enough for half a dozen names that the failure needs, among a thousand.
See decisions/051-neutral-names.md."""


def _start_names(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask for the input with neutral names everywhere, then for halves: packages come first, strings last."""
    space = Classes(problem)
    return Search(
        space, without_groups(space.elements, [(element,) for element in space.elements], _MOST_FOR_NAMES), knowledge
    )


NEUTRAL_NAMES = Phase("names", Level.NAMES, _start_names)
"""The phase of neutral names, the only one that frees no bytes."""


_WORTH_OF_PARAMETERS = 0.01
"""Least share of the bytes that all parameters together must free. See decisions/021-parameters.md."""


@phase("parameters", Level.PARAMETERS, weighs=True)
def PARAMETERS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Ask for methods without all parameters that no method reads."""
    space, whole = Classes(problem), problem.written_bytes((1 << problem.count) - 1)
    worth = 1 if effort.search.thorough else max(1, _WORTH_OF_PARAMETERS * whole)
    if whole - problem.written_bytes(0) < worth:
        return Skip("too few bytes would go with all parameters")
    return Search(space, first_of(space.elements, [()]), knowledge)


def _only_lines(elements: Candidate) -> Algorithm:
    """Ask for no line at all, then by ddmin."""
    if (yield Test(())):
        return ()
    return (yield from complements_only(elements))


@phase("lines", Level.LINES)
def LINES(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Ask for the text files beside the jar without some of their lines."""
    space = Classes(problem)
    return Search(space, _only_lines(space.elements), knowledge)


Ways = Callable[[ItemSet, Sequence[int]], list[ItemSet]]
"""Function of a set and some of its items. Returns valid subsets without these items, the smallest first; none if
the items must stay.
"""


def without_unwanted(problem: SearchProblem, wanted: Sequence[int]) -> tuple[Space, Algorithm]:
    """Return the search for candidates without the items ``wanted``, and the space that it runs in."""
    if problem.logic is not None:
        items = Items(problem.sizes)
        return items, drop_first(items.elements, wanted, by_logic(problem.logic))
    classes = Classes(problem)
    return classes, drop_first(classes.elements, wanted, by_closures(problem))


def drop_first(start: Candidate, wanted: Sequence[int], ways: Ways) -> Algorithm:
    """Leave out all ``wanted`` items at once; if the candidate is not interesting, each item alone, in the given
    order.

    The users of a dropped item go too. In the first candidate, also the items go that only the dropped item needs. An
    item that cannot go is still in the result.
    """
    elements = mask_of(start, max(start, default=0) + 1)
    current = elements
    groups = [list(wanted)] * (len(wanted) > 1) + [[item] for item in wanted]
    for group in groups:
        there = [item for item in group if current >> item & 1]
        if not there:
            continue
        candidates = [way & elements for way in ways(current, there)]
        index: int | None = (yield First([members(way) for way in candidates])) if candidates else None
        if index is not None:
            current = candidates[index]
    return members(current)


def by_logic(logic: Logic) -> Ways:
    """Return the ways to drop items that the clauses allow."""

    def ways(kept: ItemSet, items: Sequence[int]) -> list[ItemSet]:
        rest = logic.largest(kept & ~mask_of(tuple(items), logic.count))
        if rest is None:
            return []
        free = logic.least(members(rest & ~logic.least(items)))
        return _distinct([free, rest], rest)

    return ways


def by_closures(problem: SearchProblem) -> Ways:
    """Return the ways to drop items that the transitive closures allow."""
    closures, required = problem.closures, problem.required

    def ways(kept: ItemSet, items: Sequence[int]) -> list[ItemSet]:
        gone = mask_of(tuple(items), problem.count)
        if gone & required:
            return []
        rest = tuple(item for item in members(kept | required) if not closures[item] & gone)
        held = union(closures[item] for item in items)
        free = union([required, *(closures[item] for item in rest if not held >> item & 1)])
        whole = mask_of(rest, problem.count)
        return _distinct([free, whole], whole)

    return ways


def _distinct(ways: list[ItemSet], within: ItemSet) -> list[ItemSet]:
    return list(dict.fromkeys(way for way in ways if not way & ~within))
