"""Effects of opcodes on the stack (JVMS 6.5), as tables: the groups of opcodes in :mod:`interpreter`."""

from __future__ import annotations

from core.classfile.opcodes import EFFECTS, LENGTHS, SHUFFLES, slots_in

# Groups in the order of the comparisons, the most frequent ones first.
(
    LOAD_SHORT, REFERENCE, PRIMITIVE, BRANCH, LOAD, STORE_SHORT, STORE, RETURN, DUP, SPECIAL, NEW, GOTO, LDC, CAST,
    ARETURN, NULL_CONSTANT, STORE_PRIMITIVE_SHORT, STORE_PRIMITIVE, SHUFFLE, ELEMENT, ELEMENT_STORE, PRIMITIVE_ELEMENT,
    LENGTH_OF, NEW_ARRAY, THROW, SWITCH, NEW_GRID, WIDE, GOTO_WIDE, SUBROUTINE, RETURN_FROM, UNKNOWN,
) = range(32)  # fmt: skip

_BY_OPCODE = [EFFECTS.get(opcode, ("", "")) for opcode in range(256)]
SIZES = [LENGTHS.get(opcode, 1) for opcode in range(256)]
"""Bytes of an instruction; not for switches and ``wide``."""
KINDS = [PRIMITIVE if opcode in EFFECTS else UNKNOWN for opcode in range(256)]
"""The group of each opcode; of those in ``PRIMITIVE`` nothing but primitives is left."""
CHANGE = [slots_in(given) - slots_in(taken) for taken, given in _BY_OPCODE]
"""Slots by which an opcode makes the stack higher."""
WIDTH = [slots_in(given or taken) for taken, given in _BY_OPCODE]
"""Slots of the value that a load from, or a store to, variables and arrays moves."""
ARRAYS = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
"""Types of the arrays that ``newarray`` makes, by the code of the element type."""


def _set(kind: int, *opcodes: int) -> None:
    for opcode in opcodes:
        KINDS[opcode] = kind


def _fill() -> None:
    _set(NULL_CONSTANT, 0x01)
    _set(LDC, 0x12)
    _set(REFERENCE, 0x13, 0x14, *range(0xB2, 0xBB), 0xBD)
    _set(SPECIAL, 0xB7)
    _set(LOAD, 0x19)
    _set(LOAD_SHORT, *range(0x2A, 0x2E))
    _set(STORE_PRIMITIVE, *range(0x36, 0x3A))
    _set(STORE, 0x3A)
    _set(STORE_PRIMITIVE_SHORT, *range(0x3B, 0x4B))
    _set(STORE_SHORT, *range(0x4B, 0x4F))
    _set(PRIMITIVE_ELEMENT, *range(0x2E, 0x32), *range(0x33, 0x36))
    _set(ELEMENT, 0x32)
    _set(ELEMENT_STORE, 0x53)
    _set(SHUFFLE, *SHUFFLES)
    _set(DUP, 0x59)
    _set(BRANCH, *range(0x99, 0xA7), 0xC6, 0xC7)
    _set(GOTO, 0xA7)
    _set(GOTO_WIDE, 0xC8)
    _set(SUBROUTINE, 0xA8, 0xC9)
    _set(RETURN_FROM, 0xA9)
    _set(SWITCH, 0xAA, 0xAB)
    _set(RETURN, 0xAC, 0xAD, 0xAE, 0xAF, 0xB1)
    _set(ARETURN, 0xB0)
    _set(NEW, 0xBB)
    _set(NEW_ARRAY, 0xBC)
    _set(LENGTH_OF, 0xBE)
    _set(THROW, 0xBF)
    _set(CAST, 0xC0, 0xC1)
    _set(WIDE, 0xC4)
    _set(NEW_GRID, 0xC5)


_fill()
