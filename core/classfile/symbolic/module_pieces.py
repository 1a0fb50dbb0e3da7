"""The attributes of module descriptors (JVMS 4.7.25 to 4.7.27, and the JDK's own), as trees of pieces."""

from __future__ import annotations

import struct

from core.classfile.format_error import ClassFormatError
from core.classfile.pool import PACKAGE
from core.classfile.symbolic.decoding import Decoder, FactKind, PieceOwner, Reader, bare
from core.classfile.symbolic.pieces import Attribute, Fact, Node, Piece, Row, Table
from core.classfile.tables import exactly

_U2 = struct.Struct(">H")


def _module(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    """Return a Module: exports and opens go with their package, uses and provides with their classes."""
    end = 8 + 6 * int(_U2.unpack_from(data, 6)[0])
    places = [0, 4, *(at + add for at in range(8, end, 6) for add in (0, 4))]
    content: list[Node] = [decoder.leaf(data[:end], places)]
    at = end
    for _ in ("exports", "opens"):
        rows: list[Node] = []
        (count,) = _U2.unpack_from(data, at)
        at += 2
        for _ in range(count):
            package, _flags, targets = struct.unpack_from(">HHH", data, at)
            end = at + 6 + 2 * targets
            leaf = decoder.leaf(data[at:end], (0, *range(6, end - at, 2)))
            rows.append(Row([leaf], 0, _package(decoder, package)))
            at = end
        content.append(Table(rows))
    (count,) = _U2.unpack_from(data, at)
    uses = [decoder.class_row(data[place : place + 2], 0, None) for place in range(at + 2, at + 2 + 2 * count, 2)]
    content.append(Table(uses))
    at += 2 + 2 * count
    rows = []
    (count,) = _U2.unpack_from(data, at)
    at += 2
    for _ in range(count):
        service = decoder.class_row(data[at : at + 2], 0, None)
        (size,) = _U2.unpack_from(data, at + 2)
        end = at + 4 + 2 * size
        providers = Table([decoder.class_row(data[place : place + 2], 0, None) for place in range(at + 4, end, 2)])
        rows.append(Row([*service.children, providers], 0, service.needs, [providers]))
        at = end
    content.append(Table(rows))
    if at != len(data):
        raise ClassFormatError("the attribute Module does not have the length that its counts tell")
    return Attribute(name, content)


def _packages(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    rows = decoder.rows(data, 2, "ModulePackages")
    table = Table([Row([decoder.leaf(row, (0,))], 0, _package(decoder, int.from_bytes(row, "big"))) for row in rows])
    return Attribute(name, [table], tables=[table])


def _package(decoder: Decoder, index: int) -> frozenset[Fact]:
    constant = decoder.cf.constants.raw(index)
    if constant[0] != PACKAGE:
        raise ClassFormatError(f"constant {index} is no package")
    return frozenset(((FactKind.PACKAGE, decoder.cf.constants.text(constant[1])),))


def _main_class(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    row = decoder.class_row(exactly(data, 2, "ModuleMainClass"), 0, None)
    return Attribute(name, row.children, 0, row.needs)


def _target(decoder: Decoder, name: Piece, data: bytes, owner: PieceOwner) -> Attribute:
    return Attribute(name, [decoder.leaf(exactly(data, 2, "ModuleTarget"), (0,))])


MODULE_READERS: dict[str, Reader] = {
    "Module": _module,
    "ModulePackages": _packages,
    "ModuleMainClass": _main_class,
    "ModuleTarget": _target,
    "ModuleResolution": bare,
}
