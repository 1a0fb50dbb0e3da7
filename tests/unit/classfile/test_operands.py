"""The operands of instructions, among long ones and in broken code."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.classfile.class_file import ClassFormatError, parse
from core.classfile.instructions import POOL, instructions, pool_operands


def test_operands_are_those_of_the_instructions(zoo: Path) -> None:
    for file in sorted(zoo.rglob("*.class")):
        for method in parse(file.read_bytes()).methods:
            if method.code:
                code = method.code.code
                expected = [step.offset + 1 for step in instructions(code) if step.opcode in POOL]
                assert pool_operands(code) == expected


def wide_and_far() -> bytes:
    """Each instruction that is longer than it looks, a switch at each alignment, and constants in between."""
    parts = [b"\x12\x05"]
    for padding in range(4):
        parts.append(b"\x00" * padding)
        start = sum(map(len, parts))
        fill = b"\0" * (3 - start % 4)
        parts.append(b"\xaa" + fill + b"\0\0\0\0" + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\0" * 2 + b"\x13\0\5")
        start = sum(map(len, parts))
        fill = b"\0" * (3 - start % 4)
        parts.append(b"\xab" + fill + b"\0\0\0\0" + b"\0\0\0\1" + b"\0\0\0\x12\0\0\0\0" + b"\xb2\0\5")
    parts.append(b"\xc4\x84\0\1\0\x12" + b"\xc4\x15\0\x12" + b"\xc4\xa9\0\x12" + b"\xc8\0\0\0\0")
    parts.append(b"\x10\x12\x11\x12\x12")
    parts.append(b"\xb9\0\5\1\0" + b"\xba\0\5\0\0" + b"\xc5\0\5\2" + b"\xbc\x0a" + b"\xa8\0\0" + b"\xc9\0\0\0\0\xb1")
    return b"".join(parts)


def test_operands_among_long_instructions() -> None:
    code = wide_and_far()
    assert pool_operands(code) == [step.offset + 1 for step in instructions(code) if step.opcode in POOL]
    for length in range(len(code)):
        try:
            list(instructions(code[:length]))
        except ClassFormatError:
            pass
        else:
            pool_operands(code[:length])


@pytest.mark.parametrize("code", [b"\x13\0", b"\xca", b"\xaa\0\0\0", b"\xc4\x12\0\1", b"\x10", b"\xc5\0\1"])
def test_operands_of_broken_code(code: bytes) -> None:
    with pytest.raises(ClassFormatError):
        pool_operands(code)
