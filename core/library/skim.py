"""A class file read for what others may use of it: name, hierarchy, members. Twice as fast as a full parse.

Of a library a few members of many classes are asked for, so nothing is decoded here but what
:class:`LibraryClass` holds; code and all other attributes are jumped over.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from dataclasses import dataclass
from sys import intern

from core.classfile.flags import (
    ANNOTATION,
    INTERFACE,
)
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import decode

_SIZES = (0, 0, 0, 5, 5, 9, 9, 3, 3, 5, 5, 5, 5, 0, 0, 4, 3, 5, 5, 3, 3)
"""Bytes of a constant with its tag; 0 for texts and for tags that do not exist."""
_TEXT, _LONG, _DOUBLE, _CLASS = 1, 5, 6, 7
_EXCEPTIONS, _SIGNATURE = b"\x01\x00\x0aExceptions", b"\x01\x00\x09Signature"
"""The constants that name these attributes of a method."""
_DECLARES = ord("<")
"""First letter of a method's signature that declares type parameters."""
_MEMBER, _ATTRIBUTE = struct.Struct(">HHHH"), struct.Struct(">HI")

Members = dict[tuple[str, str], int]
"""Access flags of fields or methods by name and descriptor, in the order of the class file."""

Thrown = dict[tuple[str, str], tuple[str, ...]]
"""Classes in the throws clauses of methods, by name and descriptor."""

Signatures = dict[tuple[str, str], str]
"""Generic signatures of methods, by name and descriptor."""


@dataclass(frozen=True, slots=True)
class LibraryClass:
    """The known facts about a class outside the input. Names are internal (``java/util/Map$Entry``)."""

    name: str
    access: int
    superclass: str | None
    """None for Object only (an interface has Object) and for module descriptors."""
    interfaces: tuple[str, ...]
    methods: Members
    fields: Members
    permitted: tuple[str, ...]
    """The permitted direct subclasses of a sealed class; empty when it is not sealed."""
    is_record: bool
    signature: str | None
    """The generic signature: type parameters with their bounds, generic supertypes."""
    thrown: Thrown
    generic: Signatures
    """Those of methods that declare type parameters, and of an annotation's methods."""

    @property
    def is_interface(self) -> bool:
        return bool(self.access & INTERFACE)

    @property
    def package(self) -> str:
        """Internal name of the package, empty for the unnamed one."""
        return self.name.rpartition("/")[0]


def skim(data: bytes) -> LibraryClass:
    """Return the class in ``data``; :class:`ClassFormatError` if its outline is damaged."""
    try:
        return _Skimmer(data).read()
    except (struct.error, IndexError) as error:
        raise ClassFormatError("the class file is cut off or points outside of its constant pool") from error


class _Skimmer:
    def __init__(self, data: bytes) -> None:
        if data[:4] != b"\xca\xfe\xba\xbe":
            raise ClassFormatError("the first four bytes are not those of a class file")
        self._data = data
        self._texts: dict[int, str] = {}
        self._places, self._at = _constants(data)
        self._thrown: Thrown = {}
        self._generic: Signatures = {}
        self._exceptions, self._signature = self._index_of(_EXCEPTIONS), self._index_of(_SIGNATURE)

    def read(self) -> LibraryClass:
        access, this, parent, count = _MEMBER.unpack_from(self._data, self._at)
        interfaces = struct.unpack_from(f">{count}H", self._data, self._at + 8)
        self._at += 8 + 2 * count
        fields = self._members(signed=False)
        methods = self._members(signed=bool(self._signature), all_signed=bool(access & ANNOTATION))
        attributes = self._attributes()
        permitted = attributes.get("PermittedSubclasses", b"")
        signature = attributes.get("Signature")
        return LibraryClass(
            name=self._class(this),
            access=access,
            superclass=self._class(parent) if parent else None,
            interfaces=tuple(map(self._class, interfaces)),
            methods=methods,
            fields=fields,
            permitted=tuple(self._class(index) for (index,) in struct.iter_unpack(">H", permitted[2:])),
            is_record="Record" in attributes,
            signature=None if signature is None else self._text(struct.unpack(">H", signature)[0]),
            thrown=self._thrown,
            generic=self._generic,
        )

    def _members(self, *, signed: bool, all_signed: bool = False) -> Members:
        data, texts, exceptions = self._data, self._texts, self._exceptions
        signature = self._signature if signed else None
        at = self._at + 2
        members: Members = {}
        for _ in range(int.from_bytes(data[self._at : at], "big")):
            access, name, descriptor, attributes = _MEMBER.unpack_from(data, at)
            at += 8
            key = (texts.get(name) or self._text(name), texts.get(descriptor) or self._text(descriptor))
            for _ in range(attributes):
                if data[at : at + 2] == exceptions:
                    (count,) = struct.unpack_from(">H", data, at + 6)
                    self._thrown[key] = tuple(map(self._class, struct.unpack_from(f">{count}H", data, at + 8)))
                elif data[at : at + 2] == signature:
                    index = data[at + 6] << 8 | data[at + 7]
                    if all_signed or data[self._places[index] + 3] == _DECLARES:
                        self._generic[key] = self._text(index)
                at += 6 + int.from_bytes(data[at + 2 : at + 6], "big")
            members[key] = access
        self._at = at
        return members

    def _attributes(self) -> dict[str, bytes]:
        at = self._at + 2
        found = {}
        for _ in range(int.from_bytes(self._data[self._at : at], "big")):
            name, size = _ATTRIBUTE.unpack_from(self._data, at)
            at += 6 + size
            found[self._text(name)] = self._data[at - size : at]
        if at > len(self._data):
            raise ClassFormatError("the class file is cut off")
        return found

    def _index_of(self, constant: bytes) -> bytes:
        """Return the two bytes that name a constant of the pool; none if the constant is missing."""
        place = self._data.find(constant, 0, self._at)
        while place >= 0:
            with suppress(ValueError):  # such bytes within another constant
                return self._places.index(place).to_bytes(2, "big")
            place = self._data.find(constant, place + 1, self._at)
        return b""

    def _class(self, index: int) -> str:
        place = self._places[index]
        if self._data[place] != _CLASS:
            raise ClassFormatError(f"constant {index} is not a class")
        return self._text(int.from_bytes(self._data[place + 1 : place + 3], "big"))

    def _text(self, index: int) -> str:
        text = self._texts.get(index)
        if text is None:
            place = self._places[index]
            if self._data[place] != _TEXT:
                raise ClassFormatError(f"constant {index} is not a text")
            end = place + 3 + int.from_bytes(self._data[place + 1 : place + 3], "big")
            # Thousands of classes share few names and descriptors; only a plain str can be interned.
            text = self._texts[index] = intern(str(decode(self._data[place + 3 : end])))
        return text


def _constants(data: bytes) -> tuple[list[int], int]:
    """Return the offset of each constant (0 where there is none), and the offset behind the pool."""
    count = int.from_bytes(data[8:10], "big")
    places = [0] * count
    sizes = _SIZES
    at, index = 10, 1
    while index < count:
        places[index] = at
        tag = data[at]
        if tag == _TEXT:
            at += 3 + (data[at + 1] << 8 | data[at + 2])
        else:
            size = sizes[tag]
            if not size:
                raise ClassFormatError(f"unknown constant kind {tag} in the constant pool")
            at += size
            if tag in (_LONG, _DOUBLE):
                index += 1
        index += 1
    return places, at
