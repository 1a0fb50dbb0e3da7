"""Class files, read and written through jawa 2.2.0: the one module that knows jawa.

jawa gives the object model (constants, fields, methods, attributes, code). Reading and
writing are ours, since jawa 2.2.0 cannot write most real classes and damages strings:
subclasses of jawa's classes, nothing patched. Whatever is not asked for stays the bytes
it was, so ``parse(data).to_bytes() == data`` for every correct class file.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from importlib.metadata import version as installed
from typing import Any

from jawa.attribute import Attribute, AttributeTable, UnknownAttribute
from jawa.attributes.code import CodeAttribute, CodeException
from jawa.cf import ClassFile as JawaClassFile
from jawa.cf import ClassVersion
from jawa.constants import Constant as JawaConstant
from jawa.constants import ConstantPool, InvokeDynamic, _constant_types
from jawa.fields import Field as JawaField
from jawa.methods import Method as JawaMethod
from jawa.util.flags import Flags

from core.jar import pool as pools
from core.jar.collector import collector_paused
from core.jar.errors import ClassFormatError
from core.jar.pool import CLASS, UTF8, Constant, Texts

__all__ = ["Attributes", "ClassFile", "ClassFormatError", "Code", "Field", "Method", "collector_paused", "parse"]

if installed("jawa") != "2.2.0":
    # Private names of jawa are used below; another release may have renamed them.
    raise ImportError(f"Jarlet needs jawa 2.2.0, but {installed('jawa')} is installed: pip install jawa==2.2.0")

_MAGIC = b"\xca\xfe\xba\xbe"
_MEMBER = struct.Struct(">HHHH")  # access flags, name, descriptor, number of attributes
_ATTRIBUTE = struct.Struct(">HI")
_MEMBER_FLAGS = {
    "acc_public": 0x0001,
    "acc_private": 0x0002,
    "acc_protected": 0x0004,
    "acc_static": 0x0008,
    "acc_final": 0x0010,
    "acc_synthetic": 0x1000,
}
_FIELD_FLAGS = {**_MEMBER_FLAGS, "acc_volatile": 0x0040, "acc_transient": 0x0080, "acc_enum": 0x4000}
_METHOD_FLAGS = {
    **_MEMBER_FLAGS,
    "acc_synchronized": 0x0020,
    "acc_bridge": 0x0040,
    "acc_varargs": 0x0080,
    "acc_native": 0x0100,
    "acc_abstract": 0x0400,
    "acc_strict": 0x0800,
}


class Dynamic(InvokeDynamic):
    """A dynamically computed constant (tag 17), which jawa does not know."""

    TAG = pools.DYNAMIC


_KINDS: dict[int, Any] = {**dict(enumerate(_constant_types)), pools.DYNAMIC: Dynamic}


class Pool(ConstantPool):
    """jawa's constant pool with all kinds of constants, read and written by :mod:`core.jar.pool`."""

    _pool: list[Any]
    _plain = True
    """Whether there are but tuples in it."""

    def append(self, constant: Any) -> None:
        """Adds a constant at the end."""
        self._plain = False
        self._pool.append(constant)

    def __setitem__(self, index: int, constant: Any) -> None:
        self._plain = False
        self._pool[index] = constant

    def get(self, index: int) -> Any:
        """jawa's object for the constant at *index*; :class:`ClassFormatError` if there is none."""
        constant = self._at(index)
        if not isinstance(constant, JawaConstant):
            self._plain = False
            self._pool[index] = constant = _KINDS[constant[0]](self, index, *constant[1:])
        return constant

    def raw(self, index: int) -> Constant:
        """The constant at *index* as a tuple ``(tag, value, ...)``: ten times cheaper than :meth:`get`."""
        constant = self._at(index)
        return _as_tuple(constant) if isinstance(constant, JawaConstant) else constant

    def text(self, index: int) -> str:
        """The text of the Utf8 constant at *index*."""
        try:
            tag, text = self._pool[index]
        except (TypeError, ValueError, IndexError):  # jawa's object, another kind of constant, or none
            tag, text = self.raw(index)[:2]
        if tag != UTF8:
            raise ClassFormatError(f"constant {index} is not a text")
        return text  # type: ignore[no-any-return]

    def class_name(self, index: int) -> str:
        """The name of the Class constant at *index*, arrays in brackets as they stand there."""
        constant = self.raw(index)
        if constant[0] != CLASS:
            raise ClassFormatError(f"constant {index} is not a class")
        return self.text(constant[1])

    def tuples(self) -> list[Constant | None]:
        """All places of the pool in order: None for place 0 and behind a long or double."""
        if self._plain:
            return self._pool[:]
        return [place if type(place) is tuple or place is None else _as_tuple(place) for place in self._pool]

    def _at(self, index: int) -> Any:
        constant = self._pool[index] if 0 < index < len(self._pool) else None
        if constant is None:
            raise ClassFormatError(f"there is no constant {index}")
        return constant


