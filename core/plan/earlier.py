"""A reduction that begins with the result of an earlier reduction of the same input, instead of the whole input."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.entries import Entries
from core.model.class_model import ClassModel, Kind
from core.parts.parts import parts
from core.plan.search_run import SearchRun
from core.reduction.source import jar_of
from core.search.phases import Level, Search
from core.search.questions import Algorithm
from core.search.spaces.class_spaces import Classes

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


def begin_with(run: SearchRun, entries: Entries) -> bool:
    """Ask about the ``entries`` of an earlier result. Return True if they are interesting; usually the journal has
    the answer.

    If they are, these entries become the best so far, and the phases go on from there.
    """
    before = run.best
    source = run.sources.classes(jar_of(entries, run.sources.whole.model.jar))
    search = Search(Classes(source.problem), _nothing(), run.knowledge)
    run.search(NAME, Level.CLASSES, run.sources.tester(source), search)
    return run.best is not before


def _nothing() -> Algorithm:
    """Return an algorithm without questions: the driver itself tests the start of a search."""

    def ask() -> Generator[Any, Any, tuple[int, ...]]:
        yield from ()
        return ()

    return ask()


def _parts(data: bytes) -> set[str]:
    try:
        return {part.name for part in parts(parse(data), "full")}
    except ClassFormatError:
        return set()
