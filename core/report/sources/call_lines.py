"""The call in a decompiled method that a frame of a stack trace names, by the line table of the bytecode.

A frame that is not the innermost one stands at a call. The line table tells which calls the compiled line has, the
frame above tells the name that is called, and the decompiled method has its calls of one name in the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.classfile.class_file import ClassFile, parse
from core.classfile.instructions import INVOKEINTERFACE, instructions
from core.report.sources.throw_lines import body_of, code_of, lines_of

_INVOKEVIRTUAL = 0xB6
_FRAME = re.compile(r"^\s*at (?:[\w.@-]*/)*([\w.$]+)\.([\w$<>]+)\(([^():]*)(?::(\d+))?\)", re.MULTILINE)
_QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')


class FrameCall(NamedTuple):
    """A call in a method: which of the methods of that name has it, the word before its bracket, its number among the
    calls with that word, and how many there are."""

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
        calls = list(_calls(cf, code_of(method)))
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
    """Return the index of the line of a method named ``name`` that has the call; -1 where the source has another number
    of such calls.
    """
    wanted = re.compile(rf"(?<![\w$]){re.escape(call.word)}\s*(?:<[\w\s,.?<>]*>)?\(")
    plain = [_QUOTED.sub('""', line).partition("//")[0] for line in lines]
    found = [at for at, line in enumerate(plain) for _ in wanted.finditer(line)]
    if call.word == name:  # the head of the method itself
        found = found[1:]
    return found[call.number] if len(found) == call.total else -1


def _calls(cf: ClassFile, code: bytes) -> Iterator[tuple[str, int]]:
    """Yield the word and the line of each call of a Code attribute."""
    every = [each for each in instructions(body_of(code)) if _INVOKEVIRTUAL <= each.opcode <= INVOKEINTERFACE]
    for each, line in zip(every, lines_of(cf, code, [one.offset for one in every]), strict=True):
        target = cf.constants[each.operand]
        yield _word(target.class_.name.value, target.name_and_type.name.value), line


def _word(owner: str, member: str) -> str:
    return re.split(r"[./$]", owner)[-1] if member == "<init>" else member
