"""The phases of generalized binary reduction, as :mod:`core.search.reducers.generalized` describes it.

First, candidates are valid sets of items (space :class:`core.search.spaces.Items`). Then they are ends of
method bodies. In the end, items go that only the removed code used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from core.search.phases import Knowledge, Level, PhaseEffort, Pointers, Search, Skip, logic_of, phase
from core.search.questions import Algorithm, Candidate, Test
from core.search.reducers.generalized import families_first, gbr, gbr_by_chance, named_first
from core.search.reducers.joint_search import JointSearch
from core.search.spaces import Classes, Items, SearchProblem
from core.sets import ItemSet, mask_of, members

_WORTH = 0.01
"""Least share of the bytes that the items no longer needed must free to be worth a probe.
See decisions/018-no-longer-needed.md.
"""


def _noting_needed(search: Algorithm, problem: SearchProblem, learnt: Knowledge) -> Algorithm:
    """Run a search, and add the names of the items that need the rest of the result to ``learnt``."""
    found: Candidate = yield from search
    learnt.needed.update(users_in(problem, found))
    return found


def users_in(problem: SearchProblem, found: Candidate) -> list[str]:
    """Return the names of items of a valid set from which the need for all its other items follows."""
    logic = logic_of(problem)
    users_first = logic.order(problem.sizes)[::-1]
    parts = logic.progression(users_first, within=mask_of(found, problem.count))
    return [problem.names(part[0]) for part in parts[1:]]


@phase("needed items", Level.ITEMS, weighs=True)
def NEEDED_ITEMS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search:
    """Search items by generalized binary reduction, heavy items late.

    If the failure names items, the search begins around these items, else each round looks around the found items. If
    several failures are wanted, each has a search of its own.
    """
    logic, learnt = logic_of(problem), knowledge.copy()
    order = logic.order(problem.sizes)
    if effort.search.classic:
        return Search(Items(problem.sizes), gbr(logic, order), learnt)
    around = pointers.around_failures()
    if around:
        search = named_first(logic, order, around, problem.bytes_of)
    else:
        search = families_first(logic, order, _families(problem), problem.bytes_of)
    if pointers.sites is not None:
        search = _first_of(JointSearch(problem, pointers.sites).search(), search, problem.count)
    return Search(Items(problem.sizes), _noting_needed(search, problem, learnt), learnt)


def _families(problem: SearchProblem) -> Callable[[int], ItemSet]:
    """Return a function of an item that returns all items of the outermost class around the item."""
    around = {item: family for family in problem.families.values() for item in family}
    return lambda item: mask_of(around[item], problem.count)


def _first_of(joint: Algorithm, otherwise: Algorithm, count: int) -> Algorithm:
    """Return the result of the search ``joint``. Run the search ``otherwise`` if ``joint`` leaves everything."""
    found: Candidate = yield from joint
    return found if len(found) < count else (yield from otherwise)


@phase("body ends", Level.BODIES, weighs=True)
def BODY_ENDS(problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers) -> Search | Skip:
    """Search the ends of method bodies by generalized binary reduction."""
    space, steps = Classes(problem), BodySteps(problem)
    if effort.search.classic:
        return Skip("the published form does not know method bodies")
    if not steps.order:
        return Skip("no method body may end earlier")
    return Search(space, gbr_by_chance(steps, steps.order), knowledge)


@phase("no longer needed", Level.ITEMS, weighs=True)
def NO_LONGER_NEEDED(
    problem: SearchProblem, knowledge: Knowledge, effort: PhaseEffort, pointers: Pointers
) -> Search | Skip:
    """Ask for the items that the needed items need after bodies were cut, if these are fewer items."""
    whole = (1 << problem.count) - 1
    kept = whole if effort.search.classic else without_unneeded(problem, whole, knowledge)
    if kept == whole:
        return Skip("what the needed items need is all that is left")
    return Search(Items(problem.sizes), only(kept, whole), knowledge)


def only(kept: ItemSet, whole: ItemSet) -> Algorithm:
    """Ask about one set, and return the set if it is interesting, else the whole."""
    return members(kept if (yield Test(members(kept))) else whole)


def without_unneeded(problem: SearchProblem, whole: ItemSet, knowledge: Knowledge) -> ItemSet:
    """Return the least valid set with all items of ``whole`` that are known to be needed; ``whole`` if this set
    saves less than a probe is worth.
    """
    known = {without_descriptor(name) for name in knowledge.needed | knowledge.presumed}
    needed = [item for item in members(whole) if without_descriptor(problem.names(item)) in known]
    kept = whole & logic_of(problem).least(needed)
    all_bytes = problem.written_bytes(whole)
    return kept if all_bytes - problem.written_bytes(kept) >= _WORTH * all_bytes else whole


def without_descriptor(name: str) -> str:
    """Return an item's name without a member's descriptor. In a descriptor, a removed class has become Object."""
    member, colon, rest = name.partition(":")
    if "!code" in rest:
        return f"{member}:{rest[rest.index('!code') :]}"
    return f"{member}:{rest[rest.rindex('[') :]}" if rest.endswith("]") else member + colon


_STEPS = 8
"""Number of steps into which the removable bytes of all bodies are divided. Ends that are nearer to each other than
one step are dropped together. See decisions/019-ends-of-bodies.md.
"""


class BodySteps:
    """The ends of method bodies, in steps, as a :class:`core.search.logic.Progressive`. A step needs the earlier
    steps of its body. Edits that end no body stay in every set.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.count = problem.count
        bodies = sorted(_bodies(problem), key=lambda body: problem.sizes[body[0][0]])
        self.order = [step[0] for body in bodies for step in body]
        """The first end of each step: bodies by rising bytes, the ends of a body in the order of its code."""
        self._needs: dict[int, Candidate] = {}
        """Ends of a step and of all earlier steps of its body, by the first end of the step."""
        for body in bodies:
            for step, ends in zip(body, accumulate(body), strict=True):
                self._needs[step[0]] = ends
        free = {end for body in bodies for step in body for end in step}
        self._stay = [edit for edit in range(self.count) if edit not in free]

    def progression(
        self, order: Sequence[int], learned: Sequence[Iterable[int]] = (), within: ItemSet | None = None
    ) -> list[list[int]]:
        """Return D0, D1, ...: first the edits that stay with a step of each learned set, then the ends of each further
        step.
        """
        inside = [end for end in order if within is None or within >> end & 1]
        parts, held = [self._stay[:]], set(self._stay)

        def add(end: int) -> list[int]:
            new = [other for other in self._needs[end] if other not in held]
            held.update(new)
            return new

        for one in map(set, learned):
            if held.isdisjoint(one):
                parts[0] += add(next(end for end in inside if end in one))
        parts += [add(end) for end in inside if end not in held]
        return parts


def _bodies(problem: SearchProblem) -> Iterator[Sequence[Candidate]]:
    """Yield the ends of each body in the order of its code, in steps of at least 1 / ``_STEPS`` of the removable
    bytes. A step may hold several ends, because an end in a branch may save less than a later end outside the
    branch.
    """
    freed = [
        list(accumulate((problem.sizes[end] for end in reversed(chain)), max))[::-1] for chain in problem.chains
    ]  # a later end may save more than an end in a branch
    least = sum(row[0] for row in freed) / _STEPS
    for chain, row in zip(problem.chains, freed, strict=True):
        if row[0] < least:
            continue
        starts = [0]
        for place, saved in enumerate(row):
            if row[starts[-1]] - saved >= least:
                starts.append(place)
        yield [chain[start:stop] for start, stop in pairwise([*starts, len(chain)])]
