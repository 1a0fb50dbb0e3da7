"""Before a reduction's own phases: the items that the user wants gone."""

from __future__ import annotations

from core.run.driver import Driver
from core.run.plan import Plan
from core.run.sources import PartSource, Pins, Source, WholeSource
from core.search.catalogue import Level, Phase
from core.search.first import first_phase

NAME = "first"
"""The phase's name, as events tell it."""


def drop_first(plan: Plan, driver: Driver, granularity: str, wanted: Pins) -> None:
    """Tries what is left without the items that ``wanted`` names: by whole classes, then by their members.

    The first finds what goes with all that needs it, at little cost; the second finds also what goes with only some
    members of other classes, unless whole classes alone are wanted.
    """
    for level in (Level.CLASSES, Level.ITEMS) if granularity != "class" else (Level.CLASSES,):
        source = plan.source(level, driver.best)
        names = names_of(source)
        chosen = [number for number, name in enumerate(names) if wanted(name)]
        if not chosen:
            continue
        space, algorithm = first_phase(source.problem, chosen)
        phase = Phase(NAME, level, lambda problem, options: first_phase(problem, ()))
        plan.told(1, phase, source, space)
        driver.run(space, algorithm, plan.judge(source))
        if driver.stopped:
            return


def names_of(source: Source) -> list[str]:
    """The names of a source's items; of one whose elements are no items none."""
    if isinstance(source, WholeSource):
        return [item.name for item in source.model.items]
    if isinstance(source, PartSource):
        return [item.name for item in source.detailed.items]
    return []
