"""Damaged class files: a class or ClassFormatError, and nothing else."""

from __future__ import annotations

import random
from pathlib import Path

from core.classfile.class_file import ClassFile, ClassFormatError, parse
from core.classfile.instructions import instructions
from core.classfile.outline import references
from tests.support.damage import damaged
from tests.support.rebuilt_class import rebuilt


def look_at_everything(cf: ClassFile) -> None:
    assert isinstance(cf.name, str)
    references(rebuilt(cf))
    for method in cf.methods:
        if method.code:
            assert sum(instruction.length for instruction in instructions(method.code.code)) == len(method.code.code)


def test_mutations(zoo: Path) -> None:
    source = random.Random(2)
    whole = [file.read_bytes() for file in sorted(zoo.rglob("*.class"))]
    outcomes = {"read": 0, "refused late": 0, "refused": 0}
    for turn in range(1500):
        data = damaged(whole[turn % len(whole)], source)
        try:
            cf = parse(data)
        except ClassFormatError:
            outcomes["refused"] += 1
            continue
        assert rebuilt(cf) == data
        try:
            look_at_everything(cf)
            outcomes["read"] += 1
        except ClassFormatError:
            outcomes["refused late"] += 1
    assert all(count > 20 for count in outcomes.values()), outcomes


def test_every_cut(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo$Point.class").read_bytes()
    for length in range(len(data)):
        try:
            parse(data[:length])
        except ClassFormatError:
            continue
        raise AssertionError(f"cut after {length} of {len(data)} bytes and still read")
