"""Damaged bytes."""

from __future__ import annotations

import random


def damaged(data: bytes, dice: random.Random, most: int = 4) -> bytes:
    """Flips, cuts, doublings, insertions."""
    broken = bytearray(data)
    for _ in range(dice.randint(1, most)):
        if not broken:
            break
        at, length = dice.randrange(len(broken)), dice.randint(1, 8)
        match dice.randrange(7):
            case 0:
                broken[at] ^= 1 << dice.randrange(8)
            case 1:
                broken[at] = dice.choice((0, 1, 0x7F, 0x80, 0xFF))
            case 2:
                broken[at : at + 2] = dice.choice((b"\0\0", b"\xff\xff", b"\x80\0"))
            case 3:
                del broken[at : at + length]
            case 4:
                broken[at:at] = dice.randbytes(length)
            case 5:
                other = dice.randrange(len(broken))
                broken[at:at] = broken[other : other + dice.randint(1, 400)]
            case 6 if dice.random() < 0.2:
                del broken[at:]
    return bytes(broken)
