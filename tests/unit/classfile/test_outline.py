"""Outlines of class files: those of a full parse, wherever they are told at all."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

from core.classfile.class_file import ClassFormatError, parse
from core.classfile.outline import Outline, SharedNames, outline
from core.model.reading.class_reading import ClassReading, read_class
from tests.support.damage import damaged
from tests.support.references import references


def parsed(data: bytes) -> Outline | None:
    """What a full parse tells; None for what is no correct class file."""
    try:
        cf = parse(data)
        version, sizes = (cf.version.major, cf.version.minor), (len(cf.fields), len(cf.methods))
        return Outline(cf.name, cf.superclass, cf.interface_names, cf.access, version, *sizes, references(cf))
    except ClassFormatError:
        return None


def told(data: bytes, names: SharedNames) -> Outline | None:
    """The outline; None for what is no correct class file."""
    try:
        return outline(data, names)
    except ClassFormatError:
        return None


def test_every_class_of_the_zoo(zoo: Path) -> None:
    names = SharedNames()
    for file in sorted(zoo.rglob("*.class")):
        data = file.read_bytes()
        assert outline(data, names) == parsed(data), file


def test_damaged_ones_are_never_told_wrong(zoo: Path) -> None:
    source = random.Random(5)
    whole = [file.read_bytes() for file in sorted(zoo.rglob("*.class"))]
    names, outcomes = SharedNames(), Counter[str]()
    for turn in range(3000):
        data = damaged(whole[turn % len(whole)], source)
        found, right = told(data, names), parsed(data)
        assert found is None or found == right
        outcomes["refused" if right is None else "told" if found else "refused alone"] += 1
    assert outcomes["told"] > 300, outcomes
    assert outcomes["refused"] > 300, outcomes
    assert outcomes["refused alone"] < 20, outcomes


def test_every_cut(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo$Point.class").read_bytes()
    assert not any(told(data[:length], SharedNames()) for length in range(len(data)))


def test_a_reading_tells_what_the_outline_tells(zoo: Path) -> None:
    names = SharedNames()
    data = (zoo / "zoo" / "Zoo$Point.class").read_bytes()
    reading = read_class(3, data, None, names)
    assert isinstance(reading, ClassReading)
    assert reading.node.entry == 3
    assert (reading.node.name, reading.mentions) == ("zoo/Zoo$Point", references(parse(data)))
    assert read_class(3, data + b"!", None, names) == "there are 1 bytes behind the end of the class"
