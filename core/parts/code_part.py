"""A removable part for a method's code: its place takes a stub, or code that calls Object's constructor. In a program
that must still run, the place takes code that ends the virtual machine.

A stub is the least method body (see core/model/rules/README.md): it returns the default value of its type. A
constructor calls a constructor of the superclass with default values first. That of an enum, or of the body of one of
its constants, hands on its name and number: else it is no enum to a decompiler, nor to ``valueOf``. There is no branch,
so no class-file version wants a StackMapTable.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, partial

from core.classfile.class_file import Method
from core.classfile.descriptors import method_types
from core.classfile.flags import ENUM, STATIC
from core.classfile.symbolic.attribute_pieces import READERS
from core.classfile.symbolic.code_pieces import code_content
from core.classfile.symbolic.decoding import Place, RawAttribute
from core.classfile.symbolic.fact_kinds import added_index
from core.classfile.symbolic.part_kinds import PartKind
from core.classfile.symbolic.pieces import Attribute, Choice, Leaf, Node, Piece, Row, literal
from core.classfile.symbolic.symbol_pool import Symbol
from core.code.halting import BODY, HEIGHT
from core.code.ops import default, default_return, width_of
from core.code.types.method_body import MethodHead, super_calls
from core.code.types.symbols import Symbols
from core.parts.orphaned_code import orphaned


class _Code(Attribute):
    """A method's code: without its part the stub takes its place; without the superclass it calls Object's constructor,
    for which it may be other code."""

    __slots__ = ("constructor", "descriptor", "enum", "orphaned", "static", "superclass")

    def __init__(self, name: Piece, content: list[Node], bit: int, method: Method, access: int) -> None:
        super().__init__(name, content, bit)
        self.static = bool(method.access & STATIC)
        self.enum = bool(access & ENUM)
        self.constructor = method.name_text == "<init>"
        self.superclass = 0
        self.orphaned: Row | None = None
        self.descriptor = method.descriptor_text
        method_types(self.descriptor)  # raises now rather than when a stub is wanted

    def stays(self, choice: Choice) -> bool:
        return True

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        if choice.kept & self.bit == self.bit:
            if self.orphaned is None or choice.kept & self.superclass:
                return super()._emit_changed(choice, out)
            place = len(out) + 1
            out += (self.name, self.name)  # the latter is replaced as soon as the length is known
            size = self.orphaned.emit(choice, out)
            out[place] = literal(size, 4)
            return 6 + size
        piece = self._halting(choice) if choice.halts else self._stub(choice)
        piece.uses = 0  # whatever is added stays
        # Behind the code no attributes.
        out += (self.name, literal(len(piece) + 2, 4), piece, literal(0, 2))
        return 8 + len(piece)

    def _stub(self, choice: Choice) -> Piece:
        call = choice.super_call() if self.constructor else None
        body = stub(self.descriptor, self.static, call[1] if call else None, enum=self.enum)
        return Piece(body.content, (body.call,) if call else (), (call[0],) if call else ())

    def _halting(self, choice: Choice) -> Piece:
        head = struct.pack(">HHI", HEIGHT, _locals(self.descriptor, self.static), len(BODY))
        keys = [choice.added.placed(*key) for key in BODY.keys if isinstance(key, Symbol)]
        return Piece(head + BODY.data + b"\0\0", [len(head) + at for at in BODY.offsets], keys)


def _constructor_called(bit: int, piece: Piece) -> Leaf:
    """Return the index in a call of the superclass's constructor: of Object's while the superclass is not kept."""

    def instead(choice: Choice) -> Piece:
        call = choice.super_call()
        assert call is not None  # this class extends one, so it is not Object
        return added_index(call[0])

    return Leaf(piece, bit, instead=instead)


def _read_code(raw: RawAttribute) -> Attribute:
    """Return the Code attribute of a method."""
    decoder = raw.decoder
    bit = decoder.bit(PartKind.CODE, raw.owner.part)
    superclass = decoder.bit(PartKind.SUPERCLASS)
    method = decoder.methods[raw.owner.element]
    code = _Code(raw.name, code_content(raw), bit, method, decoder.cf.access)
    if superclass and bit:
        symbols = Symbols(decoder.me, decoder.constants.pool)
        calls = super_calls(decoder.cf, symbols, method)
        head = MethodHead(method.access, method.name_text, method.descriptor_text)
        found = orphaned(symbols, decoder.cf.version.major, head, raw.data, calls) if calls else None
        if found is not None:
            data, places = found
            code.orphaned = Row(code_content(raw._replace(data=data), places, partial(_constructor_called, superclass)))
            code.superclass = superclass
            code.bits |= superclass
    return code


READERS_OF_PARTS = {**READERS, Place.METHOD: {**READERS[Place.METHOD], "Code": _read_code}}
"""The reader of each attribute of a class some of whose parts may go."""


_ALOAD_0, _INVOKESPECIAL = b"\x2a", b"\xb7"
_ENUM = "(Ljava/lang/String;I"
"""Prefix of the descriptor of an enum's constructor."""
_NAME_AND_NUMBER = b"\x2b\x1c"


@dataclass(frozen=True, slots=True)
class Stub:
    """The content of a Code attribute without its attribute table."""

    content: bytes
    call: int
    """Offset in ``content`` of the pool index of the called constructor; 0 without a call."""


@lru_cache(maxsize=1 << 12)
def stub(descriptor: str, static: bool, constructor: str | None, *, enum: bool) -> Stub:
    """Return the stub of a method with ``descriptor``; ``constructor`` is that of the superclass's constructor to call.

    ``enum``: of an enum or a constant of one, as its flags say.
    """
    result = method_types(descriptor)[1]
    stack, code, call = 0, b"", 0
    if constructor is not None:
        values = method_types(constructor)[0]
        handed = 2 if enum and descriptor.startswith(_ENUM) and constructor.startswith(_ENUM) else 0
        code = _ALOAD_0 + (_NAME_AND_NUMBER if handed else b"")
        code += b"".join([op.data for value in values[handed:] for op in default(0, value)]) + _INVOKESPECIAL
        stack = 1 + _slots(values)
        call = 8 + len(code)
        code += b"\0\0"
    if result != "V":
        stack = _slots((result,))
    code += b"".join([op.data for op in default_return(0, result)])
    # Behind the code an empty exception table.
    return Stub(struct.pack(">HHI", stack, _locals(descriptor, static), len(code)) + code + b"\0\0", call)


def _locals(descriptor: str, static: bool) -> int:
    return _slots(method_types(descriptor)[0]) + (not static)


def told_apart(constructor: str, all_: Iterable[str]) -> bool:
    """Return True if a source call of the constructor with default values can mean no other constructor in ``all_``.
    For javac null fits any class (JLS 15.12.2)."""
    kinds = _kinds(constructor)
    return not any(_kinds(other) == kinds for other in all_ if other != constructor)


def _kinds(constructor: str) -> list[str]:
    """Return the types of the parameters, where one class or array is like another."""
    return ["L" if type_[0] in "L[" else type_ for type_ in method_types(constructor)[0]]


def _slots(types: tuple[str, ...]) -> int:
    return sum(map(width_of, types))
