"""Class files, read and written through jawa 2.2.0.

jawa gives the object model (constants, fields, methods, attributes, code). Reading and
writing are ours, since jawa 2.2.0 cannot write most real classes and damages strings:
subclasses of jawa's classes, nothing patched. Whatever is not asked for stays the bytes
it was, so ``parse(data).to_bytes() == data`` for every correct class file.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from core.cancellation import cancellation_point
from core.classfile import pool as pools
from core.classfile.attribute_table import Attributes, Code, packed
from core.classfile.constants import LazyConstantPool
from core.classfile.format_error import ClassFormatError
from core.classfile.jawa_classes import ClassVersion, JawaClassFile
from core.classfile.members import Field, Member, Method
from core.classfile.pool import Texts
from core.system.interpreter import collector_paused

__all__ = ["Attributes", "ClassFile", "ClassFormatError", "Code", "Field", "Method", "collector_paused", "parse"]

_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBER = struct.Struct(">HHHH")  # access flags, name, descriptor, number of attributes


class ClassFile(JawaClassFile):
    """A class file (JVMS 4.1). Made by :func:`parse`."""

    _constants: LazyConstantPool
    attributes: Attributes

    def __init__(self, data: bytes | None = None, texts: Texts | None = None) -> None:
        super().__init__()
        self._constants = LazyConstantPool()  # type: ignore[no-untyped-call]
        self.attributes = Attributes(self)
        self.source = data
        """The bytes that it was read from, if it was."""
        self.code_attributes: dict[bytes, list[tuple[str, bytes]]] = {}
        """Results of :func:`core.classfile.tables.code_attributes`, by the content of the Code attribute."""
        if data is not None:
            self._load(data, texts)

    @property
    def constants(self) -> LazyConstantPool:
        """The constant pool."""
        return self._constants

    @property
    def name(self) -> str:
        """Internal name (``a/b/C``)."""
        return self._constants.class_name(self._this)

    @property
    def superclass(self) -> str | None:
        """Internal name of the superclass; None for Object and module descriptors."""
        return self._constants.class_name(self._super) if self._super else None

    @property
    def interface_names(self) -> tuple[str, ...]:
        """Internal names of the direct superinterfaces."""
        return tuple(map(self._constants.class_name, self._interfaces))

    @property
    def access(self) -> int:
        """Access flags as a number."""
        return int(self.access_flags.value)

    def to_bytes(self) -> bytes:
        """Return the class file; the very bytes it was read from as long as nothing was changed."""
        head = struct.pack(">HH", self.version.minor, self.version.major)
        interfaces = struct.pack(
            f">HHHH{len(self._interfaces)}H",
            self.access, self._this, self._super, len(self._interfaces), *self._interfaces,
        )  # fmt: skip
        parts = [_MAGIC, head, pools.write_pool(self._constants.tuples(), self._constants.raw_count), interfaces]
        for table in (self.fields, self.methods):
            parts.append(len(table).to_bytes(2, "big"))
            for member in table:
                access = member.access if isinstance(member, Member) else member.access_flags.value
                parts.append(struct.pack(">HHH", access, member._name_index, member._descriptor_index))
                parts.append(packed(member.attributes))
        parts.append(packed(self.attributes))
        return b"".join(parts)

    def _load(self, data: bytes, texts: Texts | None) -> None:
        if data[:4] != _MAGIC:
            raise ClassFormatError("the first four bytes are not those of a class file")
        minor, major = struct.unpack_from(">HH", data, 4)
        self._version = ClassVersion(major, minor)
        self._constants._pool, at = pools.read_pool(data, 8, texts)
        self.access_flags._value, self._this, self._super, count = _MEMBER.unpack_from(data, at)
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
        text, unpack = self._constants.text, _MEMBER.unpack_from
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

    ``texts`` may be shared by the classes of a jar. Attributes are opened where they are used: a damaged one raises
    then."""
    cancellation_point()
    try:
        return ClassFile(data, texts)
    except struct.error as error:
        raise ClassFormatError("the class file is cut off") from error
