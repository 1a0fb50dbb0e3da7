"""The code of one method: its blocks, the constants in them, and the method after a change of these blocks."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

from core.classfile.flags import STATIC
from core.classfile.symbolic.pieces import Key, Narrow, Piece
from core.classfile.symbolic.symbol_pool import Symbol, SymbolPool
from core.classfile.symbolic.symbolic_class import AttributeTree, MemberTree, SymbolicClass
from core.code.change import Changed
from core.code.code_attribute import code_attribute
from core.code.dataflow.body_facts import EditableCode
from core.code.flow import flow_of
from core.code.stackmap import at_start
from core.code.types.method_body import MethodHead
from core.code.types.stack_types import OBJECT
from core.code.types.symbols import Symbols

_ROW = struct.Struct(">HHHHH")
_REMEMBERED = 2048
"""Number of methods of symbolic classes whose code is remembered: kinds of edits ask for it one after another."""


class VariableRow(NamedTuple):
    """A row of LocalVariableTable or LocalVariableTypeTable."""

    start: int
    length: int
    type: str
    slot: int


@dataclass(eq=False)
class MethodCode(EditableCode):
    """The code of a method of a symbolic class. Constants are indexes of a pool of its own."""

    pool: SymbolPool
    member: MemberTree
    checksum: int
    """Checksum of the code with its constants, the same whatever else its class has."""

    def rows_of_variables(self, title: str) -> Iterator[VariableRow]:
        """Yield the rows of the tables of variables of a title."""
        for name, data in self.flow.attributes:
            if self.symbols.text(name) == title:
                for start, length, _, type_, slot in _ROW.iter_unpack(data[2:]):
                    yield VariableRow(start, length, self.symbols.text(type_), slot)

    def moved(self, change: Changed, slots: Mapping[int, int], descriptor: str, access: int) -> Changed:
        """Return a change to another descriptor and other access flags. ``slots`` has the new slot of each variable."""
        receiver = None if access & STATIC else self.symbols.this
        initial = at_start(descriptor, receiver, self.member.name == "<init>" and receiver != OBJECT)
        return change._replace(slots=slots, initial=initial)

    def symbol(self, key: int) -> Symbol:
        """Return the constant that an instruction names."""
        found = self.pool.symbols[key if key >= 0 else ~key]
        assert found is not None
        return found

    def key(self, symbol: Symbol) -> int:
        """Return the key of a constant, which may be a new one."""
        return int.from_bytes(self.pool[symbol], "big")

    def method(self, change: Changed) -> MemberTree:
        """Return the method with its code after a change. Raises :class:`TooLongError`."""
        content, inside = code_attribute(change, self.symbols.text, self.parameters)
        tables = [AttributeTree(self.symbols.text(name), self._symbolic(piece)) for name, piece in inside]
        code = AttributeTree("Code", self._symbolic(content), tuple(tables))
        return self.member.with_attribute("Code", code)

    def _symbolic(self, piece: Piece) -> Piece:
        return Piece(piece.data, piece.offsets, list(map(self._meant, piece.keys)))

    def _meant(self, key: Key) -> Key:
        if isinstance(key, Symbol):
            return key
        assert isinstance(key, int)
        return self.symbol(key) if key >= 0 else Narrow(self.symbol(key))


def code_of(tree: SymbolicClass, method: MemberTree) -> MethodCode | None:
    """Return the code of a method of a class; None if it has none, or none that can be edited (see :func:`flow_of`)."""
    return _code(tree.name, tree.major, method)


@lru_cache(_REMEMBERED)
def _code(owner: str, major: int, method: MemberTree) -> MethodCode | None:
    attribute = method.attribute("Code")
    if attribute is None:
        return None
    pool = SymbolPool(attribute.narrow)
    symbols, head = Symbols(owner, pool.places), MethodHead(method.access, method.name, method.descriptor)
    content = attribute.content_with(pool)
    flow = flow_of(symbols, major, head, content)
    return MethodCode(flow, symbols, pool, method, crc32(pool.written() + content)) if flow is not None else None
