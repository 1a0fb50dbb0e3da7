"""Class files as compilers before Java 6 wrote them: without frames."""

from __future__ import annotations

import struct

from core.classfile.class_file import ClassFile
from core.code.types.code_facts import CodeFacts


def made_old(cf: ClassFile, major: int = 49) -> bytes:
    """*cf* without frames, in an older version."""
    for method in cf.methods:
        if method.code is not None:
            table = method.code.attributes
            table._table = [row for row in table._table if cf.constants.text(row[0]) != "StackMapTable"]
    data = cf.to_bytes()
    return data[:6] + struct.pack(">H", major) + data[8:]


def without_merges(facts: CodeFacts) -> set[tuple[str, str, str]]:
    return {fact for fact in facts.subtypes if fact[2] != "merge"}
