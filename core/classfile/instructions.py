"""Instructions of a method (JVMS 6.5): one scan over the code bytes, with right ``wide``, ``iinc`` and switches, and a
faster one that only finds the indexes of constants.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from core.classfile.format_error import ClassFormatError

IINC, TABLESWITCH, LOOKUPSWITCH, WIDE, MULTIANEWARRAY = 0x84, 0xAA, 0xAB, 0xC4, 0xC5
INVOKEINTERFACE, INVOKEDYNAMIC, LDC, RET, JSR_W = 0xB9, 0xBA, 0x12, 0xA9, 0xC9

POOL = frozenset((0x12, 0x13, 0x14, *range(0xB2, 0xBC), 0xBB, 0xBD, 0xC0, 0xC1, 0xC5))
"""Opcodes whose operand is an index into the constant pool."""
LOCAL = frozenset((*range(0x15, 0x1A), *range(0x36, 0x3B), IINC, RET))
"""Opcodes whose operand is the number of a local variable; these may be ``wide``."""
BRANCH = frozenset((*range(0x99, 0xA9), 0xC6, 0xC7, 0xC8, 0xC9))
"""Opcodes whose operand is a jump target (``goto_w`` and ``jsr_w`` included)."""


class Instruction(NamedTuple):
    """One instruction. ``opcode`` is the real one behind a ``wide``."""

    offset: int
    opcode: int
    operand: int
    """Pool index, local variable, signed immediate, array type, or the *absolute* jump target (of a switch: the
    default's); 0 for none."""
    extra: tuple[int, ...]
    """``iinc``: the signed step. ``multianewarray``: dimensions. ``invokeinterface``: count.
    Switches: absolute targets of the cases, in order."""
    length: int
    """Bytes, with ``wide`` and the padding of switches."""


def _forms() -> list[struct.Struct | None]:
    """Return the operands of each opcode; None for switches and ``wide``."""
    forms: list[struct.Struct | None] = [struct.Struct("")] * 202
    for opcodes, layout in (
        ((0x10,), "b"), ((0x11,), ">h"), ((LDC, 0xBC), "B"), (LOCAL, "B"), ((0x13, 0x14), ">H"),
        (range(0xB2, 0xB9), ">H"), ((0xBB, 0xBD, 0xC0, 0xC1), ">H"), (BRANCH, ">h"), ((0xC8, 0xC9), ">i"),
        ((IINC,), "Bb"), ((INVOKEINTERFACE,), ">HBx"), ((INVOKEDYNAMIC,), ">Hxx"), ((MULTIANEWARRAY,), ">HB"),
        ((TABLESWITCH, LOOKUPSWITCH, WIDE), ""),
    ):  # fmt: skip
        for opcode in opcodes:
            forms[opcode] = struct.Struct(layout) if layout else None
    return forms


_FORMS = _forms()
LENGTHS = [1 if form is None else 1 + form.size for form in _FORMS]
"""Bytes of an instruction by opcode; 1 for switches and ``wide``."""


def instructions(code: bytes) -> Iterator[Instruction]:
    """Yield the instructions of ``code`` in order; :class:`ClassFormatError` when they are malformed.

    Checked: opcodes, lengths, jump targets inside of the code. Not checked: that a target
    is the start of an instruction.
    """
    at, end = 0, len(code)
    try:
        while at < end:
            instruction = _instruction(code, at)
            yield instruction
            at += instruction.length
    except (struct.error, IndexError):
        raise ClassFormatError(f"the instruction at {at} is cut off") from None


def _instruction(code: bytes, at: int) -> Instruction:
    opcode = code[at]
    if opcode >= len(_FORMS):
        raise ClassFormatError(f"unknown opcode {opcode} at {at}")
    form = _FORMS[opcode]
    if form is None:
        return _wide(code, at) if opcode == WIDE else _switch(code, at, opcode)
    operand, *extra = form.unpack_from(code, at + 1) or (0,)
    if opcode in BRANCH:
        operand = _target(code, at, operand)
    return Instruction(at, opcode, operand, tuple(extra), 1 + form.size)


def _wide(code: bytes, at: int) -> Instruction:
    opcode = code[at + 1]
    if opcode == IINC:
        local, step = struct.unpack_from(">Hh", code, at + 2)
        return Instruction(at, opcode, local, (step,), 6)
    if opcode not in LOCAL:
        raise ClassFormatError(f"opcode {opcode} cannot be wide, at {at}")
    return Instruction(at, opcode, struct.unpack_from(">H", code, at + 2)[0], (), 4)


def _switch(code: bytes, at: int, opcode: int) -> Instruction:
    start = at + 4 - at % 4
    default, low = struct.unpack_from(">ii", code, start)
    if opcode == TABLESWITCH:
        (high,) = struct.unpack_from(">i", code, start + 8)
        first, step, count = start + 12, 4, high - low + 1
    else:
        first, step, count = start + 12, 8, low
    # The size is checked before anything of it is read: a wrong count must not cost memory.
    stop = first + step * count if opcode == TABLESWITCH else start + 8 + step * count
    if count < (1 if opcode == TABLESWITCH else 0) or stop > len(code):
        raise ClassFormatError(f"the switch at {at} has {count} cases")
    jumps = (struct.unpack_from(">i", code, place)[0] for place in range(first, stop, step))
    return Instruction(
        at,
        opcode,
        _target(code, at, default),
        tuple(_target(code, at, jump) for jump in jumps),
        stop - at,
    )


def switch_keys(switch: Instruction, code: bytes) -> tuple[int, ...]:
    """Return the values of the cases of a switch in ``code``, in order."""
    start = switch.offset + 8 - switch.offset % 4
    if switch.opcode == TABLESWITCH:
        (low,) = struct.unpack_from(">i", code, start)
        return tuple(range(low, low + len(switch.extra)))
    return struct.unpack_from(f">{2 * len(switch.extra)}i", code, start + 4)[::2]


def _target(code: bytes, at: int, jump: int) -> int:
    target = at + jump
    if not 0 <= target < len(code):
        raise ClassFormatError(f"the instruction at {at} jumps out of the code")
    return target


_SWITCHES = frozenset((TABLESWITCH, LOOKUPSWITCH))
_SIZES = {opcode: LENGTHS[opcode] for opcode in POOL}


def _those(opcodes: Iterable[int]) -> bytes:
    return b"[" + b"".join(re.escape(bytes([opcode])) for opcode in sorted(opcodes)) + b"]"


def _run() -> re.Pattern[bytes]:
    plain = [opcode for opcode in range(JSR_W + 1) if opcode not in POOL | _SWITCHES | {WIDE}]
    forms = [_those(opcode for opcode in plain if LENGTHS[opcode] == size) + b"." * (size - 1) for size in (1, 2, 3, 5)]
    forms[0] += b"++"
    wide = re.escape(bytes([WIDE]))
    forms += (wide + re.escape(bytes([IINC])) + b".{4}", wide + _those(LOCAL - {IINC}) + b"..")
    return re.compile(b"(?:" + b"|".join(forms) + b")*+", re.DOTALL)


_RUN = _run()
"""A run of instructions without pool index and without padding: the better part of the scan happens in C."""


def pool_operands(code: bytes) -> list[int]:
    """Return the offsets of the operands that are pool indexes, ascending: one byte behind an ``ldc``, else two.

    Four times faster than reading each instruction. Raises :class:`ClassFormatError`;
    jump targets are not looked at.
    """
    at, end, run, sizes = 0, len(code), _RUN.match, _SIZES.get
    places: list[int] = []
    try:
        while True:
            at = run(code, at).end()  # type: ignore[union-attr]  # an empty run always matches
            if at >= end:
                return places
            size = sizes(code[at])
            if size:
                places.append(at + 1)
            else:
                size = _switch_size(code, at)
            at += size
            if at > end:
                raise IndexError
    except (struct.error, IndexError):
        raise ClassFormatError(f"an instruction before {at} is cut off") from None


def _switch_size(code: bytes, at: int) -> int:
    """Return the bytes of the switch at offset ``at``, its padding included."""
    opcode, start = code[at], at + 4 - at % 4
    count: int
    if opcode == TABLESWITCH:
        low, high = struct.unpack_from(">ii", code, start + 4)
        size, count = 4, high - low + 1
    elif opcode == LOOKUPSWITCH:
        (count,) = struct.unpack_from(">i", code, start + 4)
        size, start = 8, start - 4
    else:
        raise ClassFormatError(f"unknown or cut off opcode {opcode} at {at}")
    if count < 0:
        raise ClassFormatError(f"the switch at {at} has {count} cases")
    return start + 12 + size * count - at
