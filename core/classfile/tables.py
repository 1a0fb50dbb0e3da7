"""Small tables of class files, read: inner classes, bootstrap methods, thrown classes, records, and the like.

All functions raise :class:`ClassFormatError` when the attribute is damaged, and give an
empty result when it is not there. Indexes are places in the constant pool.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass

from core.classfile.class_file import Attributes, ClassFile, Field, Method
from core.classfile.code_content import code_head
from core.classfile.format_error import ClassFormatError, reading

_U2, _ATTRIBUTE, _VARIABLE = struct.Struct(">H"), struct.Struct(">HI"), struct.Struct(">5H")
_LINE = struct.Struct(">HH")


@dataclass(frozen=True, slots=True)
class InnerClass:
    """A row of InnerClasses (JVMS 4.7.6)."""

    inner: str
    outer: str | None
    """None for local and anonymous classes."""
    name: str | None
    """Simple name; None for anonymous classes."""
    access: int


@dataclass(frozen=True, slots=True)
class Bootstrap:
    """A row of BootstrapMethods (JVMS 4.7.23)."""

    handle: int
    arguments: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Component:
    """A component of a record (JVMS 4.7.30); ``attributes`` are (index of the name, name, content)."""

    name: str
    descriptor: str
    attributes: tuple[tuple[int, str, bytes], ...]


def inner_classes(cf: ClassFile) -> tuple[InnerClass, ...]:
    """Return the rows of InnerClasses, in order."""
    pool = cf.constants
    return tuple(
        InnerClass(
            pool.class_name(inner),
            pool.class_name(outer) if outer else None,
            pool.text(name) if name else None,
            access,
        )
        for inner, outer, name, access in struct.iter_unpack(">HHHH", _rows(cf.attributes, "InnerClasses", 8))
    )


def bootstraps(cf: ClassFile) -> tuple[Bootstrap, ...]:
    """Return the rows of BootstrapMethods, in order."""
    data = cf.attributes.raw("BootstrapMethods")
    if data is None:
        return ()
    with reading("the attribute BootstrapMethods"):
        (count,) = _U2.unpack_from(data)
        at, found = 2, []
        for _ in range(count):
            handle, arguments = struct.unpack_from(">HH", data, at)
            found.append(Bootstrap(handle, struct.unpack_from(f">{arguments}H", data, at + 4)))
            at += 4 + 2 * arguments
    _end(data, at, "BootstrapMethods")
    return tuple(found)


def thrown(cf: ClassFile, method: Method) -> tuple[str, ...]:
    """Return the classes in the ``throws`` clause of ``method``."""
    data = _rows(method.attributes, "Exceptions", 2)
    return tuple(cf.constants.class_name(index) for (index,) in _U2.iter_unpack(data))


def nest_host(cf: ClassFile) -> str | None:
    """Return the host that the class names, if it names one."""
    data = cf.attributes.raw("NestHost")
    return None if data is None else cf.constants.class_name(_exactly(data, 2, "NestHost")[0])


def permitted_subclasses(cf: ClassFile) -> tuple[str, ...]:
    """Return the permitted direct subclasses of a sealed class; empty for other classes."""
    data = _rows(cf.attributes, "PermittedSubclasses", 2)
    return tuple(cf.constants.class_name(index) for (index,) in _U2.iter_unpack(data))


def enclosing_method(cf: ClassFile) -> tuple[str, str | None, str | None] | None:
    """Return class, name and descriptor in EnclosingMethod; the latter two are None outside of any method."""
    data = cf.attributes.raw("EnclosingMethod")
    if data is None:
        return None
    owner, method = _exactly(data, 4, "EnclosingMethod")
    if not method:
        return cf.constants.class_name(owner), None, None
    constant = cf.constants.raw(method)
    if constant[0] != 12:
        raise ClassFormatError(f"constant {method} is no name and type")
    return cf.constants.class_name(owner), *cf.constants.named(method)


def signature(cf: ClassFile, element: ClassFile | Field | Method) -> str | None:
    """Return the generic signature of the class or of one of its members, unparsed."""
    data = element.attributes.raw("Signature")
    return None if data is None else cf.constants.text(_exactly(data, 2, "Signature")[0])


def components(cf: ClassFile) -> tuple[Component, ...]:
    """Return the components of a record, in order."""
    data = cf.attributes.raw("Record")
    if data is None:
        return ()
    text, found, at = cf.constants.text, [], 2
    with reading("the attribute Record"):
        for _ in range(_U2.unpack_from(data)[0]):
            name, descriptor = struct.unpack_from(">HH", data, at)
            rows, at = attribute_rows(text, data, at + 4)
            found.append(Component(text(name), text(descriptor), tuple((i, text(i), row) for i, row in rows)))
    _end(data, at, "Record")
    return tuple(found)


def attribute_rows(text: Callable[[int], str], data: bytes, at: int) -> tuple[list[tuple[int, bytes]], int]:
    """Return the attribute table (with its count) at offset ``at`` as (index of the name, content), and the offset
    behind it. ``text`` reads a Utf8 constant."""
    rows = []
    try:
        (count,) = _U2.unpack_from(data, at)
        at += 2
        for _ in range(count):
            index, size = _ATTRIBUTE.unpack_from(data, at)
            at += 6 + size
            if at > len(data):
                raise ClassFormatError(f"the attribute {text(index)!r} is cut off")
            rows.append((index, data[at - size : at]))
    except struct.error:
        raise ClassFormatError("a table of attributes is cut off") from None
    return rows, at


def code_attributes(cf: ClassFile, code: bytes) -> list[tuple[str, bytes]]:
    """Return the name and content of the attributes within the content of a Code attribute of the class; read once."""
    known = cf.code_attributes.get(code)
    if known is None:
        text = cf.constants.text
        rows, _ = attribute_rows(text, code, code_head(code).end)
        known = cf.code_attributes[code] = [(text(index), data) for index, data in rows]
    return known


def code_of(method: Method) -> bytes:
    """Return the instructions of a method; empty for none."""
    code = method.code
    return b"" if code is None else code.code


def line_table(cf: ClassFile, method: Method) -> list[tuple[int, int]]:
    """Return the rows of a method's table, each an offset of an instruction and a line, by rising offset. Empty
    without debug information."""
    raw = method.attributes.raw("Code")
    inside = code_attributes(cf, raw) if raw is not None else ()
    with reading("a LineNumberTable"):
        return sorted(row for name, data in inside if name == "LineNumberTable" for row in _LINE.iter_unpack(data[2:]))


def _rows(attributes: Attributes, name: str, size: int) -> bytes:
    """Return the rows, ``size`` bytes each, of an attribute that is nothing but a counted table."""
    data = attributes.raw(name)
    if data is None:
        return b""
    return counted(data, size, name)[2:]


def counted(data: bytes, size: int, name: str) -> bytes:
    """Return ``data`` itself if it is a count and that many rows of ``size`` bytes."""
    if len(data) < 2 or len(data) != 2 + size * int.from_bytes(data[:2], "big"):
        raise ClassFormatError(f"the attribute {name} has {len(data)} bytes, which its count does not tell")
    return data


def exactly(data: bytes, size: int, name: str) -> bytes:
    """Return ``data`` itself if it has ``size`` bytes."""
    if len(data) != size:
        raise ClassFormatError(f"the attribute {name} has {len(data)} bytes instead of {size}")
    return data


def _exactly(data: bytes, size: int, name: str) -> tuple[int, ...]:
    return struct.unpack(f">{size // 2}H", exactly(data, size, name))


def _end(data: bytes, at: int, name: str) -> None:
    if at != len(data):
        raise ClassFormatError(f"the attribute {name} is longer than its content")


def catches_several(code: bytes) -> bool:
    """Return True if a handler in the content of a Code attribute is for exceptions of several types."""
    caught = {(handler, type_) for _, _, handler, type_ in code_head(code).handlers if type_}
    return len({handler for handler, _ in caught}) < len(caught)


def variables(cf: ClassFile, code: bytes, title: str) -> list[tuple[int, str, int]]:
    """Start, type and slot of each row of the tables of local variables called ``title`` (LocalVariableTable or
    LocalVariableTypeTable) in the content of a Code attribute."""
    text, found = cf.constants.text, []
    for name, data in code_attributes(cf, code):
        if name == title:
            found += [(start, text(type_), slot) for start, _, _, type_, slot in _VARIABLE.iter_unpack(data[2:])]
    return found
