"""From the bytes of attributes to the tree of pieces: the common part of the readers of the single attributes."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from core.classfile.class_file import ClassFile
from core.classfile.descriptors import class_names
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import generic_use
from core.classfile.pool import PACKAGE
from core.classfile.signatures import class_names as generic_names
from core.classfile.signatures import erasable
from core.classfile.signatures import erased as erased_signature
from core.classfile.symbolic.compaction import Constants, Moving
from core.classfile.symbolic.fact_kinds import Descriptor, FactKind, fact
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.classfile.symbolic.pieces import NO_FACTS, Attribute, Choice, Fact, Facts, Leaf, Node, Piece, Row, Table
from core.classfile.tables import attribute_rows, counted, exactly

REPEATABLE = frozenset(("LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable"))
"""Attributes that may stand twice in one table (JVMS 4.7)."""

_U2 = struct.Struct(">H")
_FEW = 4  # offsets that take less memory in a tuple than in an array
_EMPTY = Table(())


class Place(Enum):
    """The owners of an attribute, by kind."""

    CLASS = "class"
    FIELD = "field"
    METHOD = "method"
    CODE = "code"
    COMPONENT = "component"


@dataclass(slots=True)
class PieceOwner:
    """The element whose attributes are being read."""

    place: Place
    element: int
    """Number of the field, method or component; -1 for the class."""
    part: int
    """Number of its part; -1 for the class, -2 if it is none."""
    annotations: int = 0
    """Annotations read so far."""
    variables: dict[bytes, int] = field(default_factory=dict)
    """Of code: each row of its LocalVariableTable without the type, and the index of the type."""

    @property
    def signature(self) -> Fact:
        """The fact that it has its generic signature still."""
        return (FactKind.SIGNATURE, self.place, self.element)


def counted_rows(data: bytes, size: int, title: str) -> list[bytes]:
    """Return the rows, ``size`` bytes each, of a counted table that is all of ``data``."""
    counted(data, size, title)
    return [data[at : at + size] for at in range(2, len(data), size)]


class RawAttribute(NamedTuple):
    """An attribute as bytes, with the class around it."""

    decoder: Decoder
    name: Piece
    title: str
    data: bytes
    owner: PieceOwner

    def exactly(self, size: int) -> bytes:
        """Return the content if it has ``size`` bytes."""
        return exactly(self.data, size, self.title)

    def rows(self, size: int) -> list[bytes]:
        """Return the rows, ``size`` bytes each, of a counted table that is the whole content."""
        return counted_rows(self.data, size, self.title)

    def end(self, at: int) -> None:
        """Raise :class:`ClassFormatError` unless the content ends at offset ``at``."""
        if at != len(self.data):
            raise ClassFormatError(f"the attribute {self.title} does not have the length that its counts tell")

    def of(self, *content: Node, bit: int = 0, needs: Facts = NO_FACTS) -> Attribute:
        """Return the attribute with some content; it stays while ``bit`` is kept and none of ``needs`` is gone."""
        return Attribute(self.name, content, bit, needs)

    def table(self, rows: Sequence[Node], bit: int = 0) -> Attribute:
        """Return the attribute as a table that goes with the last of its rows."""
        table = Table(rows)
        return Attribute(self.name, [table], bit, tables=[table])


Reader = Callable[[RawAttribute], Attribute]
"""Reads one attribute."""


class Decoder:
    """One class while its tree is built."""

    def __init__(self, cf: ClassFile, parts: Sequence[Part], readers: Mapping[Place, Mapping[str, Reader]]) -> None:
        self.cf = cf
        self.me = cf.name
        self.methods = list(cf.methods)
        self.constants = Constants(cf.constants.tuples())
        self.local: dict[Fact, Callable[[Choice], bool]] = {}
        """Facts about the class's own parts, each with a function that tells whether it holds."""
        self.narrow: set[int] = set()
        """Constants that an ``ldc`` names with a single byte."""
        self.moving: dict[tuple[Moving, int], Sequence[Row]] = {}
        """Tables whose rows may be referred to by number: kind and method (or -1) to rows."""
        self.referred: set[tuple[Moving, int, int]] = set()
        """References to such rows: kind, method, number of the row."""
        self._readers = readers
        self._numbers = {(part.kind, part.parent, part.index): number for number, part in enumerate(parts)}
        self._types: dict[int, Facts] = {}
        self._names: dict[int, tuple[str, Piece]] = {}
        self.lines, self.variables = self.bit(PartKind.LINES), self.bit(PartKind.VARIABLES)
        """Masks of the parts that stand for debug information, or 0."""

    def number(self, kind: PartKind, parent: int, index: int) -> int:
        """Return the number of a part; -2 if the granularity has no such part."""
        return self._numbers.get((kind, parent, index), -2)

    def bit(self, kind: PartKind, parent: int = -1, index: int = 0) -> int:
        """Mask of a part; 0 if the granularity has no such part."""
        number = self._numbers.get((kind, parent, index))
        return 0 if number is None else 1 << number

    def table(self, rows: Iterable[tuple[int, bytes]], owner: PieceOwner) -> Table:
        """Return a table of attributes from (index of the name, content)."""
        nodes: list[Attribute] = []
        seen = set()
        readers = self._readers[owner.place]
        for index, data in rows:
            name, piece = self.name(index)
            reader = readers.get(name)
            if reader is None:
                # Its bytes may hold indexes that nobody can renumber.
                needs = fact(FactKind.UNTOUCHED) if data else NO_FACTS
                nodes.append(Attribute(piece, [Leaf(Piece(data))], 0, needs))
                continue
            if name in seen and name not in REPEATABLE:
                raise ClassFormatError(f"the attribute {name} stands twice in one table")
            seen.add(name)
            nodes.append(reader(RawAttribute(self, piece, name, data, owner)))
        return Table(nodes) if nodes else _EMPTY

    def name(self, index: int) -> tuple[str, Piece]:
        """Return the name at ``index`` and the shared piece of all attributes of that name."""
        found = self._names.get(index)
        if found is None:
            found = self._names[index] = self.cf.constants.text(index), Piece(b"\0\0", (0,), (index,))
        return found

    def nested(self, data: bytes, at: int, owner: PieceOwner) -> tuple[Table, int]:
        """Return the table of attributes (with its count) at offset ``at``, and the offset behind it."""
        rows, at = attribute_rows(self.cf.constants.text, data, at)
        return self.table(rows, owner), at

    def leaf(self, data: bytes, places: Iterable[int]) -> Leaf:
        """Return the bytes with a pool index, which may be 0, at each of ``places``."""
        return Leaf(self.piece(data, places))

    def piece(self, data: bytes, places: Iterable[int]) -> Piece:
        """Return what :meth:`leaf` does, not yet a node."""
        offsets, keys, check = [], [], self.constants.check
        for at in places:
            index = data[at] << 8 | data[at + 1]
            if index:
                offsets.append(at)
                keys.append(check(index))
        return Piece(data, array("I", offsets) if len(offsets) > _FEW else tuple(offsets), tuple(keys))

    def class_row(self, data: bytes, bit: int = 0, fact: FactKind | None = None) -> Row:
        """Return a row that is one Class index; without a ``bit`` it stays while the class, or its ``fact``, does."""
        name = self.cf.constants.class_name(int.from_bytes(data, "big"))
        return Row(
            [self.leaf(data, (0,))], bit, self.others(((fact, name) if fact else name,)) if not bit else NO_FACTS
        )

    def package(self, index: int) -> Facts:
        """Return the fact that the package at ``index`` is there."""
        constant = self.cf.constants.raw(index)
        if constant[0] != PACKAGE:
            raise ClassFormatError(f"constant {index} is no package")
        return fact(FactKind.PACKAGE, self.cf.constants.text(constant[1]))

    def others(self, facts: Iterable[Fact]) -> Facts:
        """Return ``facts`` without the class itself, which is there while it is written."""
        return frozenset(facts) - {self.me}

    def types(self, index: int) -> Facts:
        """Return the classes in the descriptor at ``index``; ``V`` is allowed, ``void.class`` being a value."""
        found = self._types.get(index)
        if found is None:
            text = self.cf.constants.text(index)
            found = self._types[index] = self.others(() if text == "V" else class_names(text))
        return found

    def descriptor(self, index: int) -> Descriptor:
        """Return the index of a descriptor, with Object in the place of removed classes if the world wants that."""
        text = self.cf.constants.text(index)
        return Descriptor(self.piece(index.to_bytes(2, "big"), (0,)), text, self.typed(self.types(index)))

    def signature(self, index: int) -> Descriptor:
        """Return the index of the generic signature of a field or method, with Object in the place of removed classes
        if the world wants that."""
        text = self.cf.constants.text(index)
        try:
            names = self.others(erasable(text))
        except ClassFormatError:
            names = NO_FACTS  # obfuscated: the JVM passes over it too
        return Descriptor(self.piece(index.to_bytes(2, "big"), (0,)), text, self.typed(names), erased_signature)

    def typed(self, names: Iterable[Fact]) -> Facts:
        """Return the facts that these classes need not become Object."""
        return frozenset((FactKind.TYPE, name) for name in names)

    def undeclared(self, text: str) -> Facts:
        """Return the facts that enclosing declarations declare the free type variables of a generic signature; none if
        it breaks the grammar. Variables of the signature itself or of the class are not free."""
        try:
            free = generic_use(text).free
        except ClassFormatError:
            return NO_FACTS
        return frozenset((FactKind.VARIABLE, name) for name in free if name not in self._declared)

    @cached_property
    def _declared(self) -> tuple[str, ...]:
        """The type parameters of the class."""
        data = self.cf.attributes.raw("Signature")
        try:
            return generic_use(self.cf.constants.text(*_U2.unpack(data))).declared if data is not None else ()
        except ClassFormatError:
            return ()

    def generic(self, index: int) -> Facts:
        """Return the classes in the generic signature at ``index``; none if it breaks the grammar, which the JVM
        ignores too."""
        try:
            return self.others(generic_names(self.cf.constants.text(index)))
        except ClassFormatError:
            self.cf.constants.text(index)  # no text at all is an error
            return NO_FACTS


