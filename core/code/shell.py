"""A class around its methods' bodies: everything else is fixed, and constants that nothing uses go.

Of BootstrapMethods only the rows stay that something still uses. Unknown attributes are dropped, for nobody can
tell indexes from numbers in them.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping

from core.classfile.class_file import ClassFile, Field, Method
from core.classfile.format_error import ClassFormatError
from core.classfile.pool import CLASS, DYNAMIC, INVOKE_DYNAMIC, UTF8, write_constant
from core.classfile.symbolic.attribute_pieces import READERS
from core.classfile.symbolic.compaction import Moving, Numbering
from core.classfile.symbolic.decoding import Decoder, PieceOwner, Place
from core.classfile.symbolic.fact_kinds import FactKind
from core.classfile.symbolic.pieces import Key, NewConstant, Piece, Table, literal
from core.code.code_attribute import ClassKey


class Shell:
    """A class file that takes other Code attributes in the place of its own. Raises :class:`ClassFormatError`."""

    def __init__(self, cf: ClassFile, source: bytes) -> None:
        decoder = Decoder(cf, (), READERS)
        self._head = source[:8]
        self._constants, self._narrow = decoder.constants, decoder.narrow
        self.code_names: dict[int, int] = {}
        """For each method with code the pool index of the name of that attribute."""
        self._pieces: list[tuple[int, Piece]] = []
        """The class up to its attributes. A Code attribute is alone, with the number of its method; the rest has -1."""
        self._members(decoder, cf)
        self._attributes: list[Piece] = []
        self._bootstraps: list[Piece] = []
        self._bootstraps_name = Piece(b"")
        attributes = decoder.table(cf.attributes.indexed_rows(), PieceOwner(Place.CLASS, -1, -1))
        rows = decoder.moving.get((Moving.BOOTSTRAP, -1), ())
        for name, piece in _written(decoder, attributes):
            if name == "BootstrapMethods" and rows:
                self._bootstraps = [row.whole for row in rows]
                self._bootstraps_name = Piece(piece.data[:2], piece.offsets[:1], piece.keys[:1])
            else:
                self._attributes.append(piece)
        self._dynamic = [
            (place, constant[1])
            for place, constant in enumerate(decoder.constants.pool)
            if constant is not None and constant[0] in (DYNAMIC, INVOKE_DYNAMIC)
        ]
        if any(row >= len(rows) for _, row in self._dynamic):
            raise ClassFormatError("something refers to a bootstrap entry which there is not")
        # Rows of these tables stay as they are.
        self._fixed: dict[Key, bytes] = {
            (moving, method, row): row.to_bytes(2, "big")
            for moving, method, row in decoder.referred
            if moving is not Moving.BOOTSTRAP
        }

    def write(self, codes: Mapping[int, Piece]) -> bytes:
        """Return the class with ``codes`` by the number of the method."""
        pieces = [codes.get(number, piece) for number, piece in self._pieces]
        numbering = Numbering(self._constants)
        keys = [key for piece in codes.values() for key in piece.keys]
        added: dict[Key, int] = {key: numbering.class_(key.name) for key in keys if isinstance(key, ClassKey)}
        added |= {key: numbering.placed(key) for key in keys if isinstance(key, NewConstant)}
        rows = self._used_bootstraps(pieces)
        bootstraps = [self._bootstraps[row] for row in rows]
        for kept in (pieces, self._attributes, bootstraps, (self._bootstraps_name,) if rows else ()):
            numbering.use(kept)
        table = numbering.numbers
        table.update(self._fixed)
        for number in range(len(self._bootstraps)):
            table[Moving.BOOTSTRAP, -1, number] = b"\0\0"
        for number, row in enumerate(rows):
            table[Moving.BOOTSTRAP, -1, row] = number.to_bytes(2, "big")
        pool = numbering.write(self._narrow)
        for key, place in added.items():
            table[key] = table[place]
        count = literal(len(self._attributes) + bool(rows), 2)
        if rows:
            content = Piece.join([literal(len(rows), 2), *bootstraps])
            bootstraps = [self._bootstraps_name, literal(len(content), 4), content]
        out = [piece.numbered(table) for piece in (*pieces, count, *self._attributes, *bootstraps)]
        return b"".join([self._head, pool, *out])

    def around(self, method: int) -> tuple[Piece, int]:
        """Return the Code attribute of a method as it was read, and a mask of the constants that all the rest uses."""
        uses, mask = self._constants.uses, 0
        code = Piece(b"")
        for number, piece in self._pieces:
            if number == method:
                code = piece
            else:
                mask |= uses(piece)
        for piece in (*self._attributes, *self._bootstraps):
            mask |= uses(piece)
        return code, mask

    def constant_bytes(self, before: Piece, after: Piece, others: int) -> int:
        """Return the bytes of the constants that a class no longer needs with ``after`` instead of ``before``;
        ``others`` stay."""
        uses, pool = self._constants.uses, self._constants.pool
        framed = [self._class_place(key.name) for key in after.keys if isinstance(key, ClassKey)]
        fewer = uses(before) & ~uses(after) & ~others & ~self._constants.closure(framed)
        total = 0
        for place, bit in enumerate(bin(fewer)[:1:-1]):
            constant = pool[place] if bit == "1" else None
            if constant is not None:
                total += len(write_constant(constant))
        return total

    def _class_place(self, name: str) -> int | None:
        text = self._constants.place((UTF8, name))
        return None if text is None else self._constants.place((CLASS, text))

    def _used_bootstraps(self, pieces: Iterable[Piece]) -> list[int]:
        """Return the rows of BootstrapMethods in use by the rest of the class, directly or through other rows."""
        if not self._bootstraps:
            return []
        uses = self._constants.uses
        mask = 0
        for piece in (*pieces, *self._attributes):
            mask |= uses(piece)
        rows: set[int] = set()
        while True:
            more = {row for place, row in self._dynamic if mask >> place & 1} - rows
            if not more:
                return sorted(rows)
            rows |= more
            for row in more:
                mask |= uses(self._bootstraps[row])

    def _members(self, decoder: Decoder, cf: ClassFile) -> None:
        ours = struct.pack(
            f">HHHH{len(cf._interfaces)}H", cf.access, cf._this, cf._super, len(cf._interfaces), *cf._interfaces
        )
        fixed = [decoder.piece(ours, (2, 4, *range(8, len(ours), 2))), literal(len(cf.fields), 2)]
        for number, field in enumerate(cf.fields):
            table = decoder.table(field.attributes.indexed_rows(), PieceOwner(Place.FIELD, number, -2))
            found = _written(decoder, table)
            fixed += [_member(decoder, field), literal(len(found), 2), *[piece for _, piece in found]]
        fixed.append(literal(len(cf.methods), 2))
        for number, method in enumerate(cf.methods):
            table = decoder.table(method.attributes.indexed_rows(), PieceOwner(Place.METHOD, number, -2))
            found = _written(decoder, table)
            fixed += [_member(decoder, method), literal(len(found), 2)]
            for name, piece in found:
                if name == "Code":
                    self._pieces += [(-1, Piece.join(fixed)), (number, piece)]
                    self.code_names[number] = next(key for key in piece.keys if isinstance(key, int))
                    fixed = []
                else:
                    fixed.append(piece)
        self._pieces.append((-1, Piece.join(fixed)))


def _written(decoder: Decoder, table: Table) -> list[tuple[str, Piece]]:
    """Return the name and content of the attributes that are known."""
    known = [node for node in table.children if (FactKind.UNTOUCHED,) not in node.facts]
    text = decoder.cf.constants.text
    return [(text(node.name.keys[0]), node.whole) for node in known]  # type: ignore[attr-defined]  # they are attributes


def _member(decoder: Decoder, member: Field | Method) -> Piece:
    """Access flags, name, descriptor."""
    return decoder.piece(struct.pack(">HHH", member.access, member._name_index, member._descriptor_index), (2, 4))
