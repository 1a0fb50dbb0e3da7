"""The instruction scan, against javap and by hand."""

from __future__ import annotations

import re
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.classfile.class_file import ClassFormatError, parse
from core.classfile.instructions import BRANCH, LOCAL, POOL, Instruction, instructions
from core.library.jdk import QUICK_TOOL
from tests.support.rows import rows


def scan(code: bytes) -> list[tuple[int, ...]]:
    return [tuple(instruction) for instruction in instructions(code)]


@rows(
    ("code", "expected"),
    [
        (b"\x00\xb1", [(0, 0x00, 0, (), 1), (1, 0xB1, 0, (), 1)]),
        (b"\x10\xff", [(0, 0x10, -1, (), 2)]),
        (b"\x11\x80\x00", [(0, 0x11, -32768, (), 3)]),
        (b"\x12\xff", [(0, 0x12, 255, (), 2)]),
        (b"\x14\x01\x00", [(0, 0x14, 256, (), 3)]),
        (b"\x15\xff", [(0, 0x15, 255, (), 2)]),
        (b"\x84\xff\x80", [(0, 0x84, 255, (-128,), 3)]),
        (b"\xc4\x84\x01\x00\xfc\x18", [(0, 0x84, 256, (-1000,), 6)]),
        (b"\xc4\x15\x01\x00\xc4\xa9\x02\x00", [(0, 0x15, 256, (), 4), (4, 0xA9, 512, (), 4)]),
        (b"\x00\xa7\xff\xff", [(0, 0x00, 0, (), 1), (1, 0xA7, 0, (), 3)]),
        (b"\x00\xc8\xff\xff\xff\xff", [(0, 0x00, 0, (), 1), (1, 0xC8, 0, (), 5)]),
        (b"\xb9\x00\x07\x02\x00", [(0, 0xB9, 7, (2,), 5)]),
        (b"\xba\x00\x07\x00\x00", [(0, 0xBA, 7, (), 5)]),
        (b"\xbc\x0a", [(0, 0xBC, 10, (), 2)]),
        (b"\xc5\x00\x09\x03", [(0, 0xC5, 9, (3,), 4)]),
    ],
)
def test_forms(code: bytes, expected: list[tuple[int, ...]]) -> None:
    assert scan(code) == expected


@pytest.mark.parametrize("shift", range(4))
def test_switches_at_every_alignment(shift: int) -> None:
    padding = bytes(-(shift + 1) % 4)
    table = bytes(shift) + b"\xaa" + padding + struct.pack(">iiiii", -shift, -1, 1, 1, 2)[:12]
    table += struct.pack(">iii", 0, 1, 2)
    found = scan(table)[-1]
    assert found == (shift, 0xAA, 0, (shift, shift + 1, shift + 2), len(table) - shift)
    lookup = bytes(shift) + b"\xab" + padding + struct.pack(">iiiiii", 0, 2, -9, 1, 1 << 30, 2)
    assert scan(lookup)[-1] == (shift, 0xAB, shift, (shift + 1, shift + 2), len(lookup) - shift)
    empty = bytes(shift) + b"\xab" + padding + struct.pack(">ii", 0, 0)
    assert scan(empty)[-1] == (shift, 0xAB, shift, (), len(empty) - shift)


@rows(
    ("code", "reason"),
    [
        (b"\x10", "cut off"),
        (b"\xb9\0\0\0", "cut off"),
        (b"\xca", "unknown opcode 202"),
        (b"\xff", "unknown opcode 255"),
        (b"\xc4", "cut off"),
        (b"\xc4\xb1", "cannot be wide"),
        (b"\xc4\xc4\0\0", "cannot be wide"),
        (b"\xc4\x84\0\0\0", "cut off"),
        (b"\xa7\x00\x03", "jumps out"),
        (b"\xa7\xff\xff", "jumps out"),
        (b"\xaa\0\0\0" + struct.pack(">iii", 0, 5, 4), "has 0 cases"),
        (b"\xaa\0\0\0" + struct.pack(">iii", 0, -(1 << 31), (1 << 31) - 1), "cases"),
        (b"\xab\0\0\0" + struct.pack(">ii", 0, -1), "has -1 cases"),
        (b"\xab\0\0\0" + struct.pack(">ii", 0, (1 << 31) - 1), "cases"),
        (b"\xab\0\0\0" + struct.pack(">iiii", 0, 1, 1, 99), "jumps out"),
        (b"\xab\0", "cut off"),
    ],
)
def test_malformed(code: bytes, reason: str) -> None:
    with pytest.raises(ClassFormatError, match=reason):
        scan(code)


@given(st.binary(min_size=1, max_size=60))
def test_any_bytes(code: bytes) -> None:
    try:
        found = list(instructions(code))
    except ClassFormatError:
        return
    assert sum(instruction.length for instruction in found) == len(code)
    assert [found[0].offset, *(i.offset + i.length for i in found[:-1])] == [i.offset for i in found]


LINE = re.compile(r"^\s+(\d+): (\w+)(?:\s+([^/{]+?))?(?:\s*//.*| *\{.*)?$")


def shown_by_javap(file: Path) -> list[list[tuple[int, str, str]]]:
    """For each method with code, in order: offset, mnemonic, operands."""
    listing = subprocess.run(
        ["javap", *QUICK_TOOL, "-c", "-p", file], capture_output=True, text=True, check=True
    ).stdout
    methods: list[list[tuple[int, str, str]]] = []
    inside_switch = handlers = False
    for line in listing.splitlines():
        if line.strip() == "Code:":
            methods.append([])
            handlers = False
        elif "Exception table:" in line:
            handlers = True
        elif inside_switch:
            inside_switch = line.strip() != "}"
        elif not handlers and methods and (match := LINE.match(line)):
            methods[-1].append((int(match[1]), match[2], match[3] or ""))
            inside_switch = match[2].endswith("switch")
    return methods


def test_against_javap(zoo: Path) -> None:
    file = zoo / "zoo" / "Zoo.class"
    cf = parse(file.read_bytes())
    ours = [list(instructions(method.code.code)) for method in cf.methods if method.code]
    theirs = shown_by_javap(file)
    assert len(ours) == len(theirs)
    seen = set()
    for mine, listed in zip(ours, theirs, strict=True):
        assert [i.offset for i in mine] == [offset for offset, _, _ in listed]
        for instruction, (_, mnemonic, operands) in zip(mine, listed, strict=True):
            seen.add(mnemonic)
            check_operand(instruction, operands)
    assert {"iinc", "iinc_w", "iload_w", "istore_w", "tableswitch", "lookupswitch", "invokedynamic"} <= seen
    assert {"multianewarray", "invokeinterface", "athrow", "instanceof", "checkcast"} <= seen


def check_operand(instruction: Instruction, operands: str) -> None:
    numbers = [int(number) for number in re.findall(r"-?\d+", operands)]
    if instruction.opcode in POOL | LOCAL | BRANCH and numbers:
        assert instruction.operand == numbers[0]
    if instruction.opcode == 0x84:
        assert instruction.extra == (numbers[1],)


@pytest.mark.parametrize(("method", "expected"), [("loop", [-1000, -1, 1000]), ("step", [-1, 100])])
def test_negative_and_wide_steps(zoo: Path, method: str, expected: list[int]) -> None:
    cf = parse((zoo / "zoo" / "Zoo.class").read_bytes())
    steps = [
        i.extra[0]
        for i in instructions(next(each.code.code for each in cf.methods if each.name_text == method))
        if i.opcode == 0x84
    ]
    assert sorted(steps) == expected
