"""A reduction that begins with what an earlier one of the same input came to, instead of with the whole input."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.model import class_model
from core.model.class_model import ClassModel, Kind
from core.plan.catalogue import Level, PhaseSpec
from core.plan.phases import Plan
from core.reduction.driver import Driver
from core.reduction.sources.source import entry_numbers, jar_of
from core.reduction.sources.whole_source import WholeSource
from core.rewrite.parts import parts
from core.search.questions import Algorithm
from core.search.spaces.class_spaces import Classes

NAME = "earlier"
"""The phase's name, as events tell it."""


def lacking(model: ClassModel, entries: Entries, pinned: Callable[[str], bool]) -> str:
    """The first pinned item of the input, as the engine names it, that an earlier result does not have; empty: none."""
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


def begin_with(plan: Plan, driver: Driver, entries: Entries) -> bool:
    """Asks whether these entries are interesting, which the journal mostly knows; if so they are the best so far, from
    which the phases go on. Whether that is so."""
    whole, before = plan.whole, driver.best
    jar = jar_of(entries, whole.model.jar)
    source = WholeSource(class_model.build(jar), plan.pinned, entry_numbers(whole.model))
    space = Classes(source.problem)
    phase = PhaseSpec(NAME, Level.CLASSES, lambda problem, options: (space, _nothing()))
    plan.on_phase(1, phase, source, space)
    driver.run(space, _nothing(), plan.tester(source))
    return driver.best is not before


def _nothing() -> Algorithm:
    """What is begun with is tested by the driver itself: there is no other question."""

    def ask() -> Generator[Any, Any, tuple[int, ...]]:
        yield from ()
        return ()

    return ask()


def _parts(data: bytes) -> set[str]:
    try:
        return {part.name for part in parts(parse(data), "full")}
    except ClassFormatError:
        return set()
