"""The attributes of classes, fields, methods and record components (JVMS 4.7), as trees of pieces.

Each reader gives the places of pool indexes, and the removable pieces with their conditions: a part, if the granularity
has one for the piece, or else the named classes. Attributes outside ``READERS`` are unknown: unless they are empty,
they are dropped from a rewritten class, for nobody can tell indexes from numbers in them.
"""

from __future__ import annotations

import struct
from contextlib import suppress
from functools import partial

from core.classfile import annotations as kinds
from core.classfile.annotations import Annotation, default_places, read
from core.classfile.flags import ANNOTATION, ENUM
from core.classfile.format_error import ClassFormatError
from core.classfile.generic_use import class_of as class_of_signature
from core.classfile.generic_use import generic_use
from core.classfile.signatures import ClassSignature, TypeParameter, class_names, class_signature
from core.classfile.symbolic.code_pieces import CODE_READERS, read_code
from core.classfile.symbolic.compaction import Moving
from core.classfile.symbolic.decoding import (
    Decoder,
    PieceOwner,
    Place,
    RawAttribute,
    Reader,
    bytes_of,
    class_of,
    classes_of,
    index_of,
)
from core.classfile.symbolic.fact_kinds import FactKind, added_index, fact
from core.classfile.symbolic.module_pieces import MODULE_READERS
from core.classfile.symbolic.part_kinds import PartKind
from core.classfile.symbolic.pieces import (
    NO_FACTS,
    Attribute,
    Choice,
    Fact,
    Facts,
    Leaf,
    Node,
    Piece,
    Row,
    Table,
    literal,
)
from core.classfile.tables import bootstraps, enclosing_method

_U2 = struct.Struct(">H")
_OBJECT, _ANNOTATION = "Ljava/lang/Object;", "java/lang/annotation/Annotation"
_NATURES = ANNOTATION | ENUM
_SUPERTYPE, _THROWS, _SUPERCLASS = 0x10, 0x17, 0xFFFF  # type annotations: kinds of targets, number of the superclass


def _method_parameters(raw: RawAttribute) -> Attribute:
    raw.end(1 + 4 * raw.data[0])
    return raw.of(raw.decoder.leaf(raw.data, range(1, len(raw.data), 4)))


def _exceptions(raw: RawAttribute) -> Attribute:
    decoder, owner, rows = raw.decoder, raw.owner, []
    for index, data_row in enumerate(raw.rows(2)):
        row = decoder.class_row(data_row, decoder.bit(PartKind.THROWS, owner.part, index))
        decoder.local[FactKind.THROWS, owner.element, index] = row.stays
        rows.append(row)
    decoder.moving[Moving.THROWS, owner.element] = rows
    return raw.table(rows)


def _inner_classes(raw: RawAttribute) -> Attribute:
    decoder, rows, class_name = raw.decoder, [], raw.decoder.cf.constants.class_name
    for index, row in enumerate(raw.rows(8)):
        inner, outer = struct.unpack_from(">HH", row)
        names = {class_name(inner), class_name(outer)} if outer else {class_name(inner)}
        bit = decoder.bit(PartKind.INNER, index=index)
        told = decoder.leaf(row, (0, 2, 4))
        access = int.from_bytes(row[6:], "big")
        if access & _NATURES:  # compilers believe the row, not the class
            plain = decoder.piece(row[:6] + (access & ~_NATURES).to_bytes(2, "big"), (0, 2, 4))
            told = Leaf(told.whole, 0, fact(FactKind.NATURE, class_name(inner)), partial(_given, plain))
        rows.append(Row([told], bit, NO_FACTS if bit else decoder.others(names)))
    return raw.table(rows)


def _given(piece: Piece, _: Choice) -> Piece:
    return piece


