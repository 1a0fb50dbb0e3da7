"""Which local variables an instruction reads and writes, and of what kind their values are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from core.classfile.instructions import IINC, WIDE
from core.rewrite.bodies.ops import Op

KINDS = ("I", "J", "F", "D", "Lnull;")
"""Descriptors of the five kinds of values, in the order of the opcodes; any reference is one."""
_LOADS, _STORES = range(0x15, 0x2E), range(0x36, 0x4F)


class Access(NamedTuple):
    """What an instruction does with a local variable."""

    slot: int
    kind: str
    """One of :data:`KINDS`."""
    reads: bool
    writes: bool

    @property
    def width(self) -> int:
        """Slots of the value."""
        return 2 if self.kind in ("J", "D") else 1

    @property
    def slots(self) -> range:
        """All slots of the variable."""
        return range(self.slot, self.slot + self.width)


def access_of(op: Op) -> Access | None:
    """How *op* uses a local variable, None if it does not."""
    opcode = op.opcode
    if opcode == IINC:
        return Access(_operand(op), "I", True, True)
    if opcode not in _LOADS and opcode not in _STORES:
        return None
    is_load = opcode in _LOADS
    number = opcode - (_LOADS if is_load else _STORES).start
    kind, slot = (number, _operand(op)) if number < 5 else divmod(number - 5, 4)
    return Access(slot, KINDS[kind], is_load, not is_load)


def touched(op: Op) -> Iterator[tuple[int, bool, bool]]:
    """The variables of an instruction, slot by slot: number, whether it is read, whether it is written."""
    access = access_of(op)
    if access is not None:
        for slot in access.slots:
            yield slot, access.reads, access.writes


def renumbered(op: Op, slot: int) -> Op:
    """*op* with another number of its variable, in its shortest form."""
    access = access_of(op)
    assert access is not None
    variables = slot + access.width
    if op.opcode == IINC:
        amount = int.from_bytes(op.data[4:6], "big", signed=True) if op.data[0] == WIDE else _signed(op.data[2])
        if slot < 256 and -128 <= amount < 128:
            data = bytes([IINC, slot, amount & 0xFF])
        else:
            data = bytes([WIDE, IINC]) + slot.to_bytes(2, "big") + amount.to_bytes(2, "big", signed=True)
        return op._replace(data=data, variables=variables)
    base = _LOADS.start if access.reads else _STORES.start
    kind = KINDS.index(access.kind)
    if slot < 4:
        data = bytes([base + 5 + 4 * kind + slot])
    elif slot < 256:
        data = bytes([base + kind, slot])
    else:
        data = bytes([WIDE, base + kind]) + slot.to_bytes(2, "big")
    opcode = data[1] if data[0] == WIDE else data[0]
    return op._replace(opcode=opcode, data=data, variables=variables)


def store(offset: int, kind: str, slot: int) -> Op:
    """Stores what is on the stack in a variable."""
    opcode = _STORES.start + KINDS.index(kind)
    width = 2 if kind in ("J", "D") else 1
    return renumbered(Op(offset, opcode, bytes([opcode, 0]), 0, width, 0, None, 0, True), slot)


def load(offset: int, kind: str, slot: int) -> Op:
    """Puts a variable on the stack."""
    opcode = _LOADS.start + KINDS.index(kind)
    width = 2 if kind in ("J", "D") else 1
    return renumbered(Op(offset, opcode, bytes([opcode, 0]), 0, 0, width, (), 0, True), slot)


def _operand(op: Op) -> int:
    return int.from_bytes(op.data[2:4], "big") if op.data[0] == WIDE else op.data[1]


def _signed(byte: int) -> int:
    return byte - 256 if byte > 127 else byte
