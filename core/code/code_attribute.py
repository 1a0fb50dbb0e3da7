"""The Code attribute of a method after edits, with its tables of lines, variables, frames and annotations."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from core.classfile import annotations as kinds
from core.classfile.pool import CLASS
from core.classfile.symbolic.contents import text_of
from core.classfile.symbolic.pieces import Key, Piece
from core.classfile.symbolic.symbol_pool import Symbol
from core.code.blocks import Named
from core.code.body_layout import BodyLayout
from core.code.change import Changed
from core.code.dataflow.body_facts import Parameter, with_parameters
from core.code.stackmap import FrameWriter, Types, moved, renumbered_slots, slots, slots_of
from core.code.variables import BodyVariables

_CLASS_CONSTANT = 6
"""Bytes of a Class constant and of the text that is its name, without the name."""
_VARIABLES = frozenset(("LocalVariableTable", "LocalVariableTypeTable"))
_OF_VARIABLE, _OF_HANDLER, _OF_OFFSET = (0x40, 0x41), 0x42, range(0x43, 0x4C)
_U2 = struct.Struct(">H").unpack_from


class Content(NamedTuple):
    """Bytes with holes for pool indexes, and how many local variables they speak of."""

    data: bytes
    holes: list[tuple[int, Key]]
    variables: int = 0

    @property
    def piece(self) -> Piece:
        return Piece(self.data, [at for at, _ in self.holes], [key for _, key in self.holes])


def code_attribute(
    change: Changed, text: Callable[[int], str], parameters: tuple[Parameter, ...] | None = None
) -> tuple[Piece, list[tuple[int, Piece]]]:
    """Return the content of a Code attribute up to the attributes in it, and these, each with the index of its name.
    ``text`` reads a Utf8 constant. ``parameters``: the unwritten ones, if frames may leave out variables or name these.

    Among the keys may be symbols. Left out is what nobody knows how to carry over: ``CharacterRangeTable``,
    and attributes of other compilers. Raises :class:`TooLongError`.
    """
    return _Attribute(change, text, parameters).pieces()


@dataclass(eq=False)
class _Attribute:
    change: Changed
    text: Callable[[int], str]
    parameters: tuple[Parameter, ...] | None

    def __post_init__(self) -> None:
        self.flow = self.change.flow
        self.code = BodyLayout(self.change)
        self.rows: dict[int, int] = {}
        """Row of the exception table -> its number among those that are left."""

    def pieces(self) -> tuple[Piece, list[tuple[int, Piece]]]:
        code = self.code
        table = self._exceptions()
        tables = [found for name, data in self.flow.attributes if (found := self._table(name, data)) is not None]
        initial = self.change.initial
        parameters = self.flow.parameters if initial is None else slots(Types(initial, ()))
        variables = max(code.variables, parameters, *[content.variables for _, content in tables])
        head = Piece(struct.pack(">HHI", code.height, variables, len(code.data)))
        content = Piece.join([head, Content(bytes(code.data), code.holes).piece, table.piece])
        return content, [(name, each.piece) for name, each in tables]

    def _exceptions(self) -> Content:
        data = bytearray(b"\0\0")
        holes: list[tuple[int, Key]] = []
        at, places, follows = self.code.moves.at, self.code.places, self.change.follows
        for number, row in enumerate(self.change.rows):
            guard = self.flow.guards[row]
            self.rows[row] = number
            if guard.caught:
                holes.append((len(data) + 6, guard.caught))
            data += struct.pack(">HHHH", at(guard.start), at(guard.stop), places[follows[guard.handler]], 0)
        data[:2] = len(self.rows).to_bytes(2, "big")
        return Content(bytes(data), holes)

    def _table(self, name: int, data: bytes) -> tuple[int, Content] | None:
        """Return the attribute ``data`` as it is afterwards, None if nothing of it is left."""
        title = self.text(name)
        if title == "StackMapTable":
            content = self._frames()
        elif title == "LineNumberTable":
            content = self._lines(data)
        elif title in _VARIABLES:
            content = self._variables(data)
        elif title in kinds.TYPE:
            content = self._annotations(title, data)
        else:
            return None
        return (name, content) if content.data[:2] != b"\0\0" else None

    def _frames(self) -> Content:
        """Return the shorter one of two tables: without unread variables, or with all unwritten parameters.

        A frame that says the same as the one before takes one byte (JVMS 4.7.4).
        """
        arriving = self._arriving()
        if self.parameters is None:
            return self._table_of_frames(None, arriving, 0)
        variables = BodyVariables(self.change)
        told = 0
        for parameter in self.parameters:
            told |= ((1 << slots_of(parameter.type)) - 1) << parameter.slot
        without = self._table_of_frames(variables, arriving, 0)
        if not told:
            return without
        with_all = self._table_of_frames(variables, arriving, told)
        more = {key for _, key in with_all.holes} - {key for _, key in without.holes}
        price = sum(len(text_of(key)) + _CLASS_CONSTANT for key in more)
        return with_all if len(with_all.data) + price < len(without.data) else without

    def _arriving(self) -> list[tuple[int, Types]]:
        """Return the targets of jumps, with the known types of the variables there."""
        nulls, at, targets = self.change.nulls, self.code.moves.at, self.code.targets
        news = {place: at(place) for place in self.flow.creations}
        frames = [(number, frame) for number in targets if (frame := self._frame(number)) is not None]
        if news:
            frames = [(number, moved(frame, nulls, news)) for number, frame in frames]
        return [(number, with_parameters(frame, self.parameters or ())) for number, frame in frames]

    def _table_of_frames(
        self, variables: BodyVariables | None, arriving: list[tuple[int, Types]], told: int
    ) -> Content:
        change, code = self.change, self.code
        writer = FrameWriter(self.flow.initial if change.initial is None else change.initial)
        most = 0
        for number, whole in arriving:
            frame = whole if variables is None else variables.frame(number, whole, told)
            if change.slots is not None:
                frame = renumbered_slots(frame, change.slots)
            most = max(most, slots(frame))
            writer.add(code.places[number], frame)
        return Content(bytes(writer.data), [(at, Symbol(CLASS, (name,))) for at, name in writer.classes], most)

    def _frame(self, number: int) -> Types | None:
        """Return the frame at the start of a jump target.

        Without one of its own it is only entered through those before it, and these are empty.
        """
        flow = self.flow
        while number >= 0:
            frame = flow.frames.get(flow.blocks[number].start)
            if frame is not None:
                return frame
            number -= 1
        return None

    def _lines(self, data: bytes) -> Content:
        rows = list(struct.iter_unpack(">HH", data[2:]))
        starts = sorted({start for start, _ in rows})
        places = list(map(self.code.moves.at, [*starts, 1 << 16]))
        spans = dict(zip(starts, pairwise(places), strict=True))
        left = [(spans[start][0], line) for start, line in rows if spans[start][0] < spans[start][1]]
        packed = b"".join([struct.pack(">HH", *row) for row in dict.fromkeys(left)])
        return Content((len(packed) // 4).to_bytes(2, "big") + packed, [])

    def _variables(self, data: bytes) -> Content:
        at = self.code.moves.at
        left: dict[tuple[int, int, int, int], int] = {}
        most = 0
        for start, length, name, type_, slot in struct.iter_unpack(">HHHHH", data[2:]):
            index = self._slot(slot)
            if index is None or Named(start, length, name, slot) in self.change.nameless:
                continue
            begin = at(start)
            size = at(start + length) - begin
            # The JVM refuses rows that it cannot tell apart.
            if size > 0 and left.setdefault((begin, size, name, index), type_) == type_:
                most = max(most, index + (2 if self.text(type_) in ("J", "D") else 1))
        packed, holes = bytearray(len(left).to_bytes(2, "big")), []
        for (begin, size, name, index), type_ in left.items():
            holes += [(len(packed) + 4, name), (len(packed) + 6, type_)]
            packed += struct.pack(">HHHHH", begin, size, 0, 0, index)
        return Content(bytes(packed), list(holes), most)

    def _slot(self, slot: int) -> int | None:
        """Return the number that a local variable has now, None if nothing uses it any more and others are numbered
        anew."""
        return slot if self.change.slots is None else self.change.slots.get(slot)

    def _annotations(self, title: str, data: bytes) -> Content:
        packed = bytearray(b"\0\0")
        holes: list[tuple[int, Key]] = []
        count = most = 0
        moves = self.code.moves
        for annotation in kinds.read(title, data)[0]:
            target, start = annotation.target, annotation.start
            assert target is not None  # they are type annotations
            row = bytearray(data[start : annotation.end])
            places = list(annotation.places)
            at = target.at - start
            if target.kind in _OF_VARIABLE:
                ranges = bytearray()
                stop = at + 2 + 6 * int(_U2(row, at)[0])
                for first, length, slot in struct.iter_unpack(">HHH", row[at + 2 : stop]):
                    begin, end = moves.at(first), moves.at(first + length)
                    index = self._slot(slot)
                    if begin < end and index is not None:
                        ranges += struct.pack(">HHH", begin, end - begin, index)
                        most = max(most, index + 1)
                if not ranges:
                    continue
                gone = stop - at - 2 - len(ranges)
                row[at:stop] = (len(ranges) // 6).to_bytes(2, "big") + ranges
                places = [place - gone for place in places]
            elif target.kind == _OF_HANDLER:
                if target.number not in self.rows:
                    continue
                row[at : at + 2] = self.rows[target.number].to_bytes(2, "big")
            elif target.kind in _OF_OFFSET:
                place = moves.exact(target.number)
                if place is None:
                    continue
                row[at : at + 2] = place.to_bytes(2, "big")
            holes += [(len(packed) + place - start, int(_U2(row, place - start)[0])) for place in places]
            packed += row
            count += 1
        packed[:2] = count.to_bytes(2, "big")
        return Content(bytes(packed), holes, most)