def _bootstrap_methods(raw: RawAttribute) -> Attribute:
    decoder, rows, at = raw.decoder, [], 2
    for index, found in enumerate(bootstraps(decoder.cf)):
        end = at + 4 + 2 * len(found.arguments)
        row = decoder.leaf(raw.data[at:end], (0, *range(4, end - at, 2)))
        rows.append(Row([row], decoder.bit(PartKind.BOOTSTRAP, index=index)))
        at = end
    decoder.moving[Moving.BOOTSTRAP, -1] = rows
    return raw.table(rows)


def _enclosing_method(raw: RawAttribute) -> Attribute:
    decoder, enclosing = raw.decoder, enclosing_method(raw.decoder.cf)
    assert enclosing is not None  # it is being read
    method = fact(FactKind.METHOD, *enclosing) if enclosing[1] is not None else NO_FACTS
    bit = decoder.bit(PartKind.ENCLOSING)
    # Without the method the class still stands in its outer class, as one of an initialiser does.
    inside = Leaf(decoder.piece(raw.data[2:], (0,)), 0, method, partial(_given, Piece(b"\0\0")))
    needs = NO_FACTS if bit else decoder.others(enclosing[:1])
    return raw.of(decoder.leaf(raw.data[:2], (0,)), inside, bit=bit, needs=needs)


def _record(raw: RawAttribute) -> Attribute:
    decoder, data = raw.decoder, raw.data
    rows, at, text = [], 2, decoder.cf.constants.text
    for index in range(_U2.unpack_from(data)[0]):
        field, descriptor = struct.unpack_from(">HH", data, at)
        component = PieceOwner(Place.COMPONENT, index, decoder.number(PartKind.COMPONENT, -1, index))
        head = Row([decoder.leaf(data[at : at + 2], (0,)), decoder.descriptor(descriptor)])
        table, at = decoder.nested(data, at + 4, component)
        needs = fact(FactKind.FIELD, text(field), text(descriptor))
        rows.append(Row([head, table], decoder.bit(PartKind.COMPONENT, index=index), needs))
    raw.end(at)
    # A record without components is one still; a class that no longer extends Record is none.
    return raw.of(Table(rows), needs=fact(FactKind.SUPERCLASS))


def _signature(raw: RawAttribute) -> Attribute:
    """Return the Signature of a field, method or record component, which goes as a whole or stays."""
    decoder, owner = raw.decoder, raw.owner
    bit = decoder.bit(PartKind.SIGNATURE, owner.part)
    index = int.from_bytes(raw.exactly(2), "big")
    needs = NO_FACTS if bit else decoder.generic(index) | decoder.undeclared(decoder.cf.constants.text(index))
    text = decoder.signature(index) if owner.place is not Place.COMPONENT else decoder.leaf(raw.data, (0,))
    attribute = raw.of(text, bit=bit, needs=needs)
    decoder.local[owner.signature] = attribute.stays
    return attribute


class _ClassSignature(Attribute):
    """The signature of a class: written anew when a supertype goes, a named class, or the declaration of a used type
    variable."""

    __slots__ = ("erased", "numbers", "parsed", "text")

    def __init__(self, raw: RawAttribute) -> None:
        decoder, index = raw.decoder, int.from_bytes(raw.exactly(2), "big")
        super().__init__(raw.name, [decoder.leaf(raw.data, (0,))], decoder.bit(PartKind.SIGNATURE))
        cf = decoder.cf
        self.text = cf.constants.text(index)
        self.parsed: ClassSignature | None = None
        self.erased: tuple[str, ...] = ()
        self.numbers: tuple[int, ...] = ()
        with suppress(ClassFormatError):  # the JVM ignores it as well
            parsed = class_signature(self.text)
            names = [class_of_signature(interface) for interface in parsed.interfaces]
            numbers = {name: number for number, name in enumerate(cf.interface_names)}
            # Scala's compiler leaves interfaces out: of a class that has two the signature may name one
            self.numbers = tuple(numbers.get(name, -1) for name in names)
            self.erased = (f"L{cf.superclass};", *(f"L{name};" for name in names))
            self.parsed = parsed
        edges = {(FactKind.SUPERCLASS,), *((FactKind.INTERFACE, index) for index in range(len(cf.interface_names)))}
        self.facts = decoder.generic(index) | edges | (NO_FACTS if self.bit else decoder.undeclared(self.text))

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
        out += (self.name, literal(2, 4), added_index(choice.added.text(text)))
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


