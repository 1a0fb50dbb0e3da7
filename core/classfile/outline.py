"""The outline of a class file and the classes that the file mentions, anywhere, read straight from its bytes.

The classes of a jar are opened by the ten thousand, and most of them are asked for no more than this. Instructions,
frames, handlers and most attributes name classes by Class constants; the rest hides in descriptors, generic signatures
and annotations. As in J-Reduce every mention counts, also one that the JVM would never follow.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import suppress
from itertools import chain
from sys import intern
from typing import NamedTuple

from core.classfile import descriptors, signatures
from core.classfile.annotations import ATTRIBUTES as ANNOTATIONS
from core.classfile.annotations import descriptors as annotation_types
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, Raw, Texts, decode, raw_pool

_Found = tuple[str, ...]

_MAGIC = b"\xca\xfe\xba\xbe"
MEMBER, ATTRIBUTE = struct.Struct(">HHHH"), struct.Struct(">HI")
"""Flags, name, descriptor and number of attributes of a member; name and length of an attribute."""
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
    """All other classes that it mentions."""


class _Learnt(dict[Raw, _Found]):
    """The classes that a constant names, by the bytes of the Utf8 constant with tag and length. A missing key is
    computed once. Raise :class:`ClassFormatError`."""

    def __init__(self, names_in: Callable[[str], Iterable[str]]) -> None:
        self._names_in = names_in

    def __missing__(self, raw: Raw) -> _Found:
        found = self[raw] = tuple(map(_shared, self._names_in(_text(raw))))
        return found


def _in_type(text: str) -> Iterable[str]:
    return () if text == "V" else descriptors.class_names(text)  # void.class as the value of an annotation


def _in_generic(text: str) -> Iterable[str]:
    """Nothing for a signature that breaks its grammar."""
    with suppress(ClassFormatError):
        return tuple(signatures.class_names(text))
    return ()


class SharedNames:
    """A cache of the classes that constants of a jar's class files name."""

    def __init__(self) -> None:
        self.texts = Texts()
        """For full parses."""
        self.classes = _Learnt(lambda text: filter(None, [descriptors.element_class(text)]))
        self.types, self.generics = _Learnt(_in_type), _Learnt(_in_generic)


def references(data: bytes) -> frozenset[str]:
    """Return the internal names of all classes that a class file mentions, itself left out; see :func:`outline`."""
    return outline(data, SharedNames()).mentions


def outline(data: bytes, names: SharedNames) -> Outline:
    """Return the outline of the class file in ``data``. ``names``: shared by the classes of a jar.

    Raises :class:`ClassFormatError` for a damaged class file, also if an attribute with names of classes is damaged.
    Only a generic signature that breaks its grammar is passed over, as by the JVM: obfuscators like to damage them.
    """
    try:
        return _OutlineReader(data, names).read()
    except (struct.error, IndexError, ClassFormatError) as error:
        from core.classfile.class_file import parse  # loads jawa, which a start of the command line need not wait for

        parse(data, names.texts)  # says what is wrong, if it finds anything
        raise ClassFormatError(
            str(error) if isinstance(error, ClassFormatError) else "an attribute is cut off"
        ) from error


