"""Damaged classes: found at once, refused or written."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from core.classfile.class_file import ClassFile, ClassFormatError, parse
from core.classfile.symbolic.part_kinds import PartKind
from core.parts.parts import parts
from core.parts.rewriter import Rewriter
from tests.support.damage import damaged
from tests.support.rebuilt_class import rebuilt
from tests.support.rewriting import (
    Without,
    anyhow,
)
from tests.support.rows import rows


def damage(cf: ClassFile, name: str, change: Callable[[bytes], bytes]) -> ClassFile:
    """The class with the first attribute called *name*, wherever it stands, changed."""
    data = rebuilt(cf)
    for table in (cf, *cf.fields, *cf.methods):
        for found, content in table.attributes.rows():
            if found == name:
                new = change(content)
                old = len(content).to_bytes(4, "big") + content
                assert data.count(old) >= 1
                return parse(data.replace(old, len(new).to_bytes(4, "big") + new, 1))
    raise AssertionError(name)


@rows(
    "name",
    [
        "BootstrapMethods", "InnerClasses", "Signature", "Code", "Exceptions", "RuntimeVisibleAnnotations",
        "RuntimeVisibleParameterAnnotations", "RuntimeVisibleTypeAnnotations", "MethodParameters", "SourceFile",
        "NestMembers", "ConstantValue",
    ],
)  # fmt: skip
def test_damaged_attributes_are_found_at_once(a: ClassFile, name: str) -> None:
    Rewriter(a, parts(a, "member"))
    for change in (
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: b"\xff" * len(content),
    ):
        with pytest.raises(ClassFormatError):
            Rewriter(damage(a, name, change), ())


def test_damaged_classes_are_refused_or_written(zoo: Path) -> None:
    """Flipped bytes: :class:`ClassFormatError` when the rewriter is made, or something that can be read."""
    source = random.Random(3)
    whole = [file.read_bytes() for file in sorted(zoo.rglob("*.class"))]
    outcomes = {"refused": 0, "written": 0}
    for turn in range(1500):
        try:
            cf = parse(damaged(whole[turn % len(whole)], source))
            found = parts(cf, "full")
            rewriter = Rewriter(cf, found)
        except ClassFormatError:
            outcomes["refused"] += 1
            continue
        result = parse(rewriter.write(anyhow(found, source, (PartKind.BOOTSTRAP,)), Without("zoo/Kind", "zoo/Mark")))
        Rewriter(result, parts(result, "full"))
        outcomes["written"] += 1
    assert min(outcomes.values()) > 50, outcomes
