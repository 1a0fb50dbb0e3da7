"""Effects of opcodes on the stack (JVMS 6.5), as tables: the groups of opcodes in :mod:`interpreter`."""

from __future__ import annotations

from core.classfile.instructions import LENGTHS
from core.classfile.opcodes import EFFECTS, opcodes_in, slots_in

_GROUPS = """
LOAD_SHORT 2a-2d
REFERENCE 13-14 b2-ba bd
PRIMITIVE
BRANCH 99-a6 c6-c7
LOAD 19
STORE_SHORT 4b-4e
STORE 3a
RETURN ac-af b1
DUP 59
SPECIAL b7
NEW bb
GOTO a7
LDC 12
CAST c0-c1
ARETURN b0
NULL_CONSTANT 01
STORE_PRIMITIVE_SHORT 3b-4a
STORE_PRIMITIVE 36-39
SHUFFLE 5a-5f
ELEMENT 32
ELEMENT_STORE 53
PRIMITIVE_ELEMENT 2e-31 33-35
LENGTH_OF be
NEW_ARRAY bc
THROW bf
SWITCH aa-ab
NEW_GRID c5
WIDE c4
GOTO_WIDE c8
SUBROUTINE a8 c9
RETURN_FROM a9
"""
"""Groups in the order of the comparisons, the most frequent ones first, with their opcodes. Of two groups the later one
has an opcode; the others of :data:`EFFECTS` are ``PRIMITIVE``."""
(
    LOAD_SHORT, REFERENCE, PRIMITIVE, BRANCH, LOAD, STORE_SHORT, STORE, RETURN, DUP, SPECIAL, NEW, GOTO, LDC, CAST,
    ARETURN, NULL_CONSTANT, STORE_PRIMITIVE_SHORT, STORE_PRIMITIVE, SHUFFLE, ELEMENT, ELEMENT_STORE, PRIMITIVE_ELEMENT,
    LENGTH_OF, NEW_ARRAY, THROW, SWITCH, NEW_GRID, WIDE, GOTO_WIDE, SUBROUTINE, RETURN_FROM, UNKNOWN,
) = range(32)  # fmt: skip

_BY_OPCODE = [EFFECTS.get(opcode, ("", "")) for opcode in range(256)]
SIZES = [*LENGTHS, *[1] * (256 - len(LENGTHS))]
"""Bytes of an instruction; not for switches and ``wide``."""
KINDS = [PRIMITIVE if opcode in EFFECTS else UNKNOWN for opcode in range(256)]
"""The group of each opcode; of those in ``PRIMITIVE`` nothing but primitives is left."""
for _kind, _row in enumerate(_GROUPS.split("\n")[1:-1]):
    for _opcode in opcodes_in(_row.split()[1:]):
        KINDS[_opcode] = _kind
CHANGE = [slots_in(given) - slots_in(taken) for taken, given in _BY_OPCODE]
"""Slots by which an opcode makes the stack higher."""
WIDTH = [slots_in(given or taken) for taken, given in _BY_OPCODE]
"""Slots of the value that a load from, or a store to, variables and arrays moves."""
ARRAYS = {4: "[Z", 5: "[C", 6: "[F", 7: "[D", 8: "[B", 9: "[S", 10: "[I", 11: "[J"}
"""Types of the arrays that ``newarray`` makes, by the code of the element type."""
