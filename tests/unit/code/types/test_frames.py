"""The StackMapTable decoder, by hand."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from core.classfile.format_error import ClassFormatError
from core.code.types.stack_types import Frame, Slot, frames
from tests.support.rows import rows

NAMES = {7: "a/B", 9: "[[I", 11: ";"}
START: list[Slot] = ["a/This", 0, False, "a/B"]  # receiver, a long, a class
TOP, INT, FLOAT, DOUBLE, LONG, NULL, THIS = (bytes([tag]) for tag in range(7))


def u2(number: int) -> bytes:
    return struct.pack(">H", number)


def cls(index: int) -> bytes:
    return b"\x07" + u2(index)


def decode(*rows: bytes, initial: Sequence[Slot] = START) -> dict[int, Frame]:
    return frames(u2(len(rows)) + b"".join(rows), initial, NAMES, {})


def test_each_kind_of_frame_and_the_frame_before_the_first() -> None:
    found = decode(
        b"\x00",  # same, at 0
        b"\x3f",  # same, at 64
        b"\x41" + cls(7),  # one on the stack, 66
        b"\xf7" + u2(300) + LONG,  # the same, far away: 367
        b"\xfb" + u2(0),  # same, far away: 368
        b"\xfe" + u2(1) + INT + DOUBLE + NULL,  # append three: 370
        b"\xfa" + u2(0),  # chop one: 371
        b"\xf9" + u2(0),  # chop two, a double among them: 372
        b"\xf8" + u2(0),  # chop three: 373
        b"\xff" + u2(0) + u2(3) + cls(9) + TOP + FLOAT + u2(2) + cls(11) + b"\x08" + u2(5),  # full: 374
        b"\xff" + u2(0) + u2(1) + THIS + u2(0),
        b"\x00",  # as the full one
    )
    assert list(found) == [0, 64, 66, 367, 368, 370, 371, 372, 373, 374, 375, 376]
    assert found[0] == found[64] == found[368] == (START, [])
    assert found[66] == (START, ["a/B"])
    assert found[367] == (START, [0, 0])
    assert found[370] == ([*START, 0, 0, 0, ""], [])
    assert found[371] == ([*START, 0, 0, 0], [])
    assert found[372] == (START, [])
    assert found[373] == ([], [])
    assert found[374] == (["[[I", None, 0], [";", 6])
    assert found[375] == found[376] == ([-1], [])


def test_the_classes_that_frames_name_are_noted() -> None:
    mentioned: dict[int, None] = {}
    frames(u2(2) + b"\x40" + cls(9) + b"\xfc\0\0" + cls(7), [], NAMES, mentioned)
    assert list(mentioned) == [9, 7]


@rows(
    ("data", "reason"),
    [
        (b"", "cut off"),
        (b"\0", "cut off"),
        (u2(1), "cut off"),
        (u2(1) + b"\xff" + u2(0), "cut off"),
        (u2(1) + b"\x40\x07\0", "cut off"),
        (u2(1) + b"\x40\x09", "verification type 9"),
        (u2(1) + b"\x80", "kind of frame 128"),
        (u2(1) + b"\xf6", "kind of frame 246"),
        (u2(1) + b"\0\0", "longer"),
        (u2(2) + b"\xf8\0\0" + b"\xfa\0\0", "chops more"),
    ],
)
def test_malformed(data: bytes, reason: str) -> None:
    with pytest.raises(ClassFormatError, match=reason):
        frames(data, START, NAMES, {})


def test_frames_cannot_use_up_the_memory() -> None:
    rows = 5000
    many = u2(1 + rows) + b"\xff" + u2(0) + u2(60_000) + TOP * 60_000 + u2(0) + (b"\xfc\0\0" + INT) * rows
    with pytest.raises(ClassFormatError, match="too complex"):
        frames(many, [], NAMES, {})
