"""The places of failures in decompiled source: the file and the line for a compiler's error or a stack trace."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from core.predicate.aim import Aim
from core.predicate.output import javac, traces
from core.predicate.several.decompiling import DecompiledSources
from core.report.alignment import SourcePart, parts_of_source
from core.report.frame_lines import (
    FrameCall,
    call_in,
    callee_in_trace,
    calls_at,
    line_in_trace,
    throw_in,
    throw_of,
    thrower,
)


@dataclass(frozen=True)
class PlacedFailure:
    """A failure, the text of the tool, and its place: a source file with a line (0 = none), or a member."""

    name: str
    text: str
    file: str = ""
    line: int = 0
    owner: str = ""
    member: str = ""
    thrower: tuple[int, int, int] | None = None
    """Number of the method among those of its name, number of its ``throw``, and how many it has."""
    calls: tuple[FrameCall, ...] = ()
    """Calls on the line of the frame, the most likely first."""


def compile_errors(made: DecompiledSources, aim: Aim) -> Iterator[PlacedFailure]:
    """Yield the errors of the compiler that the predicate counts, with their places in the sources, and the crashes of
    a tool."""
    wanted = aim.demand
    by_kind = wanted is not None and wanted.by_kind
    for error in javac.first_placed(made.output) if by_kind else javac.placed(made.output):
        path = next((name for name in made.texts if f"/{error.path}".endswith(f"/{name}")), "")
        yield PlacedFailure(error.error.name, error.text, path, error.line)
    for name in traces.names(made.output):
        yield PlacedFailure(name, made.output)


def is_in(place: PlacedFailure, name: str) -> bool:
    return bool(place.file) and f"/{name}".endswith(f"/{place.file}")


def with_frame(place: PlacedFailure, data: bytes) -> PlacedFailure:
    """Return a place with what the line table of the class file ``data`` tells of the frame's line: its ``throw`` in
    the innermost frame, its call in another one.
    """
    line = line_in_trace(place.text, place.owner, place.member)
    if not line:
        return place
    callee = callee_in_trace(place.text, place.owner, place.member)
    thrown = None if callee else thrower(data, place.member, line)
    return replace(place, thrower=thrown, calls=tuple(calls_at(data, place.member, line, callee)))


def line_of(place: PlacedFailure, text: str) -> int:
    """Return the line of a failure: that of the compiler, else the ``throw`` or call of a stack trace, else the first
    line of the named member or class; 0 = none.
    """
    if place.line or not place.owner:
        return place.line
    owner = place.owner.rpartition("/")[2].replace("$", ".")
    member = {"<init>": owner.rpartition(".")[2], "<clinit>": "static"}.get(place.member, place.member)
    parts = [part for part in parts_of_source(text) if part.owner == owner]
    named = [part for part in parts if member and part.name == member]
    part = next(iter(named or parts), None)
    if part is None:
        return 0
    lines = text.splitlines()
    exact = _frame_line(place, named, lines)
    if exact:
        return exact
    wanted = re.compile(rf"(?<![\w$.]){re.escape(part.name or owner.rpartition('.')[2])}(?![\w$])")
    numbers = range(part.first, part.last + 1)
    return next((number for number in numbers if wanted.search(lines[number - 1])), part.first)


def _frame_line(place: PlacedFailure, named: Sequence[SourcePart], lines: Sequence[str]) -> int:
    """Return the line of the ``throw`` or call that a stack trace means in the methods of its name; 0 = not known."""
    if place.thrower is not None and place.thrower[0] < len(named):
        method = named[place.thrower[0]]
        at = throw_in(lines[method.first - 1 : method.last], *place.thrower[1:])
        if at >= 0:
            return method.first + at
    elif len(named) == 1 and not line_in_trace(place.text, place.owner, place.member):
        at = throw_of(lines[named[0].first - 1 : named[0].last], place.name)
        if at >= 0:
            return named[0].first + at
    for call in place.calls:
        if call.method < len(named):
            method = named[call.method]
            at = call_in(lines[method.first - 1 : method.last], call, method.name)
            if at >= 0:
                return method.first + at
    return 0
