"""A reduction that begins with what an earlier one of the same input came to, instead of with the whole input."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.model.class_model import ClassModel, Kind
from core.plan.search_run import SearchRun
from core.reduction.sources.source import jar_of
from core.rewrite.parts import parts
from core.search.phases import Level, Search
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


def begin_with(run: SearchRun, entries: Entries) -> bool:
    """Ask whether these entries are interesting, which the journal mostly knows, and return the answer.

    If they are, they are the best so far, from which the phases go on.
    """
    before = run.best
    source = run.sources.classes(jar_of(entries, run.sources.whole.model.jar))
    search = Search(Classes(source.problem), _nothing(), run.knowledge)
    run.search(NAME, Level.CLASSES, run.sources.tester(source), search)
    return run.best is not before


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
