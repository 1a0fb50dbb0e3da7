"""The ``throw`` of a decompiled method that a frame of a stack trace names, by the line table of the bytecode.

A frame's line is one of the source that was compiled, and decompiled source has other lines. The line table tells which
``athrow`` of the method is meant; the decompiled method has its ``throw`` statements in the same order.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from core.classfile.class_file import ClassFile, Method, parse
from core.classfile.instructions import INVOKEINTERFACE, instructions
from core.classfile.tables import code_of, line_table

_ATHROW = 0xBF
_THROW = re.compile(r"(?<![\w$.\"])throw\b")


def line_in_trace(output: str, owner: str, member: str) -> int:
    """Return the line that the first frame of a method tells (``owner`` with slashes); 0 = none."""
    name = re.escape(f"{owner.replace('/', '.')}.{member}")
    found = re.search(rf"^\s*at (?:[\w.@-]*/)*{name}\([^():]*:(\d+)\)", output, re.MULTILINE)
    return int(found[1]) if found else 0


def thrower(data: bytes, member: str, line: int) -> tuple[int, int, int] | None:
    """Return the place of a throw: the number of its method among those of the name, the number of the line's
    ``athrow`` in the method, and the count of ``athrow`` there. None if the line table of the class file ``data`` does
    not tell.
    """
    cf = parse(data)
    methods = [method for method in cf.methods if method.name_text == member]
    for number, method in enumerate(methods):
        throws = [each.offset for each in instructions(code_of(method)) if each.opcode == _ATHROW]
        lines = lines_of(cf, method, throws)
        if lines.count(line) == 1:
            return number, lines.index(line), len(lines)
    return None


def lines_of(cf: ClassFile, method: Method, offsets: Iterable[int]) -> list[int]:
    """Return the line of each instruction of a method, 0 = not told."""
    rows = line_table(cf, method)
    starts = [start for start, _ in rows]
    return [rows[at - 1][1] if (at := bisect_right(starts, offset)) else 0 for offset in offsets]


def throw_of(lines: Sequence[str], failure: str) -> int:
    """Return the index of the only line that throws a new exception of the failure's type; -1 = none, or several. For
    class files without a line table.
    """
    kind = re.match(r"(?:[\w$]+\.)*([\w$]+)(?=: | at |$)", failure)
    made = re.compile(rf"(?<![\w$.])throw new (?:[\w$]+\.)*{re.escape(kind[1])}\(") if kind else None
    found = [at for at, line in enumerate(lines) if made is not None and made.search(line)]
    return found[0] if len(found) == 1 else -1


def throw_in(lines: Sequence[str], number: int, count: int) -> int:
    """Return the index of the line with ``throw`` number ``number`` of ``count``; -1 if the source has not as many."""
    found = [at for at, line in enumerate(lines) for _ in _THROW.finditer(line.partition("//")[0])]
    return found[number] if len(found) == count else -1


_INVOKEVIRTUAL = 0xB6
_FRAME = re.compile(r"^\s*at (?:[\w.@-]*/)*([\w.$]+)\.([\w$<>]+)\(([^():]*)(?::(\d+))?\)", re.MULTILINE)
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')


class FrameCall(NamedTuple):
    """A call in a method: the method's number among those of its name, the word before the bracket, the call's number
    among the calls with that word, and their count."""

    method: int
    word: str
    number: int
    total: int


def callee_in_trace(output: str, owner: str, member: str) -> str:
    """Return the word that the first frame of a method (``owner`` with slashes) calls; empty = it is the innermost."""
    end, above = 0, ""
    for frame in _FRAME.finditer(output):
        between = output[end : frame.start()].strip()
        if between:  # another trace, or the cause of one, begins
            above = ""
        if (frame[1], frame[2]) == (owner.replace("/", "."), member):
            return above
        above, end = _word(frame[1], frame[2]), frame.end()
    return ""


def calls_at(data: bytes, member: str, line: int, callee: str) -> list[FrameCall]:
    """Return the calls of a line by the line table of the class file ``data``, those of ``callee`` first; of several
    methods that have the line, none.
    """
    cf = parse(data)
    methods = [method for method in cf.methods if method.name_text == member]
    found = []
    for number, method in enumerate(methods):
        calls = list(_calls(cf, method))
        words = [word for word, _ in calls]
        here = [
            FrameCall(number, word, words[:at].count(word), words.count(word))
            for at, (word, its) in enumerate(calls)
            if its == line
        ]
        if here:
            found.append(here)
    return sorted(found[0], key=lambda call: call.word != callee) if len(found) == 1 else []


def call_in(lines: Sequence[str], call: FrameCall, name: str) -> int:
    """Return the index of the line with the call, in a method named ``name``; -1 if the source has another number of
    such calls.
    """
    wanted = re.compile(rf"(?<![\w$]){re.escape(call.word)}\s*(?:<[\w\s,.?<>]*>)?\(")
    plain = [_QUOTED.sub('""', line).partition("//")[0] for line in lines]
    found = [at for at, line in enumerate(plain) for _ in wanted.finditer(line)]
    if call.word == name:  # the head of the method itself
        found = found[1:]
    return found[call.number] if len(found) == call.total else -1


def _calls(cf: ClassFile, method: Method) -> Iterator[tuple[str, int]]:
    """Yield the word and the line of each call of a method."""
    every = [each for each in instructions(code_of(method)) if _INVOKEVIRTUAL <= each.opcode <= INVOKEINTERFACE]
    for each, line in zip(every, lines_of(cf, method, [one.offset for one in every]), strict=True):
        yield _word(*cf.constants.member(each.operand)[:2]), line


def _word(owner: str, member: str) -> str:
    return re.split(r"[./$]", owner)[-1] if member == "<init>" else member
