"""The attributes of classes, fields, methods and record components (JVMS 4.7), as trees of pieces.

Each reader gives the places of pool indexes, and the removable pieces with their conditions: a part, if the granularity
has one for the piece, or else the named classes. Attributes outside ``READERS`` are unknown: unless they are empty,
they are dropped from a rewritten class, for nobody can tell indexes from numbers in them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from contextlib import suppress
from functools import partial

from core.classfile import annotations as kinds
from core.classfile.annotations import Annotation, default_places, read
from core.classfile.flags import ANNOTATION, ENUM
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import class_of, generic_use
from core.classfile.signatures import ClassSignature, TypeParameter, class_names, class_signature
from core.classfile.symbolic.code_pieces import CODE_READERS, read_code
from core.classfile.symbolic.compaction import Moving
from core.classfile.symbolic.decoding import Decoder, FactKind, PieceOwner, Place, Reader, bare
from core.classfile.symbolic.module_pieces import MODULE_READERS
from core.classfile.symbolic.part_kinds import PartKind
from core.classfile.symbolic.pieces import Attribute, Choice, Either, Fact, Leaf, Node, Piece, Row, Table, literal
from core.classfile.tables import bootstraps, enclosing_method, exactly

_U2 = struct.Struct(">H")
_NONE: frozenset[Fact] = frozenset()
_OBJECT, _ANNOTATION = "Ljava/lang/Object;", "java/lang/annotation/Annotation"
_NATURES = ANNOTATION | ENUM
_SUPERTYPE, _THROWS, _SUPERCLASS = 0x10, 0x17, 0xFFFF  # type annotations: kinds of targets, number of the superclass


def _index(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    """Return one index: ConstantValue, ModuleTarget."""
    return Attribute(name, [decoder.leaf(exactly(data, 2, "with one index"), (0,))])


def _source_file(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    return Attribute(name, [decoder.leaf(exactly(data, 2, "SourceFile"), (0,))], decoder.lines)


def _source_debug(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    return Attribute(name, [Leaf(Piece(data))], decoder.lines)


def _method_parameters(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    if len(data) != 1 + 4 * data[0]:
        raise ClassFormatError("the attribute MethodParameters does not have the length that its count tells")
    return Attribute(name, [decoder.leaf(data, range(1, len(data), 4))])


def _exceptions(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows = []
    for index, data_row in enumerate(decoder.rows(data, 2, "Exceptions")):
        row = decoder.class_row(data_row, decoder.bit(PartKind.THROWS, owner.part, index), None)
        decoder.local[FactKind.THROWS, owner.element, index] = row.stays
        rows.append(row)
    decoder.moving[Moving.THROWS, owner.element] = rows
    table = Table(rows)
    return Attribute(name, [table], tables=[table])


def _inner_classes(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows, class_name = [], decoder.cf.constants.class_name
    for index, row in enumerate(decoder.rows(data, 8, "InnerClasses")):
        inner, outer = struct.unpack_from(">HH", row)
        names = {class_name(inner), class_name(outer)} if outer else {class_name(inner)}
        bit = decoder.bit(PartKind.INNER, index=index)
        told: Node = decoder.leaf(row, (0, 2, 4))
        access = int.from_bytes(row[6:], "big")
        if access & _NATURES:  # compilers believe the row, not the class
            plain = decoder.piece(row[:6] + (access & ~_NATURES).to_bytes(2, "big"), (0, 2, 4))
            told = Either(told.whole, plain, facts=frozenset(((FactKind.NATURE, class_name(inner)),)))
        rows.append(Row([told], bit, _NONE if bit else decoder.others(names)))
    table = Table(rows)
    return Attribute(name, [table], tables=[table])


def _bootstrap_methods(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows, at = [], 2
    for index, found in enumerate(bootstraps(decoder.cf)):
        end = at + 4 + 2 * len(found.arguments)
        row = decoder.leaf(data[at:end], (0, *range(4, end - at, 2)))
        rows.append(Row([row], decoder.bit(PartKind.BOOTSTRAP, index=index)))
        at = end
    decoder.moving[Moving.BOOTSTRAP, -1] = rows
    table = Table(rows)
    return Attribute(name, [table], tables=[table])


def _enclosing_method(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    enclosing = enclosing_method(decoder.cf)
    assert enclosing is not None  # it is being read
    method = frozenset(((FactKind.METHOD, *enclosing),)) if enclosing[1] is not None else _NONE
    bit = decoder.bit(PartKind.ENCLOSING)
    # Without the method the class still stands in its outer class, as one of an initialiser does.
    inside = Either(decoder.piece(data[2:], (0,)), Piece(b"\0\0"), facts=method)
    needs = _NONE if bit else decoder.others(enclosing[:1])
    return Attribute(name, [decoder.leaf(data[:2], (0,)), inside], bit, needs)


def _nest_host(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    row = decoder.class_row(exactly(data, 2, "NestHost"), decoder.bit(PartKind.NEST), None)
    return Attribute(name, row.children, row.bit, row.needs)


def _nest_members(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows = decoder.rows(data, 2, "NestMembers")
    table = Table([decoder.class_row(row, 0, lambda member: (FactKind.NEST, member)) for row in rows])
    return Attribute(name, [table], tables=[table])


def _permitted_subclasses(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows = decoder.rows(data, 2, "PermittedSubclasses")
    table = Table([decoder.class_row(row, 0, lambda child: (FactKind.PERMITTED, child)) for row in rows])
    return Attribute(name, [table], decoder.bit(PartKind.SEALED), tables=[table])


def _record(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows, at, text = [], 2, decoder.cf.constants.text
    for index in range(_U2.unpack_from(data)[0]):
        field, descriptor = struct.unpack_from(">HH", data, at)
        component = PieceOwner(Place.COMPONENT, index, decoder.number(PartKind.COMPONENT, -1, index))
        head = Row([decoder.leaf(data[at : at + 2], (0,)), decoder.descriptor(descriptor)])
        table, at = decoder.nested(data, at + 4, component)
        needs: frozenset[Fact] = frozenset(((FactKind.FIELD, text(field), text(descriptor)),))
        rows.append(Row([head, table], decoder.bit(PartKind.COMPONENT, index=index), needs))
    if at != len(data):
        raise ClassFormatError("the attribute Record is longer than its content")
    # A record without components is one still; a class that no longer extends Record is none.
    return Attribute(name, [Table(rows)], 0, frozenset(((FactKind.SUPERCLASS,),)))


def _signature(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    """Return the Signature of a field, method or record component, which goes as a whole or stays."""
    bit = decoder.bit(PartKind.SIGNATURE, owner.part)
    index = int.from_bytes(exactly(data, 2, "Signature"), "big")
    needs = _NONE if bit else decoder.generic(index) | decoder.undeclared(decoder.cf.constants.text(index))
    text = decoder.signature(index) if owner.place is not Place.COMPONENT else decoder.leaf(data, (0,))
    attribute = Attribute(name, [text], bit, needs)
    decoder.local[owner.signature] = attribute.stays
    return attribute


class _ClassSignature(Attribute):
    """The signature of a class: written anew when a supertype goes, a named class, or the declaration of a used type
    variable."""

    __slots__ = ("erased", "numbers", "parsed", "text")

    def __init__(self, decoder: Decoder, name: Piece, data: bytes) -> None:
        index = int.from_bytes(exactly(data, 2, "Signature"), "big")
        super().__init__(name, [decoder.leaf(data, (0,))], decoder.bit(PartKind.SIGNATURE))
        cf = decoder.cf
        self.text = cf.constants.text(index)
        self.parsed: ClassSignature | None = None
        self.erased: tuple[str, ...] = ()
        self.numbers: tuple[int, ...] = ()
        with suppress(ClassFormatError):  # the JVM ignores it as well
            parsed = class_signature(self.text)
            names = [class_of(interface) for interface in parsed.interfaces]
            numbers = {name: number for number, name in enumerate(cf.interface_names)}
            # Scala's compiler leaves interfaces out: of a class that has two the signature may name one
            self.numbers = tuple(numbers.get(name, -1) for name in names)
            self.erased = (f"L{cf.superclass};", *(f"L{name};" for name in names))
            self.parsed = parsed
        edges = {(FactKind.SUPERCLASS,), *((FactKind.INTERFACE, index) for index in range(len(cf.interface_names)))}
        self.facts = decoder.generic(index) | edges | (_NONE if self.bit else decoder.undeclared(self.text))

    def stays(self, choice: Choice) -> bool:
        return super().stays(choice) and self.now(choice) is not None

    def now(self, choice: Choice) -> str | None:
        """Return the text that fits ``choice``; None if there is none."""
        gone = choice.gone
        if self.facts.isdisjoint(gone):
            return self.text
        if self.parsed is None:
            return None

        def fitting(place: int, signature: str) -> str:
            # A type argument that is gone leaves the raw type.
            return signature if gone.isdisjoint(_facts(signature)) else self.erased[place]

        superclass, interfaces = self.parsed.superclass, self.parsed.interfaces
        signature = ClassSignature(
            tuple(_bounded(parameter, gone) for parameter in self.parsed.parameters),
            _OBJECT if (FactKind.SUPERCLASS,) in gone else fitting(0, superclass),
            tuple(
                fitting(place, interface)
                for place, (number, interface) in enumerate(zip(self.numbers, interfaces, strict=True), 1)
                if ((FactKind.INTERFACE, number) if number >= 0 else self.erased[place][1:-1]) not in gone
            ),
        )
        text = str(signature)
        return text if gone.isdisjoint(_facts(text)) else None

    def _emit_changed(self, choice: Choice, out: list[Piece]) -> int:
        text = self.now(choice)
        if text == self.text or text is None:
            return super()._emit_changed(choice, out)
        place = Piece(b"\0\0", (0,), (choice.added.text(text),))
        place.uses = 0  # whatever is added stays
        out += (self.name, literal(2, 4), place)
        return 8


def _facts(signature: str) -> set[Fact]:
    """Return the facts without which a signature does not hold: its classes, and the type variables it does not
    declare."""
    return {*class_names(signature), *((FactKind.VARIABLE, name) for name in generic_use(signature).free)}


def _bounded(parameter: TypeParameter, gone: set[Fact]) -> TypeParameter:
    """Return ``parameter`` without the bounds that name something gone."""
    bound = parameter.bound if parameter.bound and gone.isdisjoint(_facts(parameter.bound)) else ""
    interfaces = tuple(bound for bound in parameter.interfaces if gone.isdisjoint(_facts(bound)))
    return TypeParameter(parameter.name, bound or ("" if interfaces else _OBJECT), interfaces)


def _class_signature(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    attribute = _ClassSignature(decoder, name, data)
    decoder.local[owner.signature] = attribute.stays
    return attribute


def _annotations(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner, title: str) -> Attribute:
    """Return annotations of one of the six kinds; those of parameters keep a list for each parameter."""
    tables = []
    for group in read(title, data):
        rows = []
        for annotation in group:
            rows.append(_annotation(decoder, data, annotation, owner))
            owner.annotations += 1
        tables.append(Table(rows))
    content: list[Node] = [*tables]
    if title in kinds.PARAMETER:
        content.insert(0, Leaf(literal(len(tables), 1)))
    # Lists that were empty from the start do not keep the attribute.
    return Attribute(name, content, tables=[table for table in tables if table.children])


def _annotation(decoder: Decoder, data: bytes, annotation: Annotation, owner: PieceOwner) -> Row:
    bit = decoder.bit(PartKind.ANNOTATION, owner.part, owner.annotations)
    start, target = annotation.start, annotation.target
    piece = decoder.piece(data[start : annotation.end], [at - start for at in annotation.places])
    needs: frozenset[Fact] = _NONE
    for at in annotation.types:
        needs |= decoder.types(data[at] << 8 | data[at + 1])
    if bit:
        needs = _NONE
    if target is not None and target.generic:
        needs |= {owner.signature}
    if target is not None and owner.place is Place.CLASS and target.kind == _SUPERTYPE:
        if target.number == _SUPERCLASS:
            needs |= {(FactKind.SUPERCLASS,)}
        else:
            needs |= {(FactKind.INTERFACE, target.number)}
            piece = _moving(decoder, piece, target.at - start, (Moving.INTERFACE, -1, target.number))
    elif target is not None and owner.place is Place.METHOD and target.kind == _THROWS:
        needs |= {(FactKind.THROWS, owner.element, target.number)}
        piece = _moving(decoder, piece, target.at - start, (Moving.THROWS, owner.element, target.number))
    return Row([Leaf(piece)], bit, needs)


def _moving(decoder: Decoder, piece: Piece, at: int, key: tuple[Moving, int, int]) -> Piece:
    """Return ``piece`` with one more hole at offset ``at``, before all others, for the number of a row."""
    decoder.referred.add(key)
    return Piece(piece.data, [at, *piece.offsets], [key, *piece.keys])


def _annotation_default(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    interfaces = decoder.cf.interface_names
    number = interfaces.index(_ANNOTATION) if _ANNOTATION in interfaces else -1
    needs: frozenset[Fact] = frozenset(((FactKind.INTERFACE, number),)) if number >= 0 else _NONE
    return Attribute(name, [decoder.leaf(data, default_places(data))], 0, needs)


def _annotation_readers(titles: Iterable[str]) -> dict[str, Reader]:
    return {title: partial(_annotations, title=title) for title in sorted(titles)}


_EVERYWHERE = _annotation_readers(kinds.PLAIN | kinds.TYPE)
_MEMBERS: dict[str, Reader] = {**_EVERYWHERE, "Synthetic": bare, "Deprecated": bare, "Signature": _signature}
READERS: dict[Place, dict[str, Reader]] = {
    Place.CLASS: {
        **_MEMBERS,
        **MODULE_READERS,
        "Signature": _class_signature,
        "SourceFile": _source_file,
        "SourceDebugExtension": _source_debug,
        "InnerClasses": _inner_classes,
        "EnclosingMethod": _enclosing_method,
        "BootstrapMethods": _bootstrap_methods,
        "NestHost": _nest_host,
        "NestMembers": _nest_members,
        "PermittedSubclasses": _permitted_subclasses,
        "Record": _record,
        "Scala": bare,
        "ScalaSig": bare,
        "TASTY": bare,
    },
    Place.FIELD: {**_MEMBERS, "ConstantValue": _index},
    Place.METHOD: {
        **_MEMBERS,
        **_annotation_readers(kinds.PARAMETER),
        "Code": read_code,
        "Exceptions": _exceptions,
        "AnnotationDefault": _annotation_default,
        "MethodParameters": _method_parameters,
    },
    Place.CODE: {**CODE_READERS, **_annotation_readers(kinds.TYPE)},
    Place.COMPONENT: {**_EVERYWHERE, "Signature": _signature},
}
"""The reader of each attribute of JVMS 17, by what it belongs to and by its name."""
