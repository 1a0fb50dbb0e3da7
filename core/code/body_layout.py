"""A method's changed blocks as bytes: offsets, jumps, and the new places of instructions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence

from core.classfile.instructions import TABLESWITCH
from core.classfile.symbolic.pieces import Key
from core.code.blocks import End, Ends, height_of, joined
from core.code.change import Changed
from core.code.dataflow.locals import access_of, renumbered, uses_of
from core.code.ops import GOTO_W, Op

_MOST_CODE_BYTES = 65535
_FARTHEST = 32767


class TooLongError(Exception):
    """The code would be too long for a method, or a jump too far for its instruction."""


class Moves:
    """The new places of the instructions of a method."""

    def __init__(self, size: int) -> None:
        self.size = size
        """Bytes of the code."""
        self._starts: list[int] = []
        self._stops: list[int] = []
        self._places: list[int] = []
        self._replaced: set[int] = set()

    def add(self, start: int, stop: int, place: int, made: bool = False) -> None:
        """Note that the code from offset ``start`` to ``stop`` moves to ``place``. Calls come in ascending order.
        ``made``: the code at ``place`` is a replacement."""
        if made:
            self._replaced.add(start)
        if self._starts and start < self._stops[-1]:
            return  # more than one instruction stands for the one at `start`
        self._starts.append(start)
        self._stops.append(stop)
        self._places.append(place)

    def at(self, offset: int) -> int:
        """Return the new place of ``offset``, or of the next remaining instruction, or the end of the code."""
        row = bisect_right(self._starts, offset) - 1
        if row >= 0 and offset < self._stops[row]:
            return self._places[row] + offset - self._starts[row]
        return self._places[row + 1] if row + 1 < len(self._places) else self.size

    def exact(self, offset: int) -> int | None:
        """Return the place of the instruction that was at ``offset``, None if it is gone."""
        row = bisect_right(self._starts, offset) - 1
        kept = row >= 0 and offset < self._stops[row] and offset not in self._replaced
        return self._places[row] + offset - self._starts[row] if kept else None


class BodyLayout:
    """The code of a method after a change. Raises :class:`TooLongError`."""

    def __init__(self, change: Changed) -> None:
        self.flow, self.change = change.flow, change
        self.data = bytearray()
        self.holes: list[tuple[int, Key]] = []
        """Offsets and keys of pool indexes."""
        self.places: dict[int, int] = {}
        """Offset of each block that is left."""
        self.jumps: list[tuple[int, int, int, int]] = []
        """Offset of the jump, offset and width of the distance, block."""
        self.moves = Moves(0)
        self.height = 0
        """Most slots on the stack."""
        self.variables = 0
        """Number of local variables that the instructions need."""
        for number in change.live:
            self._block(number)
        self._connect()

    @property
    def targets(self) -> list[int]:
        """Blocks that something jumps to, and handlers, ascending."""
        handlers = [self.change.follows[self.flow.guards[row].handler] for row in self.change.rows]
        return sorted({*handlers, *(target for _, _, _, target in self.jumps)})

    def _connect(self) -> None:
        """Write the distances of the jumps."""
        self.moves.size = len(self.data)
        if self.moves.size > _MOST_CODE_BYTES:
            raise TooLongError
        for at, where, width, target in self.jumps:
            distance = self.places[target] - at
            if width == 2 and not -_FARTHEST - 1 <= distance <= _FARTHEST:
                raise TooLongError
            self.data[where : where + width] = distance.to_bytes(width, "big", signed=True)

    def _block(self, number: int) -> None:
        block, data = self.flow.blocks[number], self.data
        start = self.places[number] = len(data)
        ops = self.change.ops.get(number)
        end = self.change.ends.get(number)
        if self.change.slots is not None:
            ops = [_with_slot(op, self.change.slots) for op in self.change.ops_of(number)]
        if ops is None:
            self.holes += [(start + at, key) for at, key in block.holes]
            data += block.data
            height, uses = self.flow.highest[number], block.uses
            stop = block.stop if end is None or block.end.op is None else block.end.op.offset
            if start < len(data) or end is None:
                self.moves.add(block.start, stop, start)
        else:
            bytes_, holes = joined(ops)
            self.holes += [(start + at, key) for at, key in holes]
            at = start
            behind = [*[op.offset for op in ops], block.stop if block.end.op is None else block.end.op.offset][1:]
            for op, following in zip(ops, behind, strict=True):
                stop = op.offset + len(op.data)  # with another variable an instruction may be longer than it was
                self.moves.add(op.offset, min(stop, following) if following > op.offset else stop, at, op.made)
                at += len(op.data)
            data += bytes_
            height = height_of(ops, self.flow.heights[number])[0]
            uses = uses_of(ops)
        self.height = max(self.height, height)
        self.variables = max(self.variables, *map(int.bit_length, uses))
        end = end or block.end
        if end.op is not None:
            if ops is not None or end is not block.end:
                self.moves.add(end.op.offset, end.op.offset + 1, len(data))
            self._jump(end, end.op)

    def _jump(self, end: End, op: Op) -> None:
        data, follows = self.data, self.change.follows
        at = len(data)
        if end.how is not Ends.SWITCHES:
            data += op.data
            self.jumps.append((at, at + 1, 4 if op.opcode == GOTO_W else 2, follows[end.targets[0]]))
            return
        data.append(op.opcode)
        data += bytes(-len(data) % 4)
        where = len(data)
        for place, content in self._switch(end, op.opcode == TABLESWITCH):
            data += content
            if place >= 0:
                self.jumps.append((at, where, 4, follows[place]))
            where += 4

    def _switch(self, end: End, is_table: bool) -> Iterator[tuple[int, bytes]]:
        """Yield the words of a switch behind its padding: a block, or -1 and a number."""
        nothing = b"\0\0\0\0"
        keys: Sequence[int] = end.keys
        yield end.targets[0], nothing
        if is_table:
            yield -1, keys[0].to_bytes(4, "big", signed=True)
            yield -1, keys[-1].to_bytes(4, "big", signed=True)
        else:
            yield -1, len(keys).to_bytes(4, "big")
        for key, target in zip(keys, end.targets[1:], strict=True):
            if not is_table:
                yield -1, key.to_bytes(4, "big", signed=True)
            yield target, nothing


def _with_slot(op: Op, slots: Mapping[int, int]) -> Op:
    access = access_of(op)
    return op if access is None or slots[access.slot] == access.slot else renumbered(op, slots[access.slot])
