"""Which classes a class file mentions, anywhere: another way than that of :mod:`core.classfile.outline`.

Everything that the instructions, frames, handlers and most attributes name is a Class
constant; the rest hides in descriptors, generic signatures and annotations. As in
J-Reduce every mention counts, also one that the JVM would never follow.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable

from core.classfile import descriptors, signatures
from core.classfile.annotations import ATTRIBUTES as ANNOTATIONS
from core.classfile.annotations import descriptors as annotation_types
from core.classfile.class_file import ClassFile
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, METHOD_TYPE, NAME_AND_TYPE, UTF8

_NAMING = frozenset({"Code", "Signature", "LocalVariableTable", "LocalVariableTypeTable", "Record", *ANNOTATIONS})
"""Attributes that can name a class beside Class constants."""
_U2, _ATTRIBUTE = struct.Struct(">H"), struct.Struct(">HI")


def references(cf: ClassFile) -> frozenset[str]:
    """Return the internal names of all classes that ``cf`` mentions, itself left out.

    Raises :class:`ClassFormatError` when an attribute on the way is malformed. Only a generic
    signature that breaks its grammar is passed over, as by the JVM: obfuscators like to damage them.
    """
    try:
        return _Finder(cf).names()
    except (struct.error, IndexError) as error:
        raise ClassFormatError("an attribute is cut off") from error


class _Finder:
    """The pool places that hold descriptors and signatures, collected first, each read once."""

    def __init__(self, cf: ClassFile) -> None:
        self.cf = cf
        self.places = cf.constants.tuples()
        self.types: set[int] = set()
        self.generics: set[int] = set()

    def names(self) -> frozenset[str]:
        cf, places, types = self.cf, self.places, self.types
        names: set[str | None] = set()
        for constant in places:
            if constant is None:
                continue
            tag = constant[0]
            if tag == CLASS:
                name = self.text(constant[1])
                names.add(name if name[:1] != "[" else descriptors.element_class(name))
            elif tag == NAME_AND_TYPE:
                types.add(constant[2])
            elif tag == METHOD_TYPE:
                types.add(constant[1])
        self.attributes(cf.attributes.rows())
        for member in (*cf.fields, *cf.methods):
            types.add(member._descriptor_index)
            if member.attributes.rows():
                self.attributes(member.attributes.rows())
        for index in types:
            text = self.text(index)
            if text != "V":  # void.class as the value of an annotation
                names.update(descriptors.class_names(text))
        for index in self.generics:
            names.update(_generic(self.text(index)))
        return frozenset(names - {cf.name, None, ""})  # type: ignore[arg-type]  # None has gone

    def text(self, index: int) -> str:
        constant = self.places[index]
        if constant is None or constant[0] != UTF8:
            raise ClassFormatError(f"constant {index} is not a text")
        return constant[1]  # type: ignore[no-any-return]

    def attributes(self, rows: Iterable[tuple[str, bytes]]) -> None:
        """Note the classes that the attributes ``rows`` (name, content) name beside Class constants."""
        for name, data in rows:
            if name not in _NAMING:
                continue
            if name == "Code":
                self.attributes(self.rows(data, _behind_code(data))[0])
            elif name == "Signature":
                self.generics.update(_U2.unpack(data))
            elif name == "LocalVariableTable":
                self.types.update(_locals(data))
            elif name == "LocalVariableTypeTable":
                self.generics.update(_locals(data))
            elif name == "Record":
                self.record(data)
            else:
                self.types.update(annotation_types(name, data))

    def record(self, data: bytes) -> None:
        """Record components: name, descriptor, attributes."""
        (count,) = _U2.unpack_from(data)
        at = 2
        for _ in range(count):
            self.types.update(_U2.unpack_from(data, at + 2))
            rows, at = self.rows(data, at + 4)
            self.attributes(rows)

    def rows(self, data: bytes, at: int) -> tuple[list[tuple[str, bytes]], int]:
        """Return what can name a class in the attribute table (with its count) at offset ``at``, and the offset behind
        the table.
        """
        (count,) = _U2.unpack_from(data, at)
        at += 2
        rows, end = [], len(data)
        for _ in range(count):
            index, size = _ATTRIBUTE.unpack_from(data, at)
            name = self.text(index)
            at += 6 + size
            if at > end:
                raise ClassFormatError(f"the attribute {name!r} is cut off")
            if name in _NAMING:
                rows.append((name, data[at - size : at]))
        return rows, at


def _generic(signature: str) -> tuple[str, ...]:
    try:
        return signatures.class_names(signature)
    except ClassFormatError:
        return ()


def _locals(data: bytes) -> tuple[int, ...]:
    """Return the places of the descriptors (or signatures) in a table of local variables."""
    (count,) = _U2.unpack_from(data)
    # five numbers a row, of which it is the fourth; the last one of all is not looked at
    return struct.unpack_from(f">{5 * count - 1}H", data, 2)[3::5] if count else ()


def _behind_code(data: bytes) -> int:
    """Return the offset of the attribute table in the content of a Code attribute."""
    at = 8 + int.from_bytes(data[4:8], "big")
    return at + 2 + 8 * int(_U2.unpack_from(data, at)[0])
