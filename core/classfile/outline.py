"""The outline of a class file and the classes that the file mentions, read straight from its bytes.

The classes of a jar are opened by the ten thousand, and most of them are asked for no more than this, which takes two
thirds of the time of a parse (h2: 0.21 s of CPU, 0.33 with :mod:`core.classfile.references`). Nothing is made but what
:class:`Outline` holds; what is the least out of the ordinary is left to :mod:`core.classfile.class_file` and
:mod:`core.classfile.references`, which say what is wrong with it, if anything is.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from sys import intern
from typing import NamedTuple

from core.classfile import descriptors, pool
from core.classfile.annotations import ATTRIBUTES as ANNOTATIONS
from core.classfile.annotations import descriptors as annotation_types
from core.classfile.format_error import ClassFormatError
from core.classfile.generics import signatures
from core.classfile.pool import CLASS, HANDLES, SIZES, UTF8, Texts, decode

_Found = tuple[str, ...]

_MAGIC = b"\xca\xfe\xba\xbe"
_VERSION, _MEMBER, _ATTRIBUTE = struct.Struct(">HH"), struct.Struct(">HHHH"), struct.Struct(">HI")
_SIZE, _U2 = struct.Struct(">I"), struct.Struct(">H")

_BODY, _TYPES, _GENERICS, _SIGNATURE, _ANNOTATION, _RECORD = range(1, 7)
_KINDS = {
    "Code": _BODY,
    "Signature": _SIGNATURE,
    "LocalVariableTable": _TYPES,
    "LocalVariableTypeTable": _GENERICS,
    "Record": _RECORD,
    **dict.fromkeys(ANNOTATIONS, _ANNOTATION),
}
"""Attributes that can name a class beside Class constants, by their names."""

_LENGTHS = [SIZES.get(tag, 0) for tag in range(256)]
_WIDE = (pool.LONG, pool.DOUBLE)


class Outline(NamedTuple):
    """A correct class file, as far as it can be told without its code."""

    name: str
    superclass: str | None
    interfaces: tuple[str, ...]
    access: int
    version: tuple[int, int]
    """Major, minor."""
    fields: int
    methods: int
    mentions: frozenset[str]
    """As :func:`core.classfile.references.references` has them."""


class SharedNames:
    """A cache of the classes that constants of a jar's class files name, by the bytes of a Utf8 constant, its tag and
    length included."""

    def __init__(self) -> None:
        self.texts: Texts = {}
        """For full parses."""
        self.classes: dict[bytes, _Found] = {}
        self.types: dict[bytes, _Found] = {}
        self.generics: dict[bytes, _Found] = {}
        """Nothing for a signature that breaks its grammar."""

    def of_class(self, raw: bytes) -> _Found:
        """Return the class that a Class constant names, and add the class to the cache. Raise :class:`ClassFormatError`
        for a damaged name, as :meth:`of_type` does."""
        name = descriptors.element_class(_text(raw))
        found = self.classes[raw] = (_shared(name),) if name else ()
        return found

    def of_type(self, raw: bytes) -> _Found:
        """Return the classes in a descriptor, which are learned."""
        text = _text(raw)
        # void.class as the value of an annotation
        found = self.types[raw] = () if text == "V" else tuple(map(_shared, descriptors.class_names(text)))
        return found

    def of_generic(self, raw: bytes) -> _Found:
        """Return the classes in a generic signature, which are learned."""
        text = _text(raw)
        found: _Found = ()
        with suppress(ClassFormatError):
            found = tuple(map(_shared, signatures.class_names(text)))
        self.generics[raw] = found
        return found


def outline(data: bytes, names: SharedNames) -> Outline | None:
    """Return the outline of the class file in ``data``; None where only a full parse can tell it, or that there is
    none.

    ``names``: shared by the classes of a jar.
    """
    try:
        return _OutlineReader(data, names).read()
    except (struct.error, IndexError, ClassFormatError):
        return None


class _OddError(ClassFormatError):
    """Something that is left to a full parse."""


class _OutlineReader:
    __slots__ = ("data", "generics", "kinds", "names", "places", "rows", "tags", "types")

    def __init__(self, data: bytes, names: SharedNames) -> None:
        self.data = data
        self.names = names
        self.kinds: dict[int, int] = {}
        """Of attributes' names, by their places."""
        self.types: set[int] = set()
        """Places of descriptors, and of generic signatures."""
        self.generics: set[int] = set()
        self.rows: tuple[list[bytes], list[bytes]] = ([], [])
        """Of the tables of local variables: rows with descriptors, and with signatures."""

    def read(self) -> Outline:
        data, names = self.data, self.names
        if data[:4] != _MAGIC:
            raise _OddError
        minor, major = _VERSION.unpack_from(data, 4)
        classes, at = self._pool()
        access, this, parent, count = _MEMBER.unpack_from(data, at)
        interfaces = struct.unpack_from(f">{count}H", data, at + 8)
        fields, at = self._members(at + 8 + 2 * count)
        methods, at = self._members(at)
        if self._attributes(at + 2, _U2.unpack_from(data, at)[0], len(data)) != len(data):
            raise _OddError
        name = self._class(this)
        if not name or name[0] == "[":
            raise _OddError
        for rows, places in zip(self.rows, (self.types, self.generics), strict=True):
            if rows:  # five numbers each, of which it is the fourth
                places.update(_numbers(rows)[3::5])
        mentions = {
            *self._found(classes, names.classes, names.of_class),
            *self._found(self.types, names.types, names.of_type),
            *self._found(self.generics, names.generics, names.of_generic),
        }
        mentions -= {name, ""}
        superclass = self._class(parent) if parent else None
        supers = tuple(map(self._class, interfaces))
        return Outline(name, superclass, supers, access, (major, minor), fields, methods, frozenset(mentions))

    def _pool(self) -> tuple[tuple[int, ...], int]:
        """Read the pool: the places of names of Class constants, and the offset behind the pool."""
        data, lengths = self.data, _LENGTHS
        left = (data[8] << 8 | data[9]) - 1
        if left < 0:
            raise _OddError
        places = [0]  # what stands there is no tag
        found: list[list[bytes]] = [[] for _ in range(max(SIZES) + 1)]
        append = places.append
        at = 10
        while left > 0:
            left -= 1
            append(at)
            tag = data[at]
            if tag == UTF8:
                at += 3 + (data[at + 1] << 8 | data[at + 2])
                continue
            length = lengths[tag]
            if not length:
                raise _OddError
            found[tag].append(data[at + 1 : at + length])
            at += length
            if tag in _WIDE:
                append(0)
                left -= 1
        if left or at > len(data):
            raise _OddError
        tags = self.tags = bytes(map(data.__getitem__, places))
        append(at)  # where a text ends the next constant begins
        self.places = places
        classes = _numbers(found[CLASS])
        types, pairs = _numbers(found[pool.METHOD_TYPE]), _numbers(found[pool.NAME_AND_TYPE])
        self._all(
            (*classes, *types, *pairs, *_numbers(found[pool.STRING] + found[pool.MODULE] + found[pool.PACKAGE])), UTF8
        )
        uses = _numbers(found[pool.FIELD_REF] + found[pool.METHOD_REF] + found[pool.INTERFACE_METHOD_REF])
        self._all(uses[::2], CLASS)
        self._all(uses[1::2] + _numbers(found[pool.DYNAMIC] + found[pool.INVOKE_DYNAMIC])[1::2], pool.NAME_AND_TYPE)
        for kind, high, low in found[pool.METHOD_HANDLE]:
            if tags[high << 8 | low] not in HANDLES.get(kind, ()):
                raise _OddError
        self.types.update(types, pairs[1::2])
        return classes, at

    def _all(self, places: Iterable[int], tag: int) -> None:
        """Ensure that there are constants of that kind, and no others, in these places."""
        if not {tag}.issuperset(map(self.tags.__getitem__, places)):
            raise _OddError

    def _members(self, at: int) -> tuple[int, int]:
        """Return the number of fields or methods, and the offset behind them."""
        data, unpack, attributes = self.data, _MEMBER.unpack_from, self._attributes
        (count,) = _U2.unpack_from(data, at)
        at += 2
        texts = []
        for _ in range(count):
            _, name, descriptor, rows = unpack(data, at)
            texts.append(name)
            self.types.add(descriptor)
            at += 8
            if rows:
                at = attributes(at, rows, len(data))
        self._all(texts, UTF8)
        return count, at

    def _attributes(self, at: int, count: int, end: int, inside: bool = False) -> int:
        """Note the classes that attributes name beside Class constants, and return the offset behind them. ``inside``:
        of code."""
        data, known, unpack = self.data, self.kinds.get, _ATTRIBUTE.unpack_from
        for _ in range(count):
            name, size = unpack(data, at)
            start = at + 6
            at = start + size
            if at > end:
                raise _OddError
            kind = known(name)
            if kind is None:
                kind = self.kinds[name] = _KINDS.get(_text(self._raw(name)), 0)
            if not kind:
                continue
            if kind == _BODY:
                behind = start + 8 + _SIZE.unpack_from(data, start + 4)[0]
                behind += 4 + 8 * (data[behind] << 8 | data[behind + 1])
                rows = data[behind - 2] << 8 | data[behind - 1]
                if inside or behind > at or (self._attributes(behind, rows, at, True) if rows else behind) != at:
                    raise _OddError
            elif kind <= _GENERICS:
                if size != 2 + 10 * (data[start] << 8 | data[start + 1]):
                    raise _OddError
                self.rows[kind == _GENERICS].append(data[start + 2 : at])
            elif kind == _SIGNATURE:
                if size != 2:
                    raise _OddError
                self.generics.add(data[start] << 8 | data[start + 1])
            elif kind == _ANNOTATION:
                self.types.update(annotation_types(_text(self._raw(name)), data[start:at]))
            elif inside or self._record(start, at) != at:
                raise _OddError
        return at

    def _record(self, at: int, end: int) -> int:
        """Return the record components: name, descriptor, attributes."""
        data = self.data
        (count,) = _U2.unpack_from(data, at)
        at += 2
        for _ in range(count):
            _, descriptor, rows = struct.unpack_from(">HHH", data, at)
            self.types.add(descriptor)
            at = self._attributes(at + 6, rows, end, True)
        return at

    def _found(
        self, places: Collection[int], known: dict[bytes, _Found], learn: Callable[[bytes], _Found]
    ) -> Iterator[str]:
        """Yield the classes that the texts in these places name."""
        data, starts, get = self.data, self.places, known.get
        found = [get(data[starts[place] : starts[place + 1]]) for place in places]
        if None in found:
            for number, place in enumerate(places):
                if found[number] is None:
                    found[number] = learn(data[starts[place] : starts[place + 1]])
        return chain.from_iterable(found)  # type: ignore[arg-type]  # None has gone

    def _class(self, place: int) -> str:
        at = self.places[place]
        if self.data[at] != CLASS:
            raise _OddError
        return _shared(_text(self._raw(self.data[at + 1] << 8 | self.data[at + 2])))

    def _raw(self, place: int) -> bytes:
        """Return the bytes of what shall be a text."""
        return self.data[self.places[place] : self.places[place + 1]]


def _text(raw: bytes) -> str:
    if raw[0] != UTF8:
        raise _OddError
    return decode(raw[3:])


def _shared(name: str) -> str:
    """Return the one object for that name: a process sends it to another one once, and finds it sooner."""
    return intern(name) if type(name) is str else name


def _numbers(pieces: list[bytes]) -> tuple[int, ...]:
    joined = b"".join(pieces)
    return struct.unpack(f">{len(joined) // 2}H", joined)
