"""The phases of generalized binary reduction, which :mod:`core.search.reducers.generalized` describes.

Candidates are valid sets of items (space :class:`core.search.spaces.item_spaces.Items`), then of places where method
bodies may end. Then items go that only the removed code used.
"""

from __future__ import annotations

from core.search.body_steps import BodySteps
from core.search.item_sets import ItemSet, mask_of, members
from core.search.questions import Algorithm, Candidate, Test
from core.search.reducers.generalized import gbr, named_first
from core.search.reducers.hints.joint_search import JointSearch
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
from core.search.spaces.item_spaces import Items
from core.search.specs import Level, Options, algorithm, logic_of, phase

_WORTH = 0.01
"""Share of the bytes that must go for what is no longer needed to be worth a probe."""


def noting_needed(search: Algorithm, problem: SearchProblem, options: Options) -> Algorithm:
    """A search that notes the names of items which the others of its result are needed by."""
    found: Candidate = yield from search
    options.needed.update(users_in(problem, found))
    return found


def users_in(problem: SearchProblem, found: Candidate) -> list[str]:
    """The names of the items of a valid set which the others of it are needed by."""
    logic = logic_of(problem)
    users_first = logic.order(problem.sizes)[::-1]
    parts = logic.progression(users_first, within=mask_of(found, problem.count))
    return [problem.names(part[0]) for part in parts[1:]]


@phase("items", Level.ITEMS, patient=True)
def ITEMS(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Search items by generalized binary reduction, heavy items late: first around what the failure names, and for each
    of several sites by itself."""
    logic = logic_of(problem)
    order = logic.order(problem.sizes)
    if options.classic:
        return Items(problem.sizes), gbr(logic, order)
    near = options.near()
    search = named_first(logic, order, near, problem.bytes_of) if near else gbr(logic, order)
    if options.sites is not None:
        search = _first_of(JointSearch(problem, options.sites).search(), search, problem.count)
    return Items(problem.sizes), noting_needed(search, problem, options)


def _first_of(joint: Algorithm, otherwise: Algorithm, count: int) -> Algorithm:
    """What the first search finds, or the other where that is all."""
    found: Candidate = yield from joint
    return found if len(found) < count else (yield from otherwise)


@phase("body ends", Level.BODIES, patient=True)
def BODY_ENDS(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """Ends of method bodies by generalized binary reduction; nothing in the published form, which knows no bodies."""
    space, steps = Classes(problem), BodySteps(problem)
    if options.classic or not steps.order:
        space.elements = ()
    return space, gbr(steps, steps.order, late=True)


@phase("items again", Level.ITEMS, patient=True)
def NO_LONGER_NEEDED(problem: SearchProblem, options: Options) -> tuple[Space, Algorithm]:
    """What the needed items need now that bodies end earlier, if that is less."""
    space, whole = Items(problem.sizes), (1 << problem.count) - 1
    kept = whole if options.classic else without_unneeded(problem, whole, options)
    if kept == whole:
        space.elements = ()
    return space, _only(kept, whole)


def _only(kept: ItemSet, whole: ItemSet) -> Algorithm:
    return members(kept if (yield Test(members(kept))) else whole)


def without_unneeded(problem: SearchProblem, whole: ItemSet, options: Options) -> ItemSet:
    """The least valid set with all of ``whole`` that was found to be needed; all of it where that saves no probe's
    worth of bytes."""
    known = {without_descriptor(name) for name in options.needed | options.presumed}
    needed = [item for item in members(whole) if without_descriptor(problem.names(item)) in known]
    kept = whole & logic_of(problem).least(needed)
    all_bytes = problem.written_bytes(whole)
    return kept if all_bytes - problem.written_bytes(kept) >= _WORTH * all_bytes else whole


def without_descriptor(name: str) -> str:
    """An item's name without a member's descriptor, in which a class that has gone since is Object."""
    member, colon, rest = name.partition(":")
    if "!code" in rest:
        return f"{member}:{rest[rest.index('!code') :]}"
    return f"{member}:{rest[rest.rindex('[') :]}" if rest.endswith("]") else member + colon


algorithm(
    "gbr",
    "Generalized binary reduction",
    "Finds one needed part of the input after another by binary search over valid sub-inputs of members and "
    "attributes, then how far into their code.",
    place=20,
)(ITEMS, BODY_ENDS, NO_LONGER_NEEDED)