def _as_tuple(constant: Any) -> Constant:
    names = [name for kind in reversed(type(constant).__mro__) for name in getattr(kind, "__slots__", ())]
    return (
        constant.TAG,
        *(getattr(constant, name) for name in dict.fromkeys(names) if name not in ("pool", "index")),
    )


class Code(CodeAttribute):
    """The Code attribute of a method (JVMS 4.7.3); its bytes are scanned by :mod:`core.jar.instructions`."""

    _code: Any  # jawa starts with an empty str; bytes as soon as it is read
    attributes: Attributes

    @property
    def code(self) -> bytes:
        """The instructions, undecoded."""
        return self._code  # type: ignore[no-any-return]

    def unpack(self, info: Any) -> None:
        """Reads the attribute's content; *info* is what jawa hands in, a reader with ``buff``."""
        data: bytes = info.buff
        try:
            self.max_stack, self.max_locals, size = struct.unpack_from(">HHI", data)
            at = 8 + size
            self._code = data[8:at]
            if not 0 < size < 65536 or len(self._code) != size:
                raise ClassFormatError(f"a method has {size} bytes of code")
            (count,) = struct.unpack_from(">H", data, at)
            at += 2
            table = data[at : at + 8 * count]
            at += 8 * count
            self.exception_table = [CodeException(*row) for row in struct.iter_unpack(">HHHH", table)]
            if len(self.exception_table) != count:
                raise ClassFormatError("an exception table is cut off")
            self.attributes = Attributes(self.cf, parent=self)
            at = self.attributes.read(data, at)
        except struct.error as error:
            raise ClassFormatError("a Code attribute is cut off") from error
        if at != len(data):
            raise ClassFormatError("a Code attribute is longer than its content")

    def pack(self) -> bytes:
        """The attribute's content."""
        head = struct.pack(">HHI", self.max_stack, self.max_locals, len(self._code))
        rows = b"".join(struct.pack(">HHHH", *row) for row in self.exception_table)
        count = struct.pack(">H", len(self.exception_table))
        return b"".join((head, self._code, count, rows, _packed(self.attributes)))


class _Reader:
    """What jawa's attributes read from, in the part that :class:`Code` uses."""

    def __init__(self, buff: bytes) -> None:
        self.buff = buff


class Attributes(AttributeTable):
    """Attributes of a class, field, method or code: bytes, except Code once somebody asks for it."""

    _table: list[Any]

    def read(self, data: bytes, at: int) -> int:
        """Reads the table that starts (with its count) at *at*; returns the offset behind it."""
        (count,) = struct.unpack_from(">H", data, at)
        return self.read_rows(data, at + 2, count)

    def read_rows(self, data: bytes, at: int, count: int) -> int:
        """Reads *count* attributes from offset *at*; returns the offset behind them."""
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
        """Name and content of each attribute, in order, without decoding anything."""
        if not self._table:
            return []
        places = self.cf.constants._pool
        try:
            return [(places[index][1], data) for index, data in self._table]  # names were checked when they were read
        except TypeError:  # jawa's objects among them
            text = self.cf.constants.text
            return [(text(index), data) for index, data in self.indexed_rows()]

    def indexed_rows(self) -> Iterator[tuple[int, bytes]]:
        """Pool index of the name, and content, of each attribute, in order, without decoding anything."""
        for row in self._table:
            yield (row.name_index, row.pack()) if isinstance(row, Attribute) else row

    def raw(self, name: str) -> bytes | None:
        """Content of the first attribute called *name*, or None."""
        return next((data for found, data in self.rows() if found == name), None)

    def pack(self, out: Any) -> None:
        """Writes the table to a file-like object, as jawa's attributes expect it."""
        out.write(_packed(self))


