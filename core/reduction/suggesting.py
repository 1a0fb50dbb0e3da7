"""Before a reduction's own phases: the candidates that evidence suggests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.evidence.dead import DeadCode
from core.evidence.suggestions import Suggest
from core.reduction.driver import Driver
from core.reduction.phases import Plan, price
from core.reduction.sources.edit_source import EditSource
from core.reduction.sources.pointing import suggestions
from core.reduction.sources.source import Source
from core.search.catalogue import Level, PhaseSpec
from core.search.item_sets import members
from core.search.questions import Algorithm
from core.search.reducers.gbr import gbr
from core.search.reducers.suggested import suggested, without_groups
from core.search.reducers.surplus import without_surplus
from core.search.spaces.class_spaces import Classes, Space
from core.search.spaces.item_spaces import Items
from core.search.specs import logic_of

NAME = "evidence"
"""The phase's name, as events tell it."""

_WORTH = 0.99
"""A candidate is asked about if it has at most this share of the bytes of the best so far: one that leaves nearly all
of it brings nothing that the search would not bring."""

_MOST_CUTS = 15
"""Probes for code that never ran: halves of halves of halves of the classes."""


def follow_suggestions(plan: Plan, driver: Driver, granularity: str, suggest: Suggest) -> list[dict[str, object]]:
    """Asks about what ``suggest`` makes of the best so far, in its order, until one is interesting.

    Gives a record for each candidate, as :class:`core.protocol.events.Evidence` has them; those that are too large to
    be of use are left out.
    """
    source = plan.source(Level.ITEMS if granularity != "class" else Level.CLASSES, driver.best)
    most = driver.best.bytes * _WORTH
    found = [each for each in suggestions(source, suggest) if source.bytes_of(each.items) <= most]
    if not found:
        return []
    space = Items(source.problem.sizes)
    answers: list[int | None] = []
    algorithm = suggested(space.elements, [members(each.items) for each in found], answers)
    _run(plan, driver, Level.ITEMS, source, space, algorithm)
    index = answers[0] if answers else None
    asked = len(found) if index is None else index
    return [
        {
            "title": each.title,
            "bytes": source.bytes_of(each.items),
            "classes": source.classes_of(each.items),
            "interesting": True if number == index else False if answers and number < asked else None,
        }
        for number, each in enumerate(found)
    ]


def drop_surplus(plan: Plan, driver: Driver, suggest: Suggest) -> bool:
    """Drops in groups what the best so far has beyond the narrowest suggestion, which was not interesting. Gives
    whether that is anything."""
    source = plan.source(Level.ITEMS, driver.best)
    problem = source.problem
    narrow = next(iter(suggestions(source, suggest)), None)
    if narrow is None or source.bytes_of(narrow.items) > driver.best.bytes * _WORTH:
        return False
    space = Items(problem.sizes)
    algorithm = without_surplus(problem, plan.options, narrow.items, price(1, driver.best.bytes))
    _run(plan, driver, Level.ITEMS, source, space, algorithm)
    return True


def add_what_is_lacking(
    plan: Plan, driver: Driver, suggests: Sequence[Suggest], lacking: Callable[[int], int], most: float
) -> bool:
    """Adds to a suggestion that lacks ``most`` of the failures at most one needed part of the rest after another.

    That is done to the one whose size, once for each that it lacks, is least, for each takes probes of that size.
    ``lacking`` tells how many failures nothing of a size showed. Gives whether there was such a suggestion.
    """
    source = plan.source(Level.ITEMS, driver.best)
    problem = source.problem
    sizes = {each.items: source.bytes_of(each.items) for suggest in suggests for each in suggestions(source, suggest)}
    small = [(lacking(size), size, items) for items, size in sizes.items() if size <= driver.best.bytes * _WORTH]
    found = [((lack + 1) * size, items) for lack, size, items in small if lack <= most]
    if not found:
        return False
    _, known = min(found)
    logic = logic_of(problem)
    search = gbr(logic, logic.order(problem.sizes), known=known, late=True)
    _run(plan, driver, Level.ITEMS, source, Items(problem.sizes), search)
    return True


def _run(plan: Plan, driver: Driver, level: Level, source: Source, space: Space, algorithm: Algorithm) -> None:
    """One phase of what evidence suggests."""
    plan.on_phase(1, PhaseSpec(NAME, level, lambda problem, options: (space, algorithm)), source, space)
    driver.run(space, algorithm, plan.tester(source), background=plan.background(source))


def cut_dead(plan: Plan, driver: Driver, dead: DeadCode) -> int:
    """Takes code away that never ran: of all methods at once, else of half of the classes, then of their halves.

    Gives the number of edits that were tried.
    """
    source = plan.source(Level.BODIES, driver.best)
    if not isinstance(source, EditSource) or not source.count:
        return 0
    required = source.problem.required
    groups = []
    for data, first, edits in source.edits():
        numbers = [first + place for place in dead.of(data, list(edits))]
        groups.append(tuple(number for number in numbers if not required >> number & 1))
    groups = [group for group in groups if group]
    if groups:
        space = Classes(source.problem)
        algorithm = without_groups(space.elements, groups, _MOST_CUTS)
        _run(plan, driver, Level.BODIES, source, space, algorithm)
    return sum(map(len, groups))
