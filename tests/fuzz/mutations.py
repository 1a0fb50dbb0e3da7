"""Damage: of any bytes, and of class files where it hurts (constants, counts, code)."""

from __future__ import annotations

import random
import struct

from tests.support.damage import damaged

INDEXES = {7: (1,), 8: (1,), 9: (1, 3), 10: (1, 3), 11: (1, 3), 12: (1, 3), 15: (2,), 16: (1,), 17: (1, 3), 18: (1, 3)}
"""Tag of a constant -> offsets of the pool indexes in it."""
SIZES = {3: 5, 4: 5, 5: 9, 6: 9, 7: 3, 8: 3, 9: 5, 10: 5, 11: 5, 12: 5, 15: 4, 16: 3, 17: 5, 18: 5, 19: 3, 20: 3}

TEXTS = (
    b"",
    b"/",
    b"[",
    b"(",
    b"()",
    b"L;",
    b"()V",
    b"([",
    b"[" * 300 + b"I",
    b"a/" * 3000 + b"B",
    b"\xed\xa0\x80",
    b"\xc0\x80",
    b"\xff\xfe",
    b"<init>",
    b"<clinit>",
    b"java/lang/Object",
    b"Code",
    b"StackMapTable",
    b"Signature",
    b"Record",
    b"<T:" * 2000,
    b"L" + b"a<L" * 2000,
    b"\x1b[31mred\x07",
    b"a.b.C",
    b"../../evil",
    b"module-info",
    b"x" * 65535,
    b"(" + b"J" * 255 + b")V",
    b"BootstrapMethods",
    b"InnerClasses",
    b"NestHost",
    b"PermittedSubclasses",
)


def of_class(data: bytes, dice: random.Random) -> bytes:
    """Constants that point elsewhere, have another tag or text; else as any bytes."""
    for _ in range(dice.choice((1, 1, 2, 6))):
        try:
            data = _constant(data, dice) if dice.random() < 0.6 else damaged(data, dice, 1)
        except (struct.error, IndexError, KeyError, ValueError):
            data = damaged(data, dice, 1)
    return data


def _constant(data: bytes, dice: random.Random) -> bytes:
    places = constants(data)
    at = dice.choice(places)
    tag = data[at]
    if tag == 1:
        end = at + 3 + int.from_bytes(data[at + 1 : at + 3], "big")
        text = dice.choice(TEXTS) if dice.random() < 0.7 else damaged(data[at + 3 : end], dice)[:65535]
        return data[: at + 1] + len(text).to_bytes(2, "big") + text + data[end:]
    if tag not in INDEXES or dice.random() < 0.2:
        return data[:at] + bytes([dice.choice(sorted(SIZES))]) + data[at + 1 :]
    place = at + dice.choice(INDEXES[tag])
    index = dice.choice((0, 0xFFFF, len(places) + 1, *[dice.randrange(len(places)) + 1] * 5))
    return data[:place] + index.to_bytes(2, "big") + data[place + 2 :]


def constants(data: bytes) -> list[int]:
    """Offsets of the constants. Raises KeyError, IndexError or ValueError for what is none."""
    count, at, found = int.from_bytes(data[8:10], "big"), 10, []
    number = 1
    while number < count:
        found.append(at)
        tag = data[at]
        at += 3 + int.from_bytes(data[at + 1 : at + 3], "big") if tag == 1 else SIZES[tag]
        number += 2 if tag in (5, 6) else 1
    if not found:
        raise ValueError("no constants")
    return found
