"""Class files, read.

jawa 2.2.0 gives the object model of a class and its tables of members. The reading is ours, since jawa 2.2.0 damages
strings: a subclass of jawa's class, nothing patched. An attribute stays the bytes that it was.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Any

from core.cancellation import cancellation_point
from core.classfile import pool as pools
from core.classfile.code_content import CodeHead, code_head
from core.classfile.format_error import ClassFormatError, reading
from core.classfile.jawa_classes import (
    ClassVersion,
    JawaClassFile,
)
from core.classfile.pool import CLASS, UTF8, Constant, Texts
from core.system.interpreter import collector_paused

_ATTRIBUTE = struct.Struct(">HI")


class Attributes:
    """Attributes of a class, field or method: indexes of names, and contents."""

    __slots__ = ("_constants", "_table")

    def __init__(self, constants: LazyConstantPool) -> None:
        self._constants = constants
        self._table: list[tuple[int, bytes]] = []

    def read(self, data: bytes, at: int) -> int:
        """Read the table that starts (with its count) at ``at``; return the offset behind it."""
        (count,) = struct.unpack_from(">H", data, at)
        return self.read_rows(data, at + 2, count)

    def read_rows(self, data: bytes, at: int, count: int) -> int:
        """Read ``count`` attributes from offset ``at``; return the offset behind them."""
        unpack, append, constants = _ATTRIBUTE.unpack_from, self._table.append, self._constants
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

    def rows(self) -> list[tuple[str, bytes]]:
        """Return names and contents, in order."""
        places: Any = self._constants._pool  # the names were checked when they were read
        return [(places[index][1], data) for index, data in self._table]

    def indexed_rows(self) -> list[tuple[int, bytes]]:
        """Return contents with the indexes of their names."""
        return self._table

    def raw(self, name: str) -> bytes | None:
        """Return the content of the first attribute called ``name``, or None."""
        places: Any = self._constants._pool
        return next((data for index, data in self._table if places[index][1] == name), None)


__all__ = ["Attributes", "ClassFile", "ClassFormatError", "Field", "Method", "collector_paused", "parse"]

_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBER = struct.Struct(">HHHH")  # access flags, name, descriptor, number of attributes


class Member:
    """The common part of fields and methods."""

    def __init__(self, cf: ClassFile, access: int, name: int, descriptor: int) -> None:
        self._cf = cf
        self.access = access
        """Access flags as a number."""
        self._name_index = name
        self._descriptor_index = descriptor
        self.attributes = Attributes(cf.constants)

    @property
    def name_text(self) -> str:
        """The member's name."""
        return self._cf.constants.text(self._name_index)

    @property
    def descriptor_text(self) -> str:
        """The member's descriptor."""
        return self._cf.constants.text(self._descriptor_index)


class Field(Member):
    """A field."""


class Method(Member):
    """A method."""

    @property
    def code(self) -> CodeHead | None:
        """The code; None if there is none. Raises :class:`ClassFormatError`."""
        data = self.attributes.raw("Code")
        return None if data is None else code_head(data)


class LazyConstantPool:
    """The constants of a class file as tuples ``(tag, value, ...)``, read by :mod:`core.classfile.pool`."""

    def __init__(self, pool: list[Constant | None]) -> None:
        self._pool = pool

    def raw(self, index: int) -> Constant:
        """Return the constant at ``index``."""
        constant = self._pool[index] if 0 < index < len(self._pool) else None
        if constant is None:
            raise ClassFormatError(f"there is no constant {index}")
        return constant

    def text(self, index: int) -> str:
        """Return the text of the Utf8 constant at ``index``."""
        try:
            tag, text = self._pool[index]  # type: ignore[misc]
        except (TypeError, ValueError, IndexError):  # another kind of constant, or none
            tag, text = self.raw(index)[:2]
        if tag != UTF8:
            raise ClassFormatError(f"constant {index} is not a text")
        return text  # type: ignore[no-any-return]

    def class_name(self, index: int) -> str:
        """Return the name of the Class constant at ``index``, arrays in brackets as they stand there."""
        constant = self.raw(index)
        if constant[0] != CLASS:
            raise ClassFormatError(f"constant {index} is not a class")
        return self.text(constant[1])

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
        return ((index, constant) for index, constant in enumerate(self._pool) if constant is not None)

    def tuples(self) -> list[Constant | None]:
        """Return all places of the pool in order: None for place 0 and behind a long or double."""
        return self._pool[:]


class ClassFile(JawaClassFile):
    """A class file (JVMS 4.1). Made by :func:`parse`."""

    attributes: Attributes  # type: ignore[assignment]  # ours in the place of jawa's, as the pool is

    def __init__(self, data: bytes, texts: Texts | None) -> None:
        super().__init__()
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

    def _load(self, data: bytes, texts: Texts | None) -> None:
        if data[:4] != _MAGIC:
            raise ClassFormatError("the first four bytes are not those of a class file")
        minor, major = struct.unpack_from(">HH", data, 4)
        self._version = ClassVersion(major, minor)
        pool, at = pools.read_pool(data, 8, texts)
        self._pool = LazyConstantPool(pool)
        self.attributes = Attributes(self.constants)
        self.access, self._this, self._super, count = _MEMBER.unpack_from(data, at)
        """Access flags as a number."""
        self._interfaces = list(struct.unpack_from(f">{count}H", data, at + 8))
        at += 8 + 2 * count
        at = self._members(data, at, Field, self.fields._table.append)
        at = self._members(data, at, Method, self.methods._table.append)
        at = self.attributes.read(data, at)
        if at != len(data):
            raise ClassFormatError(f"there are {len(data) - at} bytes behind the end of the class")
        if not self.name or self.name.startswith("["):
            raise ClassFormatError(f"{self.name!r} is no name for a class")
        _ = (self.superclass, self.interface_names)  # checks the indexes

    def _members(self, data: bytes, at: int, kind: type[Any], append: Callable[[Any], None]) -> int:
        (count,) = struct.unpack_from(">H", data, at)
        at += 2
        text, unpack = self.constants.text, _MEMBER.unpack_from
        for _ in range(count):
            access, name, descriptor, attributes = unpack(data, at)
            text(name)
            text(descriptor)
            member = kind(self, access, name, descriptor)
            at += 8
            if attributes:
                at = member.attributes.read_rows(data, at, attributes)
            append(member)
        return at


def parse(data: bytes, texts: Texts | None = None) -> ClassFile:
    """Return the class file in ``data``; :class:`ClassFormatError` with the reason if it is not one.

    ``texts`` may be shared by the classes of a jar. Attributes are opened at their first use: a damaged one raises
    then."""
    cancellation_point()
    with reading("the class file"):
        return ClassFile(data, texts)
