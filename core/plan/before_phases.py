"""The steps before the phases of an algorithm: begin with an earlier result, and remove the items that the user wants
gone."""

from __future__ import annotations

from collections.abc import Callable

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.model.class_model import ClassModel, Kind
from core.parts.parts import parts
from core.plan.plan_run import PlanRun
from core.reduction.elements import Elements, Pins, jar_of
from core.search.phases import Level, Search
from core.search.questions import Algorithm
from core.search.reducers.by_halves import without_unwanted
from core.search.spaces import Items

NAME = "earlier"
"""Name of the phase in events."""


def lacking(model: ClassModel, entries: Entries, pinned: Callable[[str], bool]) -> str:
    """Return the engine's name of the first pinned item of the input that an earlier result lacks; empty if there is
    none.
    """
    left = dict(entries)
    for item in model.items:
        if not pinned(item.name):
            continue
        entry = model.jar.entries[item.entry]
        data = left.get(entry.name)
        if data is None:
            return item.name
        if item.kind is Kind.CLASS and data != entry.data:
            there = _parts(data)
            gone = [name for name in _parts(entry.data) if name not in there and pinned(name)]
            if gone:
                return gone[0]
    return ""


def begin_with(run: PlanRun, entries: Entries, name: str = NAME) -> bool:
    """Ask about the ``entries`` of an earlier result, of which usually the journal has the answer, or of another
    candidate. Return True if they are interesting. ``name``: the name of the phase.

    If they are, these entries become the best so far, and the phases go on from there.
    """
    before = run.best
    elements = run.elements.classes(jar_of(entries, run.elements.whole.model.jar))
    search = Search(Items(elements.problem.sizes), _nothing(), run.knowledge)
    run.search(name, Level.CLASSES, run.elements.tester(elements), search)
    return run.best is not before


def _nothing() -> Algorithm:
    """Return an algorithm without questions: the driver itself tests the start of a search."""
    yield from ()
    return ()


def _parts(data: bytes) -> set[str]:
    try:
        return {part.name for part in parts(parse(data), "full")}
    except ClassFormatError:
        return set()


_FIRST = "first"
"""Name of the phase in events."""

Blocked = Callable[[Elements, list[str]], None]
"""Function called with the names of the items that cannot go."""


def drop_unwanted(run: PlanRun, wanted: Pins, blocked: Blocked) -> list[str]:
    """Try the best so far without the items that ``wanted`` names: by whole classes, then by their members.

    The search by classes finds, at little cost, items that go with all their users. The search by members also finds
    items that go with only some members of other classes; it is skipped if the granularity is ``class``. ``blocked`` is
    called, at the finer of the two levels, with the items that cannot go because every candidate needs them. Return the
    names of the other items that are still there in the end: the failure needs them.
    """
    levels = (Level.CLASSES,) if run.granularity == "class" else (Level.CLASSES, Level.ITEMS)
    stays: list[str] = []
    for level in levels:
        elements = run.elements.at(level, run.best)
        names = elements.named(elements.full)
        chosen = [number for number, name in enumerate(names) if wanted(name)]
        if not chosen:
            continue
        space, algorithm = without_unwanted(elements.problem, chosen)
        found = run.search(_FIRST, level, run.elements.tester(elements), Search(space, algorithm, run.knowledge)).best
        if run.stopped:
            break
        if level is levels[-1]:
            fixed = [number for number in chosen if elements.problem.required >> number & 1]
            if fixed:
                blocked(elements, [names[number] for number in fixed])
            kept = elements.full if found.elements is not elements else found.items
            stays = [names[number] for number in chosen if kept >> number & 1 and number not in fixed]
    return stays
