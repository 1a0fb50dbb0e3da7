"""The places of failures in decompiled source: the file and the line for a compiler's error or a stack trace.

A frame's line is one of the source that was compiled, and decompiled source has other lines. The line table of the
bytecode tells which ``athrow`` or call of the method is meant; the decompiled method has them in the same order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from core.classfile.class_file import ClassFile, Method, parse
from core.classfile.instructions import INVOKEINTERFACE, instructions
from core.classfile.tables import code_of, line_table
from core.predicate.aim import Aim
from core.predicate.output import javac, traces
from core.predicate.several.decompiling import DecompiledSources
from core.report.alignment import SourcePart, parts_of_source

_INVOKEVIRTUAL, _ATHROW = 0xB6, 0xBF
_FRAME = re.compile(r"^\s*at (?:[\w.@-]*/)*([\w.$]+)\.([\w$<>]+)\(([^():]*)(?::(\d+))?\)", re.MULTILINE)
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
THROW = "throw"
"""Word of a step that throws."""


class FrameStep(NamedTuple):
    """A call or a throw in a method: the method's number among those of its name, the word before the bracket or
    ``throw``, the step's number among those with that word, and their count."""

    method: int
    word: str
    number: int
    total: int


@dataclass(frozen=True)
class PlacedFailure:
    """A failure, the text of the tool, and its place: a source file with a line (0 = none), or a member."""

    name: str
    text: str
    file: str = ""
    line: int = 0
    owner: str = ""
    member: str = ""
    steps: Sequence[FrameStep] = ()
    """Steps on the line of the frame, the most likely first."""


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
    line, callee = frame_in_trace(place.text, place.owner, place.member)
    return replace(place, steps=steps_at(data, place.member, line, callee)) if line else place


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
    exact = next(_frame_lines(place, named, lines), 0)
    if exact:
        return exact
    wanted = re.compile(rf"(?<![\w$.]){re.escape(part.name or owner.rpartition('.')[2])}(?![\w$])")
    numbers = range(part.first, part.last + 1)
    return next((number for number in numbers if wanted.search(lines[number - 1])), part.first)


def _frame_lines(place: PlacedFailure, named: Sequence[SourcePart], lines: Sequence[str]) -> Iterator[int]:
    """Yield the lines of the ``throw`` or call that a stack trace means in the methods of its name, the likely one
    first."""
    for step in place.steps:
        if step.method < len(named):
            method = named[step.method]
            at = step_in(lines[method.first - 1 : method.last], step, method.name)
            if at >= 0:
                yield method.first + at
    if len(named) == 1 and not frame_in_trace(place.text, place.owner, place.member)[0]:
        at = throw_of(lines[named[0].first - 1 : named[0].last], place.name)
        if at >= 0:
            yield named[0].first + at


def frame_in_trace(output: str, owner: str, member: str) -> tuple[int, str]:
    """Return the line in the first frame of a method (``owner`` with slashes) and the word for its callee. 0: no line;
    empty: the frame is the innermost."""
    end, above = 0, ""
    for frame in _FRAME.finditer(output):
        between = output[end : frame.start()].strip()
        if between:  # another trace, or the cause of one, begins
            above = ""
        if (frame[1], frame[2]) == (owner.replace("/", "."), member):
            return int(frame[4] or 0), above
        above, end = _word(frame[1], frame[2]), frame.end()
    return 0, ""


def steps_at(data: bytes, member: str, line: int, callee: str) -> list[FrameStep]:
    """Return the steps of a line by the line table of the class file ``data``. First come the calls of ``callee``, or
    without a callee the line's only throw. Empty if several methods have the line."""
    cf = parse(data)
    methods = [method for method in cf.methods if method.name_text == member]
    found = []
    for number, method in enumerate(methods):
        steps = list(_steps(cf, method))
        words = [word for word, _ in steps]
        throws = not callee and steps.count((THROW, line)) == 1
        here = [
            FrameStep(number, word, words[:at].count(word), words.count(word))
            for at, (word, its) in enumerate(steps)
            if its == line and (throws or word != THROW)
        ]
        found += [here] if here else []
    return sorted(found[0], key=lambda step: step.word != (callee or THROW)) if len(found) == 1 else []


def step_in(lines: Sequence[str], step: FrameStep, name: str) -> int:
    """Return the index of the line with the step, in a method named ``name``; -1 if the source has another number of
    such steps.
    """
    end = r"\b" if step.word == THROW else r"\s*(?:<[\w\s,.?<>]*>)?\("
    wanted = re.compile(rf"(?<![\w$]){re.escape(step.word)}{end}")
    plain = [_QUOTED.sub('""', line).partition("//")[0] for line in lines]
    found = [at for at, line in enumerate(plain) for _ in wanted.finditer(line)]
    if step.word == name:  # the head of the method itself
        found = found[1:]
    return found[step.number] if len(found) == step.total else -1


def throw_of(lines: Sequence[str], failure: str) -> int:
    """Return the index of the only line that throws a new exception of the failure's type; -1 = none, or several. For
    class files without a line table.
    """
    kind = re.match(r"(?:[\w$]+\.)*([\w$]+)(?=: | at |$)", failure)
    made = re.compile(rf"(?<![\w$.])throw new (?:[\w$]+\.)*{re.escape(kind[1])}\(") if kind else None
    found = [at for at, line in enumerate(lines) if made is not None and made.search(line)]
    return found[0] if len(found) == 1 else -1


def _steps(cf: ClassFile, method: Method) -> Iterator[tuple[str, int]]:
    """Yield the word and the line of each call and throw of a method; line 0 = not told."""
    rows = line_table(cf, method)
    starts = [start for start, _ in rows]
    for each in instructions(code_of(method)):
        if each.opcode == _ATHROW or _INVOKEVIRTUAL <= each.opcode <= INVOKEINTERFACE:
            at = bisect_right(starts, each.offset)
            word = THROW if each.opcode == _ATHROW else _word(*cf.constants.member(each.operand)[:2])
            yield word, rows[at - 1][1] if at else 0


def _word(owner: str, member: str) -> str:
    return re.split(r"[./$]", owner)[-1] if member == "<init>" else member
