"""Before a reduction's own phases: the candidates that evidence suggests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from core.evidence.dead import DeadCode
from core.evidence.failure_sites import FailureSites
from core.evidence.suggestions import Suggest
from core.reduction.driver import Driver
from core.reduction.phases import Plan, price
from core.reduction.source_sites import SourceSites, nearest_first
from core.reduction.sources.edit_source import EditSource
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.pointing import suggestions
from core.reduction.sources.source import Source
from core.search.catalogue import Level, Options, PhaseSpec
from core.search.item_sets import ItemSet, members
from core.search.questions import Algorithm, Candidate
from core.search.reducers.gbr import users_in
from core.search.reducers.hints.joint_search import JointSearch
from core.search.reducers.hints.lacking import with_lacking
from core.search.reducers.hints.suggested import suggested, without_groups
from core.search.reducers.hints.surplus import without_surplus
from core.search.spaces.class_spaces import Classes, SearchProblem, Space
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


def shown_by_widest(plan: Plan, driver: Driver, granularity: str, suggest: Suggest) -> frozenset[str] | None:
    """The failures that the widest of what is suggested showed; None where it was not asked about."""
    source = plan.source(Level.ITEMS if granularity != "class" else Level.CLASSES, driver.best)
    found = list(suggestions(source, suggest))
    shown = driver.shown_by(plan.tester(source), found[-1].items) if found else None
    return None if shown is None else frozenset(shown)


def add_what_is_lacking(
    plan: Plan, driver: Driver, suggests: Sequence[Suggest], trouble: Callable[[frozenset[str]], tuple[int, int] | None]
) -> bool:
    """Adds to a suggestion one needed class of the rest after another.

    ``trouble``: of the failures that a candidate showed, how much is wrong with them; None where that is too much.
    There is one needed class at least for each, so that is done where least is wrong, in the smallest. Gives whether
    there was any.
    """
    source = plan.source(Level.ITEMS, driver.best)
    if not isinstance(source, PartSource):
        return False
    problem, tester = source.problem, plan.tester(source)
    found: list[tuple[tuple[int, int], int, ItemSet]] = []
    for items in dict.fromkeys(each.items for suggest in suggests for each in suggestions(source, suggest)):
        shown = driver.shown_by(tester, items)
        wrong = None if shown is None else trouble(frozenset(shown))
        if wrong is not None:
            found.append((wrong, source.bytes_of(items), items))
    if not found:
        return False
    _, _, known = min(found)
    groups = nearest_first(source, known)
    search = with_lacking(logic_of(problem), groups, known, problem.bytes_of)
    _run(plan, driver, Level.ITEMS, source, Items(problem.sizes), search)
    return True


def search_sites(plan: Plan, driver: Driver, failures: FailureSites) -> None:
    """Search among the items for what the failures of each site need, in shared probes."""
    source = plan.source(Level.ITEMS, driver.best)
    sites = SourceSites(source, failures, partial(driver.shown_by, plan.tester(source)))
    search = _presuming(JointSearch(source.problem, sites), source.problem, plan.options)
    _run(plan, driver, Level.ITEMS, source, Items(source.problem.sizes), search)


def _presuming(joint: JointSearch, problem: SearchProblem, options: Options) -> Algorithm:
    """Run the joint search. Presume that what it found is needed, if it is complete."""
    found: Candidate = yield from joint.search()
    if joint.complete:
        options.presumed.update(users_in(problem, found))
        options.minimal = True
    return found


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
