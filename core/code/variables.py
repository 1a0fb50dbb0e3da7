"""Local variables that matter at the start of a block: read later, or sure to hold null.

Frames of these alone name no classes for unread variables (JVMS 4.10.1.2: anything fits top).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from core.code.blocks import successors
from core.code.change import Changed
from core.code.dataflow.locals import forward, read_before, touched, uses_of
from core.code.ops import NULL
from core.code.stackmap import Type, Types, in_slots, placed, slots_of

_TOP, _NULL_TYPE, _THIS = 0, 5, 6
_ALOADS, _ASTORES = {0x19, *range(0x2A, 0x2E)}, {0x3A, *range(0x4B, 0x4F)}


class BodyVariables:
    """Of a method after a change."""

    def __init__(self, change: Changed) -> None:
        self._flow, self._change = change.flow, change
        self._next = {number: self._targets(number) for number in change.live}
        self._handlers = {number: self._handlers_of(number) for number in change.live}
        self._written: dict[int, int] = {}
        """Block -> the variables that it writes."""
        self.read = self._find_read()
        """Block -> the variables that may be read from there on before they are written."""
        self.filled = self._find_filled()
        """Block -> the variables that may hold something else than null there; of the others nothing but null, if
        a value of a class at all."""

    def frame(self, number: int, types: Types, told: int) -> Types:
        """Return the frame ``types`` of the block without irrelevant types: top for an unread variable, null for one
        that is always null.

        ``told``: a mask of variables that are told of in every frame, whether they are read or not.
        """
        read, filled = self.read.get(number), self.filled.get(number)
        return types if read is None or filled is None else _relevant(types, read | told, filled)

    def _targets(self, number: int) -> tuple[int, ...]:
        follows = self._change.follows
        ways = successors(number, self._change.end_of(number))
        targets = [follows[target] for target in ways if target < len(follows)]
        return tuple(target for target in targets if target < len(follows))

    def _handlers_of(self, number: int) -> tuple[int, ...]:
        kept = set(self._change.rows)
        rows = [row for row in self._flow.blocks[number].rows if row in kept]
        return tuple(self._change.follows[self._flow.guards[row].handler] for row in rows)

    def _find_read(self) -> dict[int, int]:
        first: dict[int, int] = {}
        written, changed = self._written, self._change.ops
        for number in self._change.live:
            ops = changed.get(number)
            first[number], written[number] = self._flow.blocks[number].uses if ops is None else uses_of(ops)
        return read_before(first, written, self._next.__getitem__, self._handlers.__getitem__)

    def _find_filled(self) -> dict[int, int]:
        return forward(self._change.live[0], (1 << self._flow.parameters) - 1, self._edges)

    def _edges(self, number: int, state: int) -> Iterator[tuple[int, int]]:
        anywhere = state
        for after in self._states(number, state) if self._written[number] else ():
            state, anywhere = after, anywhere | after
        yield from ((target, state) for target in self._next[number])
        yield from ((handler, anywhere) for handler in self._handlers[number])

    def _states(self, number: int, state: int) -> Iterator[int]:
        """Yield the variables that may be filled after each store; ``state``: at the start of the block."""
        nulls: list[bool] = []  # of the values that the block has put on the stack, whether they are null
        for op in self._change.ops_of(number):
            accessed = touched(op)
            value = bool(nulls and nulls[-1])
            if op.pops:
                del nulls[-op.pops :]
            if op.opcode in _ASTORES and value:
                state &= ~(1 << accessed[0][0])
                yield state
            elif accessed and accessed[0][2]:
                for place, _, _ in accessed:
                    state |= 1 << place
                yield state
            is_null = op.opcode == NULL or (op.opcode in _ALOADS and not state >> accessed[0][0] & 1)
            nulls += [is_null] * op.pushes


@lru_cache(maxsize=1 << 14)  # most edits of a method change few of its frames
def _relevant(types: Types, read: int, filled: int) -> Types:
    known: dict[int, Type] = {}
    for slot, type_ in placed(types.variables):
        is_read = read & ((1 << slots_of(type_)) - 1) << slot
        if type_ != _TOP and (isinstance(type_, tuple) or type_ == _THIS or is_read):
            is_null = isinstance(type_, str) and not filled >> slot & 1
            known[slot] = _NULL_TYPE if is_null else type_
    return in_slots(known, types.stack)
