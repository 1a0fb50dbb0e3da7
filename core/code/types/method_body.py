"""The parsed code of a method: the start of an interpretation; and its calls of the superclass's constructor."""

from __future__ import annotations

import struct
from functools import partial
from typing import Any, NamedTuple

from core.classfile.class_file import ClassFile, Method
from core.classfile.code_content import code_head, frame_rows
from core.classfile.descriptors import method_types
from core.classfile.flags import ENUM, INTERFACE, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import BRANCH, LOOKUPSWITCH, TABLESWITCH, Instruction, instructions
from core.classfile.tables import code_of
from core.code.types.stack_types import OBJECT, THROWABLE, UNINITIALIZED_THIS, Slot, shape_of
from core.code.types.symbols import INVOKESPECIAL, Effect, Symbols

_ATTRIBUTE = struct.Struct(">HI")
_ALOAD, _SHORT_ALOADS = 0x19, range(0x2A, 0x2E)


class Handler(NamedTuple):
    """A row of the exception table; ``catches`` is the type of the caught value."""

    start: int
    end: int
    target: int
    catches: str


class Body(NamedTuple):
    """The code of a method, taken apart."""

    max_locals: int
    code: bytes
    handlers: list[Handler]
    stack_map: bytes | None
    initial: tuple[Slot, ...]
    """Receiver and parameters."""
    returns: str | None
    """Type that ``areturn`` must return; None if every type will do."""


class MethodHead(NamedTuple):
    """A method without its attributes."""

    access: int
    name: str
    descriptor: str


_body = partial(tuple.__new__, Body)


def body_of(symbols: Symbols, method: Method, used: dict[int, Effect]) -> Body | None:
    """Return the code of ``method``, None if it has none; :class:`ClassFormatError`. The classes caught go to
    ``used``."""
    places: Any = symbols.places
    for row in method.attributes._table:  # spares most methods what raw() costs
        if type(row) is tuple and places[row[0]][1] == "Code":
            data = row[1]
            break
    else:
        data = method.attributes.raw("Code")
        if data is None:
            return None
    name, descriptor = places[method._name_index][1], places[method._descriptor_index][1]
    return body_in(symbols, data, MethodHead(method.access, name, descriptor), used)


def body_in(symbols: Symbols, data: bytes, method: MethodHead, used: dict[int, Effect]) -> Body:
    """Return the code in the content ``data`` of a Code attribute; see :func:`body_of`."""
    _, max_locals, code, rows, at = code_head(data)
    handlers: list[Handler] = []
    for start, end, target, index in rows:
        if not start < end <= len(code) or target >= len(code):
            raise ClassFormatError("an exception handler is outside of the code")
        if index:
            used[index] = symbols[index]
        handlers.append(Handler(start, end, target, symbols.types[index] if index else THROWABLE))
    try:
        stack_map = _stack_map(symbols, data, at) if data[at] | data[at + 1] else None
    except (struct.error, IndexError, TypeError):  # TypeError: a name that is no constant
        raise ClassFormatError("a Code attribute is cut off") from None
    shape = shape_of(method.descriptor)
    initial: tuple[Slot, ...] = shape.arguments
    if not method.access & STATIC:
        constructor = method.name == "<init>" and symbols.this != OBJECT
        initial = (UNINITIALIZED_THIS if constructor else symbols.this, *initial)
    if len(initial) > max_locals:
        raise ClassFormatError("a method has less local variables than parameters")
    return _body((max_locals, code, handlers, stack_map, initial, shape.returned))


def _stack_map(symbols: Symbols, data: bytes, at: int) -> bytes | None:
    """Return the content of the StackMapTable among the attributes of a Code attribute that start at ``at``."""
    places: Any = symbols.places
    for _ in range(data[at] << 8 | data[at + 1]):
        name, size = _ATTRIBUTE.unpack_from(data, at + 2)
        at += 6 + size
        if places[name][1] == "StackMapTable":
            if at + 2 > len(data):
                raise ClassFormatError("a StackMapTable is cut off")
            return data[at + 2 - size : at + 2]
    return None


def parameters_read(method: Method) -> set[int]:
    """Return the parameters, numbered from 0, whose references the code of ``method`` loads;
    :class:`ClassFormatError`."""
    places, place = {}, 0 if method.access & STATIC else 1
    for number, descriptor in enumerate(method_types(method.descriptor_text)[0]):
        places[place] = number
        place += 2 if descriptor in ("J", "D") else 1
    found = set()
    for _, opcode, operand, _, _ in instructions(code_of(method)):
        if opcode == _ALOAD:
            found.add(places.get(operand, -1))
        elif opcode in _SHORT_ALOADS:
            found.add(places.get(opcode - _SHORT_ALOADS[0], -1))
    return found - {-1}


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