def _class_signature(raw: RawAttribute) -> Attribute:
    attribute = _ClassSignature(raw)
    raw.decoder.local[raw.owner.signature] = attribute.stays
    return attribute


def _annotations(raw: RawAttribute) -> Attribute:
    """Return annotations of one of the six kinds; those of parameters keep a list for each parameter."""
    tables = []
    for group in read(raw.title, raw.data):
        rows = []
        for annotation in group:
            rows.append(_annotation(raw, annotation))
            raw.owner.annotations += 1
        tables.append(Table(rows))
    content: list[Node] = [*tables]
    if raw.title in kinds.PARAMETER:
        content.insert(0, Leaf(literal(len(tables), 1)))
    # Lists that were empty from the start do not keep the attribute.
    return Attribute(raw.name, content, tables=[table for table in tables if table.children])


def _annotation(raw: RawAttribute, annotation: Annotation) -> Row:
    decoder, _, _, data, owner = raw
    bit = decoder.bit(PartKind.ANNOTATION, owner.part, owner.annotations)
    start, target = annotation.start, annotation.target
    piece = decoder.piece(data[start : annotation.end], [at - start for at in annotation.places])
    needs: Facts = NO_FACTS
    for at in annotation.types:
        needs |= decoder.types(data[at] << 8 | data[at + 1])
    if bit:
        needs = NO_FACTS
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


def _annotation_default(raw: RawAttribute) -> Attribute:
    interfaces = raw.decoder.cf.interface_names
    number = interfaces.index(_ANNOTATION) if _ANNOTATION in interfaces else -1
    needs = fact(FactKind.INTERFACE, number) if number >= 0 else NO_FACTS
    return raw.of(raw.decoder.leaf(raw.data, default_places(raw.data)), needs=needs)


_EVERYWHERE: dict[str, Reader] = dict.fromkeys(sorted(kinds.PLAIN | kinds.TYPE), _annotations)
_MEMBERS: dict[str, Reader] = {
    **_EVERYWHERE,
    "Synthetic": bytes_of(),
    "Deprecated": bytes_of(),
    "Signature": _signature,
}
READERS: dict[Place, dict[str, Reader]] = {
    Place.CLASS: {
        **_MEMBERS,
        **MODULE_READERS,
        "Signature": _class_signature,
        "SourceFile": index_of(PartKind.LINES),
        "SourceDebugExtension": bytes_of(PartKind.LINES),
        "InnerClasses": _inner_classes,
        "EnclosingMethod": _enclosing_method,
        "BootstrapMethods": _bootstrap_methods,
        "NestHost": class_of(PartKind.NEST),
        "NestMembers": classes_of(FactKind.NEST),
        "PermittedSubclasses": classes_of(FactKind.PERMITTED, PartKind.SEALED),
        "Record": _record,
        **dict.fromkeys(("Scala", "ScalaSig", "TASTY"), bytes_of()),
    },
    Place.FIELD: {**_MEMBERS, "ConstantValue": index_of()},
    Place.METHOD: {
        **_MEMBERS,
        **dict.fromkeys(sorted(kinds.PARAMETER), _annotations),
        "Code": read_code,
        "Exceptions": _exceptions,
        "AnnotationDefault": _annotation_default,
        "MethodParameters": _method_parameters,
    },
    Place.CODE: {**CODE_READERS, **dict.fromkeys(sorted(kinds.TYPE), _annotations)},
    Place.COMPONENT: {**_EVERYWHERE, "Signature": _signature},
}
"""The reader of each attribute of JVMS 17, by what it belongs to and by its name."""
