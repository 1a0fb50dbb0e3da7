"""The removal of items that the user wants gone, before the phases of an algorithm."""

from __future__ import annotations

from collections.abc import Callable

from core.plan.search_run import SearchRun
from core.reduction.records import source_of
from core.reduction.source import PartSource, Pins, Source, WholeSource
from core.search.phases import Level, Search
from core.search.reducers.unwanted import without_unwanted

NAME = "first"
"""Name of the phase in events."""

Blocked = Callable[[Source, list[str]], None]
"""Function called with the names of a source's items that cannot go."""


def drop_unwanted(run: SearchRun, wanted: Pins, blocked: Blocked) -> list[str]:
    """Try the best so far without the items that ``wanted`` names: by whole classes, then by their members.

    The search by classes finds, at little cost, items that go with all their users. The search by members also finds
    items that go with only some members of other classes; it is skipped if the granularity is ``class``. ``blocked`` is
    called, at the finer of the two levels, with the items that cannot go because every candidate needs them. Return the
    names of the other items that are still there in the end: the failure needs them.
    """
    levels = (Level.CLASSES,) if run.granularity == "class" else (Level.CLASSES, Level.ITEMS)
    stays: list[str] = []
    for level in levels:
        source = run.sources.at(level, run.best)
        names = names_of(source)
        chosen = [number for number, name in enumerate(names) if wanted(name)]
        if not chosen:
            continue
        space, algorithm = without_unwanted(source.problem, chosen)
        found = run.search(NAME, level, run.sources.tester(source), Search(space, algorithm, run.knowledge)).best
        if run.stopped:
            break
        if level is levels[-1]:
            fixed = [number for number in chosen if source.problem.required >> number & 1]
            if fixed:
                blocked(source, [names[number] for number in fixed])
            kept = source.full if source_of(found) is not source else found.items
            stays = [names[number] for number in chosen if kept >> number & 1 and number not in fixed]
    return stays


def names_of(source: Source) -> list[str]:
    """Return the names of a source's items; none if the elements of the source are no items."""
    if isinstance(source, WholeSource):
        return [item.name for item in source.model.items]
    if isinstance(source, PartSource):
        return [item.name for item in source.item_model.items]
    return []
