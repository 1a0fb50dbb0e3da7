"""A class file read for its outside users: name, hierarchy, members. Twice as fast as a full parse.

A few members of many classes of a library are asked for, so only the facts of :class:`LibraryClass` are decoded; code
and all other attributes are skipped.
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
from core.classfile.outline import ATTRIBUTE, MEMBER, ClassBytes

_EXCEPTIONS, _SIGNATURE = b"\x01\x00\x0aExceptions", b"\x01\x00\x09Signature"
"""The constants that name these attributes of a method."""
_DECLARES = ord("<")
"""First letter of a method's signature that declares type parameters."""

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


class _Skimmer(ClassBytes):
    def __init__(self, data: bytes) -> None:
        super().__init__(data)
        self._texts: dict[int, str] = {}
        self._at = self.places[-1]
        self._thrown: Thrown = {}
        self._generic: Signatures = {}
        self._exceptions, self._signature = self._index_of(_EXCEPTIONS), self._index_of(_SIGNATURE)

    def read(self) -> LibraryClass:
        access, this, parent, count = MEMBER.unpack_from(self.data, self._at)
        interfaces = struct.unpack_from(f">{count}H", self.data, self._at + 8)
        self._at += 8 + 2 * count
        fields = self._members(signed=False)
        methods = self._members(signed=bool(self._signature), all_signed=bool(access & ANNOTATION))
        attributes = self._attributes()
        permitted = attributes.get("PermittedSubclasses", b"")
        signature = attributes.get("Signature")
        return LibraryClass(
            name=self.class_name(this),
            access=access,
            superclass=self.class_name(parent) if parent else None,
            interfaces=tuple(map(self.class_name, interfaces)),
            methods=methods,
            fields=fields,
            permitted=tuple(self.class_name(index) for (index,) in struct.iter_unpack(">H", permitted[2:])),
            is_record="Record" in attributes,
            signature=None if signature is None else self.text(struct.unpack(">H", signature)[0]),
            thrown=self._thrown,
            generic=self._generic,
        )

    def _members(self, *, signed: bool, all_signed: bool = False) -> Members:
        data, texts, exceptions = self.data, self._texts, self._exceptions
        signature = self._signature if signed else None
        at = self._at + 2
        members: Members = {}
        for _ in range(int.from_bytes(data[self._at : at], "big")):
            access, name, descriptor, attributes = MEMBER.unpack_from(data, at)
            at += 8
            key = (texts.get(name) or self.text(name), texts.get(descriptor) or self.text(descriptor))
            for _ in range(attributes):
                if data[at : at + 2] == exceptions:
                    (count,) = struct.unpack_from(">H", data, at + 6)
                    self._thrown[key] = tuple(map(self.class_name, struct.unpack_from(f">{count}H", data, at + 8)))
                elif data[at : at + 2] == signature:
                    index = data[at + 6] << 8 | data[at + 7]
                    if all_signed or data[self.places[index] + 3] == _DECLARES:
                        self._generic[key] = self.text(index)
                at += 6 + int.from_bytes(data[at + 2 : at + 6], "big")
            members[key] = access
        self._at = at
        return members

    def _attributes(self) -> dict[str, bytes]:
        at = self._at + 2
        found = {}
        for _ in range(int.from_bytes(self.data[self._at : at], "big")):
            name, size = ATTRIBUTE.unpack_from(self.data, at)
            at += 6 + size
            found[self.text(name)] = self.data[at - size : at]
        if at > len(self.data):
            raise ClassFormatError("the class file is cut off")
        return found

    def _index_of(self, constant: bytes) -> bytes:
        """Return the two bytes that name a constant of the pool; none if the constant is missing."""
        place = self.data.find(constant, 0, self._at)
        while place >= 0:
            with suppress(ValueError):  # such bytes within another constant
                return self.places.index(place).to_bytes(2, "big")
            place = self.data.find(constant, place + 1, self._at)
        return b""

    def text(self, place: int) -> str:
        found = self._texts.get(place)
        if found is None:
            # Thousands of classes share few names and descriptors; only a plain str can be interned.
            found = self._texts[place] = intern(str(super().text(place)))
        return found