def bytes_of(part: PartKind | None = None) -> Reader:
    """Return the reader of an attribute without indexes, such as Synthetic or Scala's signatures, which goes with a
    part of the class."""
    return lambda raw: raw.of(Leaf(Piece(raw.data)), bit=raw.decoder.bit(part) if part else 0)


def index_of(part: PartKind | None = None) -> Reader:
    """Return the reader of an attribute that is one index, and goes with a part of the class."""
    return lambda raw: raw.of(raw.decoder.leaf(raw.exactly(2), (0,)), bit=raw.decoder.bit(part) if part else 0)


def class_of(part: PartKind | None = None) -> Reader:
    """Return the reader of an attribute that names one class, and goes with a part or the class."""

    def read(raw: RawAttribute) -> Attribute:
        row = raw.decoder.class_row(raw.exactly(2), raw.decoder.bit(part) if part else 0)
        return raw.of(*row.children, bit=row.bit, needs=row.needs)

    return read


def classes_of(fact: FactKind, part: PartKind | None = None) -> Reader:
    """Return the reader of an attribute that names classes, each for as long as the ``fact`` of the class holds."""

    def read(raw: RawAttribute) -> Attribute:
        rows = [raw.decoder.class_row(row, fact=fact) for row in raw.rows(2)]
        return raw.table(rows, raw.decoder.bit(part) if part else 0)

    return read
