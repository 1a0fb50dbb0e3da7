"""The parsed code of a method: the start of an interpretation; and its calls of the superclass's constructor."""

from __future__ import annotations

import struct
from functools import partial
from typing import Any, NamedTuple

from core.classfile.class_file import ClassFile, Method
from core.classfile.code_content import code_head
from core.classfile.descriptors import method_types
from core.classfile.flags import ENUM, INTERFACE, STATIC
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import instructions
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
    data = method.attributes.raw("Code")
    if data is None:
        return None
    return body_in(symbols, data, MethodHead(method.access, method.name_text, method.descriptor_text), used)


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
_ALOAD_0, _NEW, _JSR, _JSR_W = 0x2A, 0xBB, 0xA8, 0xC9
_PUSHES = range(0x01, 0x2E)
"""Opcodes of constants and of loads of local variables."""
_MOST_CODE_BYTES = 1 << 14
"""Bytes of code up to which no jump gets too far, whatever is put in."""


class SuperCall(NamedTuple):
    """A call of the superclass's constructor on the object itself."""

    at: int
    """Offset of the call."""
    descriptor: str
    is_plain: bool
    """True if its arguments are constants and local variables only."""


def super_calls(cf: ClassFile, symbols: Symbols, method: Method) -> tuple[SuperCall, ...]:
    """Return the calls in ``method``, which may have been read with ``symbols``; :class:`ClassFormatError`.

    None if they cannot become calls of Object's constructor: in enums and records, in code that makes objects of the
    superclass too, in code with subroutines, and in very long code.
    """
    superclass = cf.superclass
    if superclass is None or superclass in _FIXED or cf.access & (INTERFACE | ENUM):
        return ()
    code = code_of(method) if method.name_text == "<init>" else b""
    if len(code) > _MOST_CODE_BYTES:
        return ()
    found: list[SuperCall] = []
    before: list[int] = []
    for at, opcode, operand, _, _ in instructions(code):
        if opcode == INVOKESPECIAL:
            _, owner, name, descriptor, _ = symbols[INVOKESPECIAL << 16 | operand][5]
            if name == "<init>" and owner == superclass:
                found.append(SuperCall(at, descriptor, _is_plain(before, len(method_types(descriptor)[0]))))
        elif opcode in (_JSR, _JSR_W) or (opcode == _NEW and symbols.types[operand] == superclass):
            return ()
        before.append(opcode)
    return tuple(found)


def _is_plain(before: list[int], arguments: int) -> bool:
    """Return True if nothing but so many constants and variables stands behind a load of the object."""
    this, *pushes = before[-arguments - 1 :]
    return this == _ALOAD_0 and all(opcode in _PUSHES for opcode in pushes)
