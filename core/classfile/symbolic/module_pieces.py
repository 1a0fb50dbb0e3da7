"""The attributes of module descriptors (JVMS 4.7.25 to 4.7.27, and the JDK's own), as trees of pieces."""

from __future__ import annotations

import struct

from core.classfile.symbolic.decoding import RawAttribute, Reader, bytes_of, class_of, index_of
from core.classfile.symbolic.pieces import Attribute, Node, Row, Table

_U2 = struct.Struct(">H")


def _module(raw: RawAttribute) -> Attribute:
    """Return a Module (JVMS 4.7.25): exports and opens go with their package, uses and provides with their classes."""
    decoder, data = raw.decoder, raw.data

    def number(at: int) -> int:
        return int(_U2.unpack_from(data, at)[0])

    at = 8 + 6 * number(6)
    places = [0, 4, *(start + add for start in range(8, at, 6) for add in (0, 4))]
    content: list[Node] = [decoder.leaf(data[:at], places)]
    for _ in ("exports", "opens"):
        rows, count, at = list[Node](), number(at), at + 2
        for _ in range(count):
            size = 6 + 2 * number(at + 4)
            leaf = decoder.leaf(data[at : at + size], (0, *range(6, size, 2)))
            rows.append(Row([leaf], 0, decoder.package(number(at))))
            at += size
        content.append(Table(rows))

    def classes() -> Table:
        nonlocal at
        start, at = at + 2, at + 2 + 2 * number(at)
        return Table([decoder.class_row(data[place : place + 2]) for place in range(start, at, 2)])

    content.append(classes())
    rows, count, at = [], number(at), at + 2
    for _ in range(count):
        service, at = decoder.class_row(data[at : at + 2]), at + 2
        providers = classes()
        rows.append(Row([*service.children, providers], 0, service.needs, [providers]))
    raw.end(at)
    return raw.of(*content, Table(rows))


def _packages(raw: RawAttribute) -> Attribute:
    decoder = raw.decoder
    return raw.table(
        [Row([decoder.leaf(row, (0,))], 0, decoder.package(int.from_bytes(row, "big"))) for row in raw.rows(2)]
    )


MODULE_READERS: dict[str, Reader] = {
    "Module": _module,
    "ModulePackages": _packages,
    "ModuleMainClass": class_of(),
    "ModuleTarget": index_of(),
    "ModuleResolution": bytes_of(),
}
