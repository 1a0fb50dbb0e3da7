"""Where a method's instructions hold indexes into the constant pool: all that rewriting wants to know of code."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable

from core.classfile.format_error import ClassFormatError
from core.classfile.instructions import IINC, JSR_W, LOCAL, LOOKUPSWITCH, POOL, TABLESWITCH, WIDE
from core.classfile.opcodes import LENGTHS

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
