"""Damaged class files: a class or ClassFormatError, nothing else, and quickly."""

from __future__ import annotations

import random
import time
from pathlib import Path

from core.classfile.class_file import ClassFile, ClassFormatError, parse
from core.classfile.instructions import instructions
from core.classfile.references import references


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


def look_at_everything(cf: ClassFile) -> None:
    assert isinstance(cf.name, str)
    references(cf)
    for method in cf.methods:
        if method.code:
            assert sum(instruction.length for instruction in instructions(method.code.code)) == len(method.code.code)


def test_mutations(zoo: Path) -> None:
    source = random.Random(2)
    whole = [file.read_bytes() for file in sorted(zoo.rglob("*.class"))]
    outcomes = {"read": 0, "refused late": 0, "refused": 0}
    start = time.monotonic()
    for turn in range(1500):
        data = mutated(whole[turn % len(whole)], source)
        try:
            cf = parse(data)
        except ClassFormatError:
            outcomes["refused"] += 1
            continue
        assert cf.to_bytes() == data
        try:
            look_at_everything(cf)
            outcomes["read"] += 1
        except ClassFormatError:
            outcomes["refused late"] += 1
    assert all(count > 20 for count in outcomes.values()), outcomes
    assert time.monotonic() - start < 60


def test_every_cut(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo$Point.class").read_bytes()
    for length in range(len(data)):
        try:
            parse(data[:length])
        except ClassFormatError:
            continue
        raise AssertionError(f"cut after {length} of {len(data)} bytes and still read")
