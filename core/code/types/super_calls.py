"""The calls of the superclass's constructor on the object itself, and how they call Object's instead."""

from __future__ import annotations

from typing import NamedTuple

from core.classfile.class_file import ClassFile, Method
from core.classfile.code_content import frame_rows
from core.classfile.descriptors import method_types
from core.classfile.flags import ENUM, INTERFACE
from core.classfile.instructions import BRANCH, LOOKUPSWITCH, TABLESWITCH, Instruction, instructions
from core.code.types.method_body import Body, body_of
from core.code.types.stack_types import OBJECT
from core.code.types.symbols import INVOKESPECIAL, Symbols

_FIXED = frozenset((OBJECT, "java/lang/Enum", "java/lang/Record"))
_NEW, _LDC2_W = 0xBB, 0x14
_CONSTANTS, _LOADS = range(0x01, 0x15), range(0x15, 0x2E)
_WIDE = frozenset((0x09, 0x0A, 0x0E, 0x0F, _LDC2_W, 0x16, 0x18, *range(0x1E, 0x22), *range(0x26, 0x2A)))
"""Opcodes of constants and loads that push a long or a double."""
_POP, _POP2 = b"\x57", b"\x58"
_MOST_CODE_BYTES = 1 << 14
"""Bytes of code up to which no jump gets too far, whatever is put in."""


class SuperCall(NamedTuple):
    """A call of the superclass's constructor on the object itself. To call Object's constructor, the bytes from
    ``start`` to ``at`` become ``pops``."""

    at: int
    """Offset of the call."""
    descriptor: str
    start: int
    """From here to the call stand arguments that need not be pushed: constants and local variables."""
    pops: bytes
    """Instructions that take the other arguments off the stack."""


def super_calls(cf: ClassFile, symbols: Symbols, method: Method) -> tuple[SuperCall, ...]:
    """Return the calls in ``method``, which may have been read with ``symbols``; :class:`ClassFormatError`.

    None if they cannot become calls of Object's constructor: in enums and records, in code that makes objects of the
    superclass too, and in very long code.
    """
    superclass = cf.superclass
    if superclass is None or superclass in _FIXED or cf.access & (INTERFACE | ENUM):
        return ()
    body = body_of(symbols, method, {}) if method.name_text == "<init>" else None
    if body is None or len(body.code) > _MOST_CODE_BYTES:
        return ()
    code = list(instructions(body.code))
    found = []
    for number, each in enumerate(code):
        if each.opcode == INVOKESPECIAL:
            _, owner, name, descriptor, _ = symbols[INVOKESPECIAL << 16 | each.operand][5]
            if name == "<init>" and owner == superclass:
                found.append((number, descriptor))
        elif each.opcode == _NEW and symbols.types[each.operand] == superclass:
            return ()
    marks = _marks(body, code) if found else set()
    return tuple([_call(code, number, descriptor, marks) for number, descriptor in found])


def _marks(body: Body, code: list[Instruction]) -> set[int]:
    """Return the offsets of jump targets, of frames, and of the ends of protected ranges."""
    marks = {place for handler in body.handlers for place in (handler.start, handler.end, handler.target)}
    for each in code:
        if each.opcode in BRANCH or each.opcode in (TABLESWITCH, LOOKUPSWITCH):
            marks.update((each.operand, *each.extra))
    if body.stack_map is not None:
        marks.update([row.offset for row in frame_rows(body.stack_map)])
    return marks


def _call(code: list[Instruction], number: int, descriptor: str, marks: set[int]) -> SuperCall:
    at = start = code[number].offset
    left = list(method_types(descriptor)[0])
    while left and number and start not in marks:
        number -= 1
        before = code[number]
        is_pushed = before.opcode in _CONSTANTS or before.opcode in _LOADS
        if not is_pushed or (before.opcode in _WIDE) != (left[-1] in "JD"):
            break
        left.pop()
        start = before.offset
    pops = b"".join([_POP2 if type_ in "JD" else _POP for type_ in reversed(left)])
    return SuperCall(at, descriptor, start, pops)
