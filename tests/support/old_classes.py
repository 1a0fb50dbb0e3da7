"""Class files as compilers before Java 6 wrote them: without frames."""

from __future__ import annotations

import struct

from core.classfile.class_file import ClassFile
from core.classfile.tables import attribute_rows
from core.code.types.code_facts import CodeFacts
from tests.support.rebuilt_class import put, rebuilt

FRAMES = "StackMapTable"


def made_old(cf: ClassFile, major: int = 49) -> bytes:
    """*cf* without frames, in an older version."""
    for method in cf.methods:
        code = method.code
        if code is not None:
            inside, _ = attribute_rows(cf.constants.text, method.attributes.raw("Code"), code.end)
            put(method, code, [row for row in inside if cf.constants.text(row[0]) != FRAMES])
    data = rebuilt(cf)
    return data[:6] + struct.pack(">H", major) + data[8:]


def without_merges(facts: CodeFacts) -> set[tuple[str, str, str]]:
    return {fact for fact in facts.subtypes if fact[2] != "merge"}
