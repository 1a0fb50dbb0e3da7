"""Attributes of a class, field, method or code (JVMS 4.7): bytes until their content is asked for."""

from __future__ import annotations

import struct
from typing import Any

from core.classfile.code_content import code_head
from core.classfile.format_error import ClassFormatError
from core.classfile.jawa_classes import AttributeTable, CodeAttribute, CodeException, UnknownAttribute
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

    def unpack(self, data: bytes) -> None:  # type: ignore[override]  # jawa has a reader of its own
        """Read the attribute's content."""
        self.max_stack, self.max_locals, self._code, handlers, at = code_head(data)
        self.exception_table = [CodeException(*row) for row in handlers]
        self.attributes = Attributes(self.cf, parent=self)
        try:
            at = self.attributes.read(data, at)
        except struct.error as error:
            raise ClassFormatError("a Code attribute is cut off") from error
        if at != len(data):
            raise ClassFormatError("a Code attribute is longer than its content")


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
            if place is None or place[0] != UTF8:
                constants.text(name)  # tells what is wrong, if anything is
            at += 6 + size
            if at > end:
                raise ClassFormatError(f"the attribute {constants.text(name)!r} is cut off")
            append((name, data[at - size : at]))
        return at

    def __getitem__(self, key: int) -> Any:
        index, data = self._table[key]
        kind: Any = Code if self.cf.constants.text(index) == "Code" else UnknownAttribute
        attribute = kind(self, index)
        attribute.unpack(data)
        return attribute

    def rows(self) -> list[tuple[str, bytes]]:
        """Return names and contents, in order."""
        places = self.cf.constants._pool  # the names were checked when they were read
        return [(places[index][1], data) for index, data in self._table]

    def indexed_rows(self) -> list[tuple[int, bytes]]:
        """Return contents with the indexes of their names."""
        return self._table

    def raw(self, name: str) -> bytes | None:
        """Return the content of the first attribute called ``name``, or None."""
        return next((data for found, data in self.rows() if found == name), None)
