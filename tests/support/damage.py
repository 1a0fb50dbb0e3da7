"""Damaged bytes."""

from __future__ import annotations

import random


def mutated(data: bytes, source: random.Random) -> bytes:
    """One to four changes of the kinds that break readers."""
    broken = bytearray(data)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(broken))
        match source.randrange(6):
            case 0:
                broken[at] ^= 1 << source.randrange(8)
            case 1:
                broken[at] = source.choice((0, 1, 0x7F, 0x80, 0xFF))
            case 2:
                broken[at : at + 2] = source.choice((b"\0\0", b"\xff\xff", b"\x80\0"))
            case 3:
                del broken[at : at + source.randint(1, 8)]
            case 4:
                broken[at:at] = source.randbytes(source.randint(1, 8))
            case 5:
                del broken[at + 1 :]
    return bytes(broken)