class _OutlineReader:
    """A class file with the offsets of its constants, and what was found in it so far."""

    __slots__ = ("data", "generics", "kinds", "names", "places", "pool", "rows", "types")

    def __init__(self, data: bytes, names: SharedNames) -> None:
        """Find the constants."""
        if data[:4] != _MAGIC:
            raise ClassFormatError("the first four bytes are not those of a class file")
        self.data, self.names = data, names
        self.pool = raw_pool(data, 8)
        self.places = self.pool.constants
        self.kinds: dict[int, int] = {}
        """Of attributes' names, by their places."""
        self.types = set(self.pool.descriptors)
        """Places of descriptors, and of generic signatures."""
        self.generics: set[int] = set()
        self.rows: tuple[list[bytes], list[bytes]] = ([], [])
        """Of the tables of local variables: rows with descriptors, and with signatures."""

    def text(self, place: int) -> str:
        """Return a text."""
        return _text(self.places[place])

    def class_name(self, place: int) -> str:
        """Return the name in the constant of a class."""
        constant = self.places[place]
        if constant is None or constant[0] != CLASS:
            raise ClassFormatError(f"constant {place} is not a class")
        return self.text(constant[1])

    def read(self) -> Outline:
        data, names, at = self.data, self.names, self.pool.end
        minor, major = struct.unpack_from(">HH", data, 4)
        access, this, parent, count = MEMBER.unpack_from(data, at)
        interfaces = struct.unpack_from(f">{count}H", data, at + 8)
        fields, at = self._members(at + 8 + 2 * count)
        methods, at = self._members(at)
        if self._attributes(at + 2, _U2.unpack_from(data, at)[0], len(data)) != len(data):
            raise ClassFormatError("there are bytes behind the end of the class")
        name = _shared(self.class_name(this))
        if not name or name[0] == "[":
            raise ClassFormatError(f"{name!r} is no name for a class")
        for rows, places in zip(self.rows, (self.types, self.generics), strict=True):
            if rows:  # five numbers each, of which it is the fourth
                places.update(_numbers(rows)[3::5])
        mentions = {
            *self._found(self.pool.classes, names.classes),
            *self._found(self.types, names.types),
            *self._found(self.generics, names.generics),
        }
        mentions -= {name, ""}
        superclass = _shared(self.class_name(parent)) if parent else None
        supers = tuple([_shared(self.class_name(each)) for each in interfaces])
        return Outline(name, superclass, supers, access, (major, minor), fields, methods, frozenset(mentions))

    def _members(self, at: int) -> tuple[int, int]:
        """Return the number of fields or methods, and the offset behind them."""
        data, unpack, attributes = self.data, MEMBER.unpack_from, self._attributes
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
        if not {bytes}.issuperset(map(type, map(self.places.__getitem__, texts))):
            raise ClassFormatError("a name is not a text")
        return count, at

    def _attributes(self, at: int, count: int, end: int, inside: bool = False) -> int:
        """Note the classes that attributes name beside Class constants, and return the offset behind them. ``inside``:
        of code."""
        data, known, unpack = self.data, self.kinds.get, ATTRIBUTE.unpack_from
        for _ in range(count):
            name, size = unpack(data, at)
            start = at + 6
            at = start + size
            if at > end:
                raise ClassFormatError("an attribute is cut off")
            kind = known(name)
            if kind is None:
                kind = self.kinds[name] = _KINDS.get(self.text(name), 0)
            if not kind:
                continue
            if kind == _BODY:
                behind = start + 8 + _SIZE.unpack_from(data, start + 4)[0]
                behind += 4 + 8 * (data[behind] << 8 | data[behind + 1])
                rows = data[behind - 2] << 8 | data[behind - 1]
                if inside or behind > at or (self._attributes(behind, rows, at, True) if rows else behind) != at:
                    raise ClassFormatError("a Code attribute is longer than its content")
            elif kind <= _GENERICS:
                if size != 2 + 10 * (data[start] << 8 | data[start + 1]):
                    raise ClassFormatError("a table of local variables does not have the length that its count tells")
                self.rows[kind == _GENERICS].append(data[start + 2 : at])
            elif kind == _SIGNATURE:
                if size != 2:
                    raise ClassFormatError("a Signature has more than an index")
                self.generics.add(data[start] << 8 | data[start + 1])
            elif kind == _ANNOTATION:
                self.types.update(annotation_types(self.text(name), data[start:at]))
            elif inside or self._record(start, at) != at:
                raise ClassFormatError("the attribute Record is longer than its content")
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

    def _found(self, places: Collection[int], known: _Learnt) -> Iterator[str]:
        """Return the classes that the texts in these places name."""
        constants = self.places
        return chain.from_iterable([known[constants[place]] for place in places])


def _text(raw: Raw) -> str:
    if not isinstance(raw, bytes):
        raise ClassFormatError("a constant is not a text")
    return decode(raw[3:])


def _shared(name: str) -> str:
    """Return the one object for that name: a process sends it to another one once, and finds it sooner."""
    return intern(name) if type(name) is str else name


def _numbers(pieces: list[bytes]) -> tuple[int, ...]:
    joined = b"".join(pieces)
    return struct.unpack(f">{len(joined) // 2}H", joined)
