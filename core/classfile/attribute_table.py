"""Attributes of a class, field, method or code (JVMS 4.7): bytes until their content is asked for."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from core.classfile.code_content import code_head
from core.classfile.format_error import ClassFormatError
from core.classfile.jawa_classes import Attribute, AttributeTable, CodeAttribute, CodeException, UnknownAttribute
from core.classfile.pool import UTF8

_ATTRIBUTE = struct.Struct(">HI")


class Code(CodeAttribute):
    """The Code attribute of a method (JVMS 4.7.3); its bytes are scanned by :mod:`core.classfile.instructions`."""

    _code: Any  # jawa starts with an empty str; bytes as soon as it is read
    attributes: Attributes

    @property
    def code(self) -> bytes:
        """The instructions, undecoded."""
        return self._code  # type: ignore[no-any-return]

    def unpack(self, info: Any) -> None:
        """Read the attribute's content; ``info`` comes from jawa: a reader with ``buff``."""
        data: bytes = info.buff
        self.max_stack, self.max_locals, self._code, handlers, at = code_head(data)
        self.exception_table = [CodeException(*row) for row in handlers]
        self.attributes = Attributes(self.cf, parent=self)
        try:
            at = self.attributes.read(data, at)
        except struct.error as error:
            raise ClassFormatError("a Code attribute is cut off") from error
        if at != len(data):
            raise ClassFormatError("a Code attribute is longer than its content")

    def pack(self) -> bytes:
        """Return the attribute's content."""
        head = struct.pack(">HHI", self.max_stack, self.max_locals, len(self._code))
        rows = b"".join(struct.pack(">HHHH", *row) for row in self.exception_table)
        count = struct.pack(">H", len(self.exception_table))
        return b"".join((head, self._code, count, rows, packed(self.attributes)))


class _Reader:
    """A source of bytes for jawa's attributes, as far as :class:`Code` needs one."""

    def __init__(self, buff: bytes) -> None:
        self.buff = buff


class Attributes(AttributeTable):
    """Attributes of a class, field, method or code: bytes, except Code once somebody asks for it."""

    _table: list[Any]

    def read(self, data: bytes, at: int) -> int:
        """Read the table that starts (with its count) at ``at``; return the offset behind it."""
        (count,) = struct.unpack_from(">H", data, at)
        return self.read_rows(data, at + 2, count)

    def read_rows(self, data: bytes, at: int, count: int) -> int:
        """Read ``count`` attributes from offset ``at``; return the offset behind them."""
        unpack, append, constants = _ATTRIBUTE.unpack_from, self._table.append, self.cf.constants
        places, end = constants._pool, len(data)
        for _ in range(count):
            name, size = unpack(data, at)
            place = places[name] if name < len(places) else None
            if type(place) is not tuple or place[0] != UTF8:
                constants.text(name)  # tells what is wrong, if anything is
            at += 6 + size
            if at > end:
                raise ClassFormatError(f"the attribute {constants.text(name)!r} is cut off")
            append((name, data[at - size : at]))
        return at

    def __getitem__(self, key: int) -> Any:
        row = self._table[key]
        if isinstance(row, Attribute):
            return row
        index, data = row
        attribute: Attribute
        if self.cf.constants.text(index) == "Code":
            attribute = Code(self, index)  # type: ignore[no-untyped-call]
            attribute.unpack(_Reader(data))
        else:
            attribute = UnknownAttribute(self, index)
            attribute.unpack(data)
        self._table[key] = attribute
        return attribute

    def rows(self) -> list[tuple[str, bytes]]:
        """Return the name and content of each attribute, in order, without decoding anything."""
        if not self._table:
            return []
        places = self.cf.constants._pool
        try:
            return [(places[index][1], data) for index, data in self._table]  # names were checked when they were read
        except TypeError:  # jawa's objects among them
            text = self.cf.constants.text
            return [(text(index), data) for index, data in self.indexed_rows()]

    def indexed_rows(self) -> Iterator[tuple[int, bytes]]:
        """Yield the pool index of the name, and the content, of each attribute, in order, without decoding anything."""
        for row in self._table:
            yield (row.name_index, row.pack()) if isinstance(row, Attribute) else row

    def raw(self, name: str) -> bytes | None:
        """Return the content of the first attribute called ``name``, or None."""
        return next((data for found, data in self.rows() if found == name), None)


def packed(table: AttributeTable) -> bytes:
    """Return the bytes of a table, its count included."""
    parts = [len(table._table).to_bytes(2, "big")]
    for row in table._table:
        name, data = (row.name_index, row.pack()) if isinstance(row, Attribute) else row
        parts += (_ATTRIBUTE.pack(name, len(data)), data)
    return b"".join(parts)
