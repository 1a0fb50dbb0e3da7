"""Class files as compilers before Java 6 wrote them: without frames."""

from __future__ import annotations

import struct

from core.classfile.class_file import ClassFile
from core.code.types.code_facts import CodeFacts
from tests.support.rebuilt_class import put, rebuilt

FRAMES = "StackMapTable"


def made_old(cf: ClassFile, major: int = 49) -> bytes:
    """*cf* without frames, in an older version."""
    for method in cf.methods:
        if method.code is not None:
            code = method.code
            code.attributes._table = [row for row in code.attributes._table if cf.constants.text(row[0]) != FRAMES]
            put(method, code)
    data = rebuilt(cf)
    return data[:6] + struct.pack(">H", major) + data[8:]


def without_merges(facts: CodeFacts) -> set[tuple[str, str, str]]:
    return {fact for fact in facts.subtypes if fact[2] != "merge"}
