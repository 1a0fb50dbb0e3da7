"""Effects of opcodes on the stack (JVMS 6.5), as tables: the groups of opcodes in :mod:`interpreter`."""

from __future__ import annotations

from collections.abc import Iterable

# Groups, the most frequent ones first: that is the order in which they are asked for.
(
    LOAD_SHORT, REFERENCE, PRIMITIVE, BRANCH, LOAD, STORE_SHORT, STORE, RETURN, DUP, SPECIAL, NEW, GOTO, LDC, CAST,
    ARETURN, NULL_CONSTANT, STORE_PRIMITIVE_SHORT, STORE_PRIMITIVE, SHUFFLE, ELEMENT, ELEMENT_STORE, PRIMITIVE_ELEMENT,
    LENGTH_OF, NEW_ARRAY, THROW, SWITCH, NEW_GRID, WIDE, GOTO_WIDE, SUBROUTINE, RETURN_FROM, UNKNOWN,
) = range(32)  # fmt: skip

KINDS = [UNKNOWN] * 256
"""The group of each opcode."""
SIZES = [1] * 256
"""Bytes of an instruction; not for switches and ``wide``."""
CHANGE = [0] * 256
"""Slots by which an opcode of the group ``PRIMITIVE`` makes the stack higher. It leaves nothing but primitives."""
WIDTH = [1] * 256
"""Slots of the value that a load from, or a store to, variables and arrays moves."""
SHUFFLES: dict[int, tuple[int, tuple[int, ...]]] = {
    0x5A: (2, (1, 0, 1)),  # dup_x1
    0x5B: (3, (2, 0, 1, 2)),  # dup_x2
    0x5C: (2, (0, 1, 0, 1)),  # dup2
    0x5D: (3, (1, 2, 0, 1, 2)),  # dup2_x1
    0x5E: (4, (2, 3, 0, 1, 2, 3)),  # dup2_x2
    0x5F: (2, (1, 0)),  # swap
}
"""For each opcode the number of top slots taken, and the slots left instead (0 is the lowest of those taken)."""
ARRAYS = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
"""Types of the arrays that ``newarray`` makes, by the code of the element type."""

_TYPES = (1, 2, 1, 2)  # slots of int, long, float, double: the order in which opcodes follow each other


def _set(kind: int, opcodes: Iterable[int], size: int = 1) -> None:
    for opcode in opcodes:
        KINDS[opcode] = kind
        SIZES[opcode] = size


def _primitive(change: int, *opcodes: int, size: int = 1) -> None:
    _set(PRIMITIVE, opcodes, size)
    for opcode in opcodes:
        CHANGE[opcode] = change


def _fill() -> None:
    _primitive(0, 0x00, 0x74, 0x75, 0x76, 0x77, 0x86, 0x8B, 0x8A, 0x8F, 0x91, 0x92, 0x93)  # nop, neg, same size
    _primitive(1, *range(0x02, 0x09), 0x0B, 0x0C, 0x0D)  # iconst, fconst
    _primitive(2, 0x09, 0x0A, 0x0E, 0x0F)  # lconst, dconst
    _primitive(1, 0x10, size=2)
    _primitive(1, 0x11, size=3)
    _primitive(1, 0x85, 0x87, 0x8C, 0x8D)  # to a larger type
    _primitive(-1, 0x57, 0x88, 0x89, 0x8E, 0x90, 0xC2, 0xC3)  # pop, to a smaller type, monitors
    _primitive(-2, 0x58)
    _primitive(0, 0x84, size=3)  # iinc
    _primitive(-3, 0x94, 0x97, 0x98)  # lcmp, dcmp
    _primitive(-1, 0x95, 0x96)  # fcmp
    _primitive(-1, *range(0x78, 0x7E))  # shifts: the distance is an int
    for position, width in enumerate(_TYPES):
        _primitive(width, 0x15 + position, size=2)  # xload
        _primitive(width, *range(0x1A + 4 * position, 0x1E + 4 * position))
        _primitive(-width, *range(0x60 + position, 0x74, 4))  # arithmetic
        if position < 2:
            _primitive(-width, *range(0x7E + position, 0x84, 2))  # and, or, xor
        short = range(0x3B + 4 * position, 0x3F + 4 * position)
        _set(STORE_PRIMITIVE, [0x36 + position], 2)
        _set(STORE_PRIMITIVE_SHORT, short)
        for opcode in (0x15 + position, 0x36 + position, *short, 0x2E + position):
            WIDTH[opcode] = width
        _set(PRIMITIVE_ELEMENT, [0x2E + position])
        _primitive(-2 - width, 0x4F + position)  # xastore
    _set(PRIMITIVE_ELEMENT, [0x33, 0x34, 0x35])
    _primitive(-3, 0x54, 0x55, 0x56)
    _set(NULL_CONSTANT, [0x01])
    _set(LDC, [0x12], 2)
    _set(REFERENCE, [0x13, 0x14, *range(0xB2, 0xB7), 0xB8, 0xBD], 3)
    _set(REFERENCE, [0xB9, 0xBA], 5)
    _set(SPECIAL, [0xB7], 3)
    _set(LOAD, [0x19], 2)
    _set(LOAD_SHORT, range(0x2A, 0x2E))
    _set(STORE, [0x3A], 2)
    _set(STORE_SHORT, range(0x4B, 0x4F))
    _set(ELEMENT, [0x32])
    _set(ELEMENT_STORE, [0x53])
    _set(DUP, [0x59])
    _set(SHUFFLE, SHUFFLES)
    _set(BRANCH, [*range(0x99, 0xA7), 0xC6, 0xC7], 3)
    _set(GOTO, [0xA7], 3)
    _set(GOTO_WIDE, [0xC8], 5)
    _set(SUBROUTINE, [0xA8], 3)
    _set(SUBROUTINE, [0xC9], 5)
    _set(RETURN_FROM, [0xA9], 2)
    _set(SWITCH, [0xAA, 0xAB])
    _set(RETURN, [0xAC, 0xAD, 0xAE, 0xAF, 0xB1])
    _set(ARETURN, [0xB0])
    _set(NEW, [0xBB], 3)
    _set(NEW_ARRAY, [0xBC], 2)
    _set(LENGTH_OF, [0xBE])
    _set(THROW, [0xBF])
    _set(CAST, [0xC0, 0xC1], 3)
    _set(WIDE, [0xC4])
    _set(NEW_GRID, [0xC5], 4)


_fill()
