"""Writing a class without some of its parts (see core/model/rules/README.md).

The result is well-formed whatever is left out; whether it verifies and links is the model's business. A missing but
used entry of BootstrapMethods gets a number behind the end of the table, so that the JVM refuses the class.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Protocol

from core.classfile.class_file import ClassFile, Field, Method
from core.classfile.descriptors import element_class, erased
from core.classfile.flags import ANNOTATION, ENUM, FINAL
from core.classfile.format_error import ClassFormatError, reading
from core.classfile.pool import DYNAMICS, NAME_AND_TYPE
from core.classfile.symbolic.compaction import Moving, Numbering
from core.classfile.symbolic.decoding import Decoder, PieceOwner, Place
from core.classfile.symbolic.fact_kinds import FactKind, added_index
from core.classfile.symbolic.part_kinds import Part, PartKind
from core.classfile.symbolic.pieces import Choice, Fact, Facts, Leaf, Piece, Row, Table
from core.parts.code_part import READERS_OF_PARTS

_OBJECT = "java/lang/Object"
_ANNOTATION = "java/lang/annotation/Annotation"


class World(Protocol):
    """The other classes, as far as a class depends on them."""

    def holds(self, fact: Fact) -> bool:
        """Return True if a fact holds: the class of a name is kept, or what a :class:`FactKind` of the world says."""

    def super_constructor(self, class_name: str) -> str:
        """Return the descriptor of a constructor of the superclass ``class_name`` that is kept and accessible."""


class Rewriter:
    """A writer of one class, again and again, each time with other parts.

    ``cf`` must be as it was parsed, ``parts`` the result of :func:`core.parts.parts.parts` for it. Raises
    :class:`ClassFormatError` when an attribute is damaged.
    """

    def __init__(self, cf: ClassFile, parts: Sequence[Part]) -> None:
        self.name = cf.name
        self.data = cf.data
        self._superclass = cf.superclass
        with reading("an attribute"):
            self._build(cf, parts)

    def write(self, kept: int, world: World, *, halts: bool = False) -> bytes:
        """Return the class with the parts in ``kept``; a part counts only if its parent is in it too.

        A piece without a part in the granularity goes when its named class or member is gone from ``world``. The very
        bytes that were read if nothing of the class changes. The same choice and the same answers of ``world`` give the
        same bytes. ``halts``: the virtual machine ends where code was. Raises :class:`ClassFormatError` in the
        rare case of a constant pool too full for the additions.
        """
        gone = {fact for fact in self.outside if not world.holds(fact)}
        numbering = Numbering(self._constants, self._retyped(gone))
        superclass = self._superclass if self._super_there(kept) else _OBJECT

        @cache
        def super_call() -> tuple[int, str] | None:
            if superclass is None:
                return None
            descriptor = "()V" if superclass == _OBJECT else world.super_constructor(superclass)
            return numbering.method(superclass, "<init>", descriptor), descriptor

        choice = Choice(kept, gone, numbering, super_call, halts)
        if kept & self._root.bits == self._root.bits and not choice.gone:
            return self.data
        choice.gone.update([fact for fact, holds in self._inside if not holds(choice)])
        choice.gone.add((FactKind.UNTOUCHED,))
        return self._written(choice, numbering)

    def _written(self, choice: Choice, numbering: Numbering) -> bytes:
        out: list[Piece] = []
        self._root.emit(choice, out)
        numbering.use(out)
        numbers = numbering.numbers
        self._number_rows(choice, numbers)
        pool = numbering.write(self._narrow)
        return b"".join([self.data[:8], pool, *[piece.numbered(numbers) for piece in out]])

    def _number_rows(self, choice: Choice, numbers: dict[Fact, bytes]) -> None:
        """Set the new numbers of bootstrap methods, and of interfaces and thrown classes if annotations tell them."""
        for moving, rows in self._moving:
            number = 0
            staying = [row.stays(choice) for row in rows]
            behind = sum(staying)
            for index, stays in enumerate(staying):
                numbers[(*moving, index)] = (number if stays else behind).to_bytes(2, "big")
                number += stays

    def _retyped(self, gone: set[Fact]) -> dict[int, str]:
        """Return the new descriptors of NameAndType constants."""
        lost = {fact[1] for fact in gone if isinstance(fact, tuple) and fact[0] is FactKind.TYPE}
        if not lost:
            return {}
        return {
            place: erased(text, lost.__contains__)
            for place, (text, names) in self._typed.items()
            if not names.isdisjoint(lost)
        }

    def _super_there(self, kept: int) -> bool:
        return kept & self._super_bit == self._super_bit

    def _build(self, cf: ClassFile, parts: Sequence[Part]) -> None:
        decoder = Decoder(cf, parts, READERS_OF_PARTS)
        self._constants, self._narrow = decoder.constants, decoder.narrow
        self._super_bit = decoder.bit(PartKind.SUPERCLASS)
        superclass = Leaf(
            decoder.piece(cf._super.to_bytes(2, "big"), (0,)),
            self._super_bit,
            instead=lambda choice: added_index(choice.added.class_(_OBJECT)),
        )
        if self._super_bit:
            decoder.local[FactKind.SUPERCLASS,] = lambda choice: self._super_there(choice.kept)
        interfaces = [
            Row([decoder.leaf(index.to_bytes(2, "big"), (0,))], decoder.bit(PartKind.INTERFACE, index=number))
            for number, index in enumerate(cf._interfaces)
        ]
        decoder.moving[Moving.INTERFACE, -1] = interfaces
        for number, row in enumerate(interfaces):
            decoder.local[FactKind.INTERFACE, number] = row.stays
        fields = [_field(decoder, number, field) for number, field in enumerate(cf.fields)]
        methods = [_method(decoder, number, method) for number, method in enumerate(cf.methods)]
        attributes = decoder.table(cf.attributes.indexed_rows(), PieceOwner(Place.CLASS, -1, -1))
        head = _flagged(
            lambda access: decoder.piece(struct.pack(">HH", access, cf._this), (2,)), cf.access, _nature(decoder)
        )
        tables = (Table(interfaces), Table(fields), Table(methods), attributes)
        self._root = Row([head, superclass, *tables])
        self._inside = [(fact, holds) for fact, holds in decoder.local.items() if fact in self._root.facts]
        known = {fact for fact, _ in self._inside}
        local = (
            FactKind.SUPERCLASS,
            FactKind.INTERFACE,
            FactKind.FIELD,
            FactKind.SIGNATURE,
            FactKind.THROWS,
            FactKind.UNTOUCHED,
        )
        outside = [
            fact
            for fact in self._root.facts
            if fact not in known and not (isinstance(fact, tuple) and fact[0] in local)
        ]
        self._typed = _typed(decoder)
        typed = [(FactKind.TYPE, name) for _, names in self._typed.values() for name in names]
        self.outside = tuple(dict.fromkeys((*outside, *typed, *self._leftovers())))
        """Questions to a world, in no particular order: names of classes, and tuples that begin with
        ``FactKind.PERMITTED``, ``NEST``, ``METHOD``, ``NATURE``, ``TYPE``, ``VARIABLE`` or ``PACKAGE``. If a
        constructor loses its code, the world is also asked for a constructor of the superclass."""
        self._moving = self._moving_rows(decoder)

    def _leftovers(self) -> list[str]:
        """Return the classes that only the pool names: javac leaves the owners of inlined constants. Without them tools
        that read the whole pool would find names of missing classes."""
        numbering = Numbering(self._constants)
        numbering.use([Piece.join(self._root.pieces())])
        names = [element_class(name) for name in numbering.unused_classes()]
        return [name for name in names if name is not None]

    def _moving_rows(self, decoder: Decoder) -> list[tuple[tuple[Moving, int], Sequence[Row]]]:
        """Return the tables whose rows something refers to by number. Checks that all numbers are those of rows."""
        for constant in decoder.constants.pool:
            if constant is not None and constant[0] in DYNAMICS:
                decoder.referred.add((Moving.BOOTSTRAP, -1, constant[1]))
        for kind, method, number in decoder.referred:
            if number >= len(decoder.moving.get((kind, method), ())):
                raise ClassFormatError(f"something refers to the {kind.value} entry {number}, which there is not")
        needed = {(kind, method) for kind, method, _ in decoder.referred}
        return [(table, rows) for table, rows in decoder.moving.items() if table in needed]


def _field(decoder: Decoder, number: int, field: Field) -> Row:
    part = decoder.number(PartKind.FIELD, -1, number)
    flags = [(decoder.bit(PartKind.FINAL, part), FINAL), *_nature(decoder)]
    head = _flagged(lambda access: _head(decoder, field, access), field.access, flags)
    attributes = decoder.table(field.attributes.indexed_rows(), PieceOwner(Place.FIELD, number, part))
    descriptor = decoder.descriptor(field._descriptor_index)
    row = Row([head, descriptor, attributes], decoder.bit(PartKind.FIELD, index=number))
    decoder.local[FactKind.FIELD, field.name_text, field.descriptor_text] = row.stays
    return row


def _method(decoder: Decoder, number: int, method: Method) -> Row:
    part = decoder.number(PartKind.METHOD, -1, number)
    attributes = decoder.table(method.attributes.indexed_rows(), PieceOwner(Place.METHOD, number, part))
    head = Leaf(_head(decoder, method, method.access))
    descriptor = decoder.descriptor(method._descriptor_index)
    return Row([head, descriptor, attributes], decoder.bit(PartKind.METHOD, index=number))


def _head(decoder: Decoder, member: Field | Method, access: int) -> Piece:
    """Access flags and name."""
    return decoder.piece(struct.pack(">HH", access, member._name_index), (2,))


def _typed(decoder: Decoder) -> dict[int, tuple[str, Facts]]:
    """Return the NameAndType constants whose descriptors name classes, by their places: the descriptor and these."""
    found = {}
    for place, constant in enumerate(decoder.constants.pool):
        if constant is not None and constant[0] == NAME_AND_TYPE:
            names = decoder.types(constant[2])
            if names:
                found[place] = decoder.cf.constants.text(constant[2]), names
    return found


def _nature(decoder: Decoder) -> list[tuple[int, int]]:
    """Return the part that makes a class an enum or annotation type, with its flag."""
    cf = decoder.cf
    if cf.access & ENUM:
        return [(decoder.bit(PartKind.SUPERCLASS), ENUM)]
    if cf.access & ANNOTATION and _ANNOTATION in cf.interface_names:
        return [(decoder.bit(PartKind.INTERFACE, index=cf.interface_names.index(_ANNOTATION)), ANNOTATION)]
    return []


def _flagged(made: Callable[[int], Piece], access: int, flags: Iterable[tuple[int, int]]) -> Leaf:
    """Return a class or member with its access flags at the start, some of which go with a part. ``flags`` are masks of
    parts and their flags, ``made`` makes the piece with other access flags."""
    going = [(bit, flag) for bit, flag in flags if bit and access & flag]

    def instead(choice: Choice) -> Piece:
        return made(access & ~sum(flag for bit, flag in going if not choice.kept & bit))

    return Leaf(made(access), sum(bit for bit, _ in going), instead=instead if going else None)
