"""Instructions as editing sees them: bytes, the pool index in them, what they take from the stack and push.

Widths are in slots: 1, or 2 for a long or double.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import LDC, MULTIANEWARRAY, POOL, RET, Instruction
from core.classfile.opcodes import EFFECTS, KINDS, kind_of, slots_in
from core.code.types.symbols import LDC2_W, LDC_W, Symbols

NOP, NULL, POP, POP2, DUP, DUP2, NEW, ATHROW, CHECKCAST = 0x00, 0x01, 0x57, 0x58, 0x59, 0x5C, 0xBB, 0xBF, 0xC0
GOTO, GOTO_W = 0xA7, 0xC8
ELEMENT_STORES = frozenset(range(0x4F, 0x57))
RETURNS = frozenset(range(0xAC, 0xB2))
ENDS = RETURNS | {ATHROW}
CONDITIONAL = frozenset((*range(0x99, 0xA7), 0xC6, 0xC7))
GOTOS = frozenset((GOTO, GOTO_W))
SWITCHES = frozenset((0xAA, 0xAB))
MONITORS = frozenset((0xC2, 0xC3))
SUBROUTINES = frozenset((0xA8, 0xC9, RET))
FIELDS = range(0xB2, 0xB6)
CALLS = range(0xB6, 0xBB)
HARMLESS = (
    frozenset(
        (*range(0x00, 0x12), *range(0x15, 0x2E), *range(0x36, 0x4F), *range(0x57, 0xA8), 0xAA, 0xAB, 0xC6, 0xC7, 0xC8)
    )
    | RETURNS
) - {0x6C, 0x6D, 0x70, 0x71}
"""Opcodes that never throw; integer divisions do."""
DROP, DROP2, FREE, FREE2 = -1, -2, -3, -4
"""Opcodes that are none: the top value is not wanted. Of a FREE one it does not matter whether it stays."""


class Op(NamedTuple):
    """One instruction, or one that an edit makes."""

    offset: int
    """In the original code; a new instruction has the offset of the one that it replaces."""
    opcode: int
    data: bytes
    """With any number where ``key`` is to stand: behind the opcode, two bytes or (key below 0) one."""
    key: Any
    """Pool index, its complement for ``ldc``, 0 for none: as in :class:`core.classfile.symbolic.pieces.Piece`."""
    pops: int
    pushes: int
    inputs: tuple[int, ...] | None
    """For an instruction that only computes one value, without an edit of its own: widths of its operands, the lowest
    first. Otherwise None."""
    made: bool = False
    """True if an edit made the instruction."""


def made(
    offset: int,
    opcode: int,
    pops: int = 0,
    pushes: int = 0,
    operand: bytes = b"",
    inputs: tuple[int, ...] | None = None,
) -> Op:
    """Return an instruction that an edit makes, without a constant."""
    return Op(offset, opcode, bytes([opcode]) + operand, 0, pops, pushes, inputs, True)


_COMPUTING = frozenset(
    opcode for opcode, (_, given) in EFFECTS.items() if len(given) == 1 and given.isalpha() and opcode != NEW
)
"""Opcodes that only compute a value."""
_SLOTS = {opcode: tuple(map(slots_in, effect)) for opcode, effect in EFFECTS.items()}
"""Slots that each opcode takes and pushes."""
_INPUTS = {opcode: tuple(map(slots_in, EFFECTS[opcode].taken)) for opcode in _COMPUTING}


def op_of(instruction: Instruction, data: bytes, symbols: Symbols) -> Op:
    """Return the op of an ``instruction`` with the bytes ``data``; :class:`ClassFormatError` if its constant is none
    for it."""
    offset, opcode, operand, extra, _ = instruction
    key = 0
    inputs: tuple[int, ...] | None = None
    if opcode in POOL:
        key = ~operand if opcode == LDC else operand
        effect = symbols[opcode << 16 | operand]
        pops, pushes = effect[1], len(effect[2])
        if opcode in (LDC, LDC_W, LDC2_W):
            inputs = ()
        elif opcode == MULTIANEWARRAY:
            inputs, pops, pushes = (1,) * extra[0], extra[0], 1
        elif opcode in _COMPUTING:
            inputs, pops, pushes = (1,), 1, 1
        elif opcode == NEW:
            pushes = 1
    elif opcode in _SLOTS:
        pops, pushes = _SLOTS[opcode]
        inputs = _INPUTS.get(opcode)
    else:
        raise ClassFormatError(f"opcode {opcode} at {offset} cannot be edited")
    return Op(offset, opcode, data, key, pops, pushes, inputs)


_DEFAULTS = dict(zip(KINDS, (0x03, 0x09, 0x0B, 0x0E, NULL), strict=True))
_RETURN = {kind: 0xAC + place for place, kind in enumerate(KINDS)}


def default(offset: int, descriptor: str) -> list[Op]:
    """Push the default value of the type; nothing for ``V``."""
    if descriptor == "V":
        return []
    opcode = _DEFAULTS[kind_of(descriptor)]
    return [made(offset, opcode, 0, width_of(descriptor), inputs=())]


def default_return(offset: int, descriptor: str) -> list[Op]:
    """Return the default value of the type."""
    opcode, pops = (0xB1, 0) if descriptor == "V" else (_RETURN[kind_of(descriptor)], width_of(descriptor))
    return [*default(offset, descriptor), made(offset, opcode, pops)]


def drops(offset: int, widths: Iterable[int], free: bool = False) -> list[Op]:
    """Drop values of the ``widths``, the lowest first, from the top of the stack."""
    first = FREE if free else DROP
    return [Op(offset, first + 1 - width, b"", 0, width, 0, None, True) for width in widths][::-1]


def popping(offset: int, width: int) -> Op:
    """Return ``pop`` or ``pop2``."""
    return made(offset, POP2 if width == 2 else POP, width)


def width_of(descriptor: str) -> int:
    """Return the slots of a value of the type."""
    return 2 if descriptor in ("J", "D") else 1


@lru_cache(maxsize=1 << 12)  # pure, and a class asks the same thing again and again
def argument_widths(descriptor: str) -> tuple[int, ...]:
    """Return the widths of the parameters of a method descriptor."""
    return tuple(map(width_of, method_types(descriptor)[0]))
