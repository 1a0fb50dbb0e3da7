"""Before a reduction's own phases: the items that the user wants gone."""

from __future__ import annotations

from collections.abc import Callable

from core.plan.catalogue import Level, PhaseSpec
from core.plan.phases import Plan
from core.reduction.driver import Driver
from core.reduction.records import source_of
from core.reduction.sources.part_source import PartSource
from core.reduction.sources.source import Pins, Source
from core.reduction.sources.whole_source import WholeSource
from core.search.reducers.unwanted import first_phase

NAME = "first"
"""The phase's name, as events name it."""


Blocked = Callable[[Source, list[str]], None]


def drop_first(plan: Plan, driver: Driver, granularity: str, wanted: Pins, blocked: Blocked) -> list[str]:
    """Tries what is left without the items that ``wanted`` names: by whole classes, then by their members.

    The first finds what goes with all that needs it, at little cost; the second finds also what goes with only some
    members of other classes, unless whole classes alone are wanted. ``blocked`` hears, at the finer of the two, of
    items that cannot go because something that every candidate holds needs them. Gives the names of the others that
    are still there in the end: the failure needs them.
    """
    levels = (Level.CLASSES, Level.ITEMS) if granularity != "class" else (Level.CLASSES,)
    stays: list[str] = []
    for level in levels:
        source = plan.source(level, driver.best)
        names = names_of(source)
        chosen = [number for number, name in enumerate(names) if wanted(name)]
        if not chosen:
            continue
        space, algorithm = first_phase(source.problem, chosen)
        phase = PhaseSpec(NAME, level, lambda problem, options: first_phase(problem, ()))
        plan.on_phase(1, phase, source, space)
        found = driver.run(space, algorithm, plan.tester(source), background=plan.background(source)).best
        if driver.stopped:
            break
        if level is levels[-1]:
            fixed = [number for number in chosen if source.problem.required >> number & 1]
            if fixed:
                blocked(source, [names[number] for number in fixed])
            kept = source.full if source_of(found) is not source else found.items
            stays = [names[number] for number in chosen if kept >> number & 1 and number not in fixed]
    return stays


def names_of(source: Source) -> list[str]:
    """The names of a source's items; of one whose elements are no items none."""
    if isinstance(source, WholeSource):
        return [item.name for item in source.model.items]
    if isinstance(source, PartSource):
        return [item.name for item in source.item_model.items]
    return []