def _packed(table: AttributeTable) -> bytes:
    parts = [len(table._table).to_bytes(2, "big")]
    for row in table._table:
        name, data = (row.name_index, row.pack()) if isinstance(row, Attribute) else row
        parts += (_ATTRIBUTE.pack(name, len(data)), data)
    return b"".join(parts)


class _Member:
    """What fields and methods share; flags become jawa's object only where they are asked for."""

    _cf: ClassFile
    _access: int
    _name_index: int
    _descriptor_index: int
    attributes: Attributes
    _flags: Flags | None
    _flag_names: dict[str, int]

    def __init__(self, cf: ClassFile, access: int = 0, name: int = 0, descriptor: int = 0) -> None:
        self._cf = cf
        self._access = access
        self._flags = None
        self._name_index = name
        self._descriptor_index = descriptor
        self.attributes = Attributes(cf)

    @property
    def access_flags(self) -> Flags:
        """jawa's view of the flags; changing it changes the member."""
        if self._flags is None:
            self._flags = Flags(">H", self._flag_names)  # type: ignore[no-untyped-call]
            self._flags._value = self._access
        return self._flags

    @access_flags.setter
    def access_flags(self, flags: Flags) -> None:
        self._flags = flags

    @property
    def access(self) -> int:
        """Access flags as a number."""
        return self._access if self._flags is None else int(self._flags.value)

    @property
    def name_text(self) -> str:
        """The member's name."""
        return self._cf.constants.text(self._name_index)

    @property
    def descriptor_text(self) -> str:
        """The member's descriptor."""
        return self._cf.constants.text(self._descriptor_index)


class Field(_Member, JawaField):
    """A field; ``name`` and ``descriptor`` are jawa's constants, ``name_text`` and so on are strings."""

    attributes: Attributes
    _flag_names = _FIELD_FLAGS


class Method(_Member, JawaMethod):
    """A method; ``code`` is its :class:`Code` or None."""

    attributes: Attributes
    _flag_names = _METHOD_FLAGS


class ClassFile(JawaClassFile):
    """A class file (JVMS 4.1). Made by :func:`parse`."""

    _constants: Pool
    attributes: Attributes

    def __init__(self, data: bytes | None = None, texts: Texts | None = None) -> None:
        super().__init__()
        self._constants = Pool()  # type: ignore[no-untyped-call]
        self.attributes = Attributes(self)
        self.source = data
        """The bytes that it was read from, if it was."""
        if data is not None:
            self._load(data, texts)

    @property
    def constants(self) -> Pool:
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
        """The class file; the very bytes it was read from as long as nothing was changed."""
        head = struct.pack(">HH", self.version.minor, self.version.major)
        interfaces = struct.pack(
            f">HHHH{len(self._interfaces)}H",
            self.access, self._this, self._super, len(self._interfaces), *self._interfaces,
        )  # fmt: skip
        parts = [_MAGIC, head, pools.write_pool(self._constants.tuples(), self._constants.raw_count), interfaces]
        for table in (self.fields, self.methods):
            parts.append(len(table).to_bytes(2, "big"))
            for member in table:
                access = member.access if isinstance(member, _Member) else member.access_flags.value
                parts.append(struct.pack(">HHH", access, member._name_index, member._descriptor_index))
                parts.append(_packed(member.attributes))
        parts.append(_packed(self.attributes))
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
    """The class file in *data*; :class:`ClassFormatError` with the reason if it is not one.

    *texts* may be shared by the classes of a jar. Attributes are opened where they are used: a damaged one raises then.
    """
    try:
        return ClassFile(data, texts)
    except struct.error as error:
        raise ClassFormatError("the class file is cut off") from error
