"""Class files, read.

jawa 2.2.0 gives the object model of a class and its tables of members. The reading is ours, since jawa 2.2.0 damages
strings: a subclass of jawa's class, nothing patched. An attribute stays the bytes that it was.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from core.cancellation import cancellation_point
from core.classfile.code_content import CodeHead, code_head
from core.classfile.format_error import ClassFormatError, reading
from core.classfile.jawa_classes import ClassVersion, FieldTable, JawaClassFile, MethodTable
from core.classfile.pool import CLASS, UTF8, Constant, Raw, Texts, decoded, raw_pool
from core.system.interpreter import collector_paused

_ATTRIBUTE = struct.Struct(">HI")

Row = tuple[int, bytes]
"""Index of the name of an attribute, and its content."""


class Attributes:
    """Attributes of a class, field or method."""

    __slots__ = ("_indexes", "_rows")

    def __init__(self, indexes: list[int], rows: list[tuple[str, bytes]]) -> None:
        self._indexes = indexes
        self._rows = rows

    def rows(self) -> list[tuple[str, bytes]]:
        """Return names and contents, in order; not to be changed."""
        return self._rows

    def indexed_rows(self) -> list[Row]:
        """Return contents with the indexes of their names."""
        return [(index, data) for index, (_, data) in zip(self._indexes, self._rows, strict=True)]

    def raw(self, name: str) -> bytes | None:
        """Return the content of the first attribute called ``name``, or None."""
        for each, data in self._rows:
            if each == name:
                return data
        return None


__all__ = ["Attributes", "ClassFile", "ClassFormatError", "Field", "Method", "collector_paused", "parse"]

_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBER = struct.Struct(">HHHH")  # access flags, name, descriptor, number of attributes


class Member:
    """The common part of fields and methods."""

    __slots__ = ("_descriptor_index", "_name_index", "access", "attributes", "descriptor_text", "name_text")

    def __init__(
        self, constants: LazyConstantPool, access: int, name: int, descriptor: int, attributes: Attributes
    ) -> None:
        self.access = access
        """Access flags as a number."""
        self._name_index = name
        self._descriptor_index = descriptor
        self.name_text = constants.text(name)
        self.descriptor_text = constants.text(descriptor)
        self.attributes = attributes


class Field(Member):
    """A field."""

    __slots__ = ()


class Method(Member):
    """A method."""

    __slots__ = ()

    @property
    def code(self) -> CodeHead | None:
        """The code; None if there is none. Raises :class:`ClassFormatError`."""
        data = self.attributes.raw("Code")
        return None if data is None else code_head(data)


class LazyConstantPool:
    """The constants of a class file as tuples ``(tag, value, ...)``; a text is decoded when it is first asked for."""

    def __init__(self, data: bytes, texts: Texts) -> None:
        pool = raw_pool(data, 8)
        self._pool: list[Raw] = pool.constants[:]
        self._texts = texts
        self._is_decoded = False
        self.end = pool.end
        """Offset behind the pool."""

    def raw(self, index: int) -> Constant:
        """Return the constant at ``index``."""
        constant = self._pool[index] if 0 < index < len(self._pool) else None
        if constant is None:
            raise ClassFormatError(f"there is no constant {index}")
        if isinstance(constant, bytes):
            constant = self._pool[index] = self._texts[constant]
        return constant

    def text(self, index: int) -> str:
        """Return the text of the Utf8 constant at ``index``."""
        constant = self._pool[index] if index < len(self._pool) else None
        if constant is None or type(constant) is bytes:
            constant = self.raw(index)
        if constant[0] != UTF8:
            raise ClassFormatError(f"constant {index} is not a text")
        return constant[1]  # type: ignore[return-value]

    def class_name(self, index: int) -> str:
        """Return the name of the Class constant at ``index``, arrays in brackets as they stand there."""
        constant = self.raw(index)
        if constant[0] != CLASS:
            raise ClassFormatError(f"constant {index} is not a class")
        return self.text(constant[1])

    def rename_class(self, old: str, new: str) -> None:
        """Give a class another name in the Class constants of that name; descriptors keep the old one."""
        named = [index for index, constant in self.rows() if constant[0] == CLASS and self.text(constant[1]) == old]
        for index in named:
            self._pool[index] = CLASS, len(self._pool)
        self._pool.append((UTF8, new))

    def named(self, index: int) -> tuple[str, str]:
        """Return name and descriptor of the NameAndType constant at ``index``."""
        _, name, descriptor = self.raw(index)
        return self.text(name), self.text(descriptor)

    def member(self, index: int) -> tuple[str, str, str]:
        """Return owner, name and descriptor of the field or method that the constant at ``index`` refers to."""
        _, owner, pair = self.raw(index)
        return self.class_name(owner), *self.named(pair)

    def rows(self) -> Iterator[tuple[int, Constant]]:
        """Yield the index and the tuple of each constant, in order."""
        return ((index, constant) for index, constant in enumerate(self.tuples()) if constant is not None)

    def tuples(self) -> list[Constant | None]:
        """Return all places of the pool in order, not to be changed: None for place 0 and behind a long or double."""
        if not self._is_decoded:
            self._pool[:] = decoded(self._pool, self._texts)
            self._is_decoded = True
        return self._pool  # type: ignore[return-value]  # no bytes are left


class ClassFile(JawaClassFile):
    """A class file (JVMS 4.1). Made by :func:`parse`."""

    attributes: Attributes  # type: ignore[assignment]  # ours in the place of jawa's, as the pool is

    def __init__(self, data: bytes, texts: Texts) -> None:
        self.data = data
        """The bytes that it was read from."""
        self.code_attributes: dict[bytes, list[tuple[str, bytes]]] = {}
        """Results of :func:`core.classfile.tables.code_attributes`, by the content of the Code attribute."""
        self._load(data, texts)

    @property
    def constants(self) -> LazyConstantPool:  # type: ignore[override]
        """The constant pool."""
        return self._pool

    @property
    def name(self) -> str:
        """Internal name (``a/b/C``)."""
        return self.constants.class_name(self._this)

    @property
    def superclass(self) -> str | None:
        """Internal name of the superclass; None for Object and module descriptors."""
        return self.constants.class_name(self._super) if self._super else None

    @property
    def interface_names(self) -> tuple[str, ...]:
        """Internal names of the direct superinterfaces."""
        return tuple(map(self.constants.class_name, self._interfaces))

    def _load(self, data: bytes, texts: Texts) -> None:
        if data[:4] != _MAGIC:
            raise ClassFormatError("the first four bytes are not those of a class file")
        minor, major = struct.unpack_from(">HH", data, 4)
        self._version = ClassVersion(major, minor)
        self._pool = LazyConstantPool(data, texts)
        at = self._pool.end
        self.access, self._this, self._super, count = _MEMBER.unpack_from(data, at)
        """Access flags as a number."""
        self._interfaces = list(struct.unpack_from(f">{count}H", data, at + 8))
        at += 8 + 2 * count
        self.fields, self.methods = FieldTable(self), MethodTable(self)  # type: ignore[no-untyped-call]
        self.fields._table, at = self._members(data, at, Field)
        self.methods._table, at = self._members(data, at, Method)
        self.attributes, at = _attributes(self.constants, data, at + 2, data[at] << 8 | data[at + 1])
        if at != len(data):
            raise ClassFormatError(f"there are {len(data) - at} bytes behind the end of the class")
        if not self.name or self.name.startswith("["):
            raise ClassFormatError(f"{self.name!r} is no name for a class")
        _ = (self.superclass, self.interface_names)  # checks the indexes

    def _members(self, data: bytes, at: int, kind: type[Any]) -> tuple[list[Any], int]:
        """Return the fields or methods, and the offset behind them."""
        constants, unpack, found = self.constants, _MEMBER.unpack_from, []
        count, at = data[at] << 8 | data[at + 1], at + 2
        for _ in range(count):
            access, name, descriptor, rows = unpack(data, at)
            attributes, at = _attributes(constants, data, at + 8, rows)
            found.append(kind(constants, access, name, descriptor, attributes))
        return found, at


def _attributes(constants: LazyConstantPool, data: bytes, at: int, count: int) -> tuple[Attributes, int]:
    """Return ``count`` attributes from offset ``at``, and the offset behind them."""
    indexes: list[int] = []
    rows: list[tuple[str, bytes]] = []
    end = len(data)
    for _ in range(count):
        index, size = _ATTRIBUTE.unpack_from(data, at)
        name = constants.text(index)
        at += 6 + size
        if at > end:
            raise ClassFormatError(f"the attribute {name!r} is cut off")
        indexes.append(index)
        rows.append((name, data[at - size : at]))
    return Attributes(indexes, rows), at


def parse(data: bytes, texts: Texts | None = None) -> ClassFile:
    """Return the class file in ``data``; :class:`ClassFormatError` with the reason if it is not one.

    ``texts`` may be shared by the classes of a jar. Attributes are opened at their first use: a damaged one raises
    then."""
    cancellation_point()
    with reading("the class file"):
        return ClassFile(data, Texts() if texts is None else texts)
