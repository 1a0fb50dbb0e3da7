"""Instructions as editing sees them: bytes, the pool index in them, what they take from the stack and push.

Widths are in slots: 1, or 2 for a long or double.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from core.classfile.descriptors import method_types
from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import IINC, LDC, LOCAL, MULTIANEWARRAY, POOL, RET, WIDE, Instruction
from core.code.types.symbols import ANEWARRAY, LDC2_W, LDC_W, Symbols

NULL, POP, POP2, DUP, DUP2, NEW, ATHROW, CHECKCAST = 0x01, 0x57, 0x58, 0x59, 0x5C, 0xBB, 0xBF, 0xC0
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
"""Opcodes that never throw; those that divide integers do."""
DROP, DROP2, FREE, FREE2 = -1, -2, -3, -4
"""Opcodes that are none: the top value is not wanted. Of a FREE one it does not matter whether it stays."""


class Op(NamedTuple):
    """One instruction, or one that an edit makes."""

    offset: int
    """In the original code; an instruction that is made has that of the one it stands for."""
    opcode: int
    data: bytes
    """With any number where ``key`` is to stand: behind the opcode, two bytes or (key below 0) one."""
    key: int
    """Pool index, its complement for ``ldc``, 0 for none: as in :class:`core.classfile.symbolic.pieces.Piece`."""
    pops: int
    pushes: int
    inputs: tuple[int, ...] | None
    """For an instruction that only computes one value, and for which there is no edit of its own: widths of what it
    takes, the lowest first. Otherwise None."""
    variables: int
    """Number of local variables that the instruction needs."""
    made: bool = False
    """True if an edit made the instruction."""


_VALUES: dict[int, tuple[tuple[int, ...], int]] = {}
"""Of opcodes that only compute a value: widths of inputs, and of the value."""
_OTHERS = {
    0x57: (1, 0), 0x58: (2, 0), 0x59: (1, 2), 0x5A: (2, 3), 0x5B: (3, 4), 0x5C: (2, 4), 0x5D: (3, 5), 0x5E: (4, 6),
    0x5F: (2, 2), 0xA7: (0, 0), 0xC8: (0, 0), 0xAA: (1, 0), 0xAB: (1, 0), 0xAC: (1, 0), 0xAD: (2, 0), 0xAE: (1, 0),
    0xAF: (2, 0), 0xB0: (1, 0), 0xB1: (0, 0), 0xBB: (0, 1), 0xBF: (1, 0), 0xC2: (1, 0), 0xC3: (1, 0), 0x00: (0, 0),
    0x84: (0, 0), 0xC6: (1, 0), 0xC7: (1, 0),
}  # fmt: skip
"""Slots that the others take and push."""


def _values(inputs: tuple[int, ...], width: int, opcodes: Iterable[int]) -> None:
    for opcode in opcodes:
        _VALUES[opcode] = inputs, width


def _fill() -> None:
    _values((), 1, (*range(0x01, 0x09), 0x0B, 0x0C, 0x0D, 0x10, 0x11))
    _values((), 2, (0x09, 0x0A, 0x0E, 0x0F))
    for place, width in enumerate((1, 2, 1, 2, 1)):  # int, long, float, double, reference
        short = 0x1A + 4 * place, 0x3B + 4 * place
        _values((), width, (0x15 + place, *range(short[0], short[0] + 4)))
        _OTHERS.update(dict.fromkeys((0x36 + place, *range(short[1], short[1] + 4)), (width, 0)))
        _values((1, 1), width, (0x2E + place,))
        _OTHERS[0x4F + place] = 2 + width, 0
        if place == 4:
            break
        _values((width, width), width, range(0x60 + place, 0x74, 4))
        _values((width,), width, (0x74 + place,))
        if place < 2:
            _values((width, 1), width, range(0x78 + place, 0x7E, 2))
            _values((width, width), width, range(0x7E + place, 0x84, 2))
    _values((1, 1), 1, (0x33, 0x34, 0x35, 0x95, 0x96))
    _values((2, 2), 1, (0x94, 0x97, 0x98))
    _values((1,), 1, (0x86, 0x8B, 0x91, 0x92, 0x93, 0xBC, 0xBD, 0xBE, 0xC0, 0xC1))
    _values((1,), 2, (0x85, 0x87, 0x8C, 0x8D))
    _values((2,), 1, (0x88, 0x89, 0x8E, 0x90))
    _values((2,), 2, (0x8A, 0x8F))
    _OTHERS.update(dict.fromkeys((0x54, 0x55, 0x56), (3, 0)))
    _OTHERS.update(dict.fromkeys(range(0x99, 0x9F), (1, 0)))
    _OTHERS.update(dict.fromkeys(range(0x9F, 0xA7), (2, 0)))


_fill()
_SHORT_FORMS = {
    opcode: (number & 3) + 1 + (number >> 2 in (1, 3))
    for base in (0x1A, 0x3B)
    for number, opcode in enumerate(range(base, base + 20))
}
"""Local variables that ``iload_0`` to ``astore_3`` need."""
_WIDE_VARIABLES = frozenset((0x16, 0x18, 0x37, 0x39))


def op_of(instruction: Instruction, data: bytes, symbols: Symbols) -> Op:
    """Return the op of an ``instruction`` with the bytes ``data``; :class:`ClassFormatError` if its constant is none
    for it."""
    offset, opcode, operand, extra, _ = instruction
    key = variables = 0
    inputs: tuple[int, ...] | None = None
    if opcode in _SHORT_FORMS:
        variables = _SHORT_FORMS[opcode]
    elif opcode in LOCAL:
        variables = operand + (2 if opcode in _WIDE_VARIABLES else 1)
    if opcode in POOL:
        key = ~operand if opcode == LDC else operand
        effect = symbols[opcode << 16 | operand]
        pops, pushes = effect[1], len(effect[2])
        if opcode in (LDC, LDC_W, LDC2_W):
            inputs = ()
        elif opcode == MULTIANEWARRAY:
            inputs, pops, pushes = (1,) * extra[0], extra[0], 1
        elif opcode == ANEWARRAY:
            inputs = (1,)
        elif opcode in _VALUES:
            inputs, pops, pushes = (1,), 1, 1
        elif opcode == NEW:
            pushes = 1
    elif opcode in _VALUES:
        inputs, pushes = _VALUES[opcode]
        pops = sum(inputs)
    else:
        try:
            pops, pushes = _OTHERS[opcode]
        except KeyError:
            raise ClassFormatError(f"opcode {opcode} at {offset} cannot be edited") from None
    if opcode == IINC or data[0] == WIDE:
        variables = max(variables, operand + 1)
    return Op(offset, opcode, data, key, pops, pushes, inputs, variables)


_DEFAULTS = {"J": 0x09, "F": 0x0B, "D": 0x0E} | dict.fromkeys("BCISZ", 0x03)
_RETURN = {"V": 0xB1, "J": 0xAD, "F": 0xAE, "D": 0xAF} | dict.fromkeys("BCISZ", 0xAC)
_ARETURN = 0xB0


def default(offset: int, descriptor: str) -> list[Op]:
    """Push the default value of the type; nothing for ``V``."""
    if descriptor == "V":
        return []
    opcode = _DEFAULTS.get(descriptor, NULL)
    return [Op(offset, opcode, bytes([opcode]), 0, 0, width_of(descriptor), (), 0, True)]


def default_return(offset: int, descriptor: str) -> list[Op]:
    """Return the default value of the type."""
    opcode = _RETURN.get(descriptor, _ARETURN)
    pops = 0 if descriptor == "V" else width_of(descriptor)
    return [*default(offset, descriptor), Op(offset, opcode, bytes([opcode]), 0, pops, 0, None, 0, True)]


def drops(offset: int, widths: Iterable[int], free: bool = False) -> list[Op]:
    """Drop values of the ``widths``, the lowest first, from the top of the stack."""
    return [_drop(offset, width, free) for width in widths][::-1]


def _drop(offset: int, width: int, free: bool) -> Op:
    opcode = (FREE, FREE2)[width - 1] if free else (DROP, DROP2)[width - 1]
    return Op(offset, opcode, b"", 0, width, 0, None, 0, True)


def popping(offset: int, width: int) -> Op:
    """Return ``pop`` or ``pop2``."""
    opcode = POP2 if width == 2 else POP
    return Op(offset, opcode, bytes([opcode]), 0, width, 0, None, 0, True)


def width_of(descriptor: str) -> int:
    """Return the slots of a value of the type."""
    return 2 if descriptor in ("J", "D") else 1


@lru_cache(maxsize=1 << 12)  # pure, and a class asks the same thing again and again
def argument_widths(descriptor: str) -> tuple[int, ...]:
    """Return the widths of the parameters of a method descriptor."""
    return tuple(map(width_of, method_types(descriptor)[0]))
