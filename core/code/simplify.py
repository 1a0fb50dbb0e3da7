"""Straight-line code without computations made useless by edits."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from core.code.ops import CHECKCAST, DROP, DROP2, DUP, DUP2, FREE, FREE2, NULL, POP, POP2, Op, drops, popping

_WIDTHS = {DROP: 1, FREE: 1, DROP2: 2, FREE2: 2}
_UNKNOWN = -1


def simplified(ops: list[Op]) -> list[Op]:
    """Return ``ops``, one after the other, without drops: the value is no longer computed, or else popped.

    Only drops and constants made by edits cause removals, so that unrelated code stays as it was. Between a value and
    its drop nothing touches it: both can go from wherever they stand. Nothing that goes writes a variable or a field,
    or calls; it may have thrown.
    """
    while True:
        slots: list[int] = []  # the place in `out` of each slot's op, _UNKNOWN for an earlier one
        out: list[list[Op]] = []  # each op, or the drops of its operands in its place
        beneath: dict[int, list[int]] = {}
        again = False
        todo = iter(_pairs(ops))
        for op, other in todo:
            source = slots[-1] if slots else _UNKNOWN
            top = next(iter(out[source]), None) if source != _UNKNOWN else None
            width = _WIDTHS.get(op.opcode) or _popped(op, top)
            if width == 1 and other is not None and _is_pair(slots, top):
                width, _ = 2, next(todo)  # both of what one dup2 copied
            if width:
                is_whole = len(slots) >= width and slots[-width] == source
                del slots[-width:]
                if top is not None and is_whole and _goes(top, width):
                    if top.inputs is None:
                        _one_copy(source, slots, beneath[source])
                    out[source] = drops(top.offset, top.inputs or (), op.opcode in (FREE, FREE2))
                    again |= bool(out[source])
                else:
                    out.append([op])
                continue
            if op.opcode == CHECKCAST and top is not None and top.made and top.opcode == NULL:
                continue
            if op.opcode in (DUP, DUP2):
                taken = slots[-op.pops :]
                beneath[len(out)] = [_UNKNOWN] * (op.pops - len(taken)) + taken
            if op.pops:
                del slots[-op.pops :]
            slots += [len(out)] * op.pushes
            out.append([op])
        ops = list(chain.from_iterable(out))
        if not again:
            return list(_with_pops(ops))


def unused(ops: list[Op]) -> list[Op]:
    """Return free drops of all values that ``ops``, one after the other, leave on the stack, the top first."""
    slots: list[Op] = []
    for op in ops:
        if op.pops:
            del slots[-op.pops :]
        slots += [op] * op.pushes
    widths: list[int] = []
    while slots:
        op = slots.pop()
        wide = op.pushes == 2 and op.inputs is not None and bool(slots)
        if wide:
            slots.pop()
        widths.append(2 if wide else 1)
    return drops(ops[-1].offset if ops else 0, widths[::-1], free=True)


def _popped(op: Op, top: Op | None) -> int:
    """Return the width of the value dropped by an original ``pop``, if an edit made the value; else 0."""
    width = {POP: 1, POP2: 2}.get(op.opcode, 0)
    return width if top is not None and top.made and top.pushes == width else 0


def _pairs(ops: list[Op]) -> Iterator[tuple[Op, Op | None]]:
    """Yield each of ``ops``, with the one behind it if both drop a value of one slot."""
    for at, op in enumerate(ops):
        other = ops[at + 1] if at + 1 < len(ops) else None
        both = other is not None and _WIDTHS.get(op.opcode) == _WIDTHS.get(other.opcode) == 1
        yield op, other if both else None


def _is_pair(slots: list[int], top: Op | None) -> bool:
    """Return True if the two topmost slots are the copy that one ``dup2`` made."""
    is_copy = top is not None and top.opcode == DUP2 and slots[-2:] == slots[-1:] * 2
    return is_copy and slots.count(slots[-1]) % 2 == 0


def _goes(op: Op, width: int) -> bool:
    if op.inputs is None:
        return (op.opcode, width) in ((DUP, 1), (DUP2, 2))
    return op.pushes == width


def _one_copy(source: int, slots: list[int], beneath: list[int]) -> None:
    """Put the copied values in the place of the remaining copy."""
    if source in slots:
        at = slots.index(source)
        slots[at : at + len(beneath)] = beneath


def _with_pops(ops: list[Op]) -> Iterator[Op]:
    """Yield real instructions instead of drops; two values of one slot go in one."""
    waiting: Op | None = None
    for op in ops:
        if op.opcode in (FREE, FREE2):
            continue
        if op.opcode == DROP:
            if waiting is None:
                waiting = op
            else:
                yield popping(waiting.offset, 2)
                waiting = None
            continue
        if waiting is not None:
            yield popping(waiting.offset, 1)
            waiting = None
        yield popping(op.offset, 2) if op.opcode == DROP2 else op
    if waiting is not None:
        yield popping(waiting.offset, 1)
