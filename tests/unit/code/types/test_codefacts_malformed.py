"""Code that no compiler makes, written by hand: broken, or made to cost much."""

from __future__ import annotations

import struct
import time
from collections.abc import Callable

import pytest

from core.classfile.format_error import ClassFormatError
from tests.support.assembled import (
    FULL,
    Maker,
    frames,
    one_stack,
    u2,
)
from tests.support.rows import rows

A = "(Lt/A;)V"


@rows(
    ("code", "reason"),
    [
        (b"\x57\xb1", "malformed"),  # pop of nothing
        (b"\x58\xb1", "malformed"),
        (b"\x94\xb1", "malformed"),
        (b"\x5a\xb1", "malformed"),
        (b"\x59\xb1", "malformed"),
        (b"\xb8{take}\xb1", "malformed"),
        (b"\x19\xff\xb1", "malformed"),  # a variable beyond the last
        (b"\x2a\x3a\xff\xb1", "malformed"),
        (b"\x2a", "falls off"),
        (b"\x00\xa7\xff\xff", None),
        (b"\xa7\x00\x01", "into an instruction"),
        (b"\xa7\x00\x09", "out of the code"),
        (b"\xb8\x00", "malformed"),
        (b"\xaa\x00", "cut off|malformed"),
        (b"\xff", "unknown opcode|cut off|malformed"),
        (b"\xc4\xb1", "cannot be wide"),
        (b"\xb8\x00\x00\xb1", "wrong kind"),
        (b"\xb8\xff\xff\xb1", "wrong kind"),
        (b"\xbb\xff\xff\xb1", "wrong kind|as a class"),
        (b"\xbb{take}\xb1", "wrong kind|as a class"),
        (b"\x12\x00\xb1", "wrong kind"),
        (b"\x14{class}\xb1", "wrong instruction"),
        (b"\x2a\xb7{init}\xb1", "no new object"),
        (b"\xa9\x00", "no return address"),
        (b"\x03\xbc\x01\x57\xb1", "kind of array"),
        (b"\x03\xc5{class}\x01\x57\xb1", "dimensions"),
        (b"\x03\xc5{array}\x00\x57\xb1", "dimensions"),
        (b"\x2a\xc6\x00\x04\x03\xb1", "different heights|stack"),  # one way with an int, one without
    ],
)
@rows("major", [48, 52])
def test_malformed(code: bytes, reason: str | None, major: int) -> None:
    maker = Maker(major)
    for name, index in (
        (b"{take}", maker.ref("t/T", "take", "(Lt/I;)V")),
        (b"{init}", maker.ref("t/A", "<init>", "()V")),
        (b"{class}", maker.cls("t/A")),
        (b"{array}", maker.cls("[Lt/A;")),
    ):
        code = code.replace(name, u2(index))
    if reason is None:  # nothing wrong: it never ends
        maker.method(A, code)
        assert maker.facts().subtypes == ()
        return
    maker.method(A, code)
    with pytest.raises(ClassFormatError, match=reason):
        maker.facts()


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (frames(b"\x02", b"\x01"), "reaches over"),  # in the middle of the goto
        (frames(b"\x04", b"\x20"), "outside"),
        (frames(one_stack(4, 1)), "as a class|stack is 0"),
        (frames(FULL + u2(4) + u2(11) + b"\0" * 11 + u2(0)), "more variables"),
        (b"\0", "cut off"),
    ],
)
def test_malformed_frames(table: bytes, reason: str) -> None:
    maker = Maker()
    maker.method(A, b"\x00\xa7\0\3\xb1", frames=table)
    with pytest.raises(ClassFormatError, match=reason):
        maker.facts()
    fallback = Maker(major=50)
    fallback.method(A, b"\x00\xa7\0\3\xb1", frames=table)
    assert fallback.facts().subtypes == (), "version 50 is verified the old way then"


@pytest.mark.parametrize("handler", [(0, 0, 0, 0), (2, 1, 0, 0), (0, 9, 0, 0), (0, 1, 9, 0), (0, 1, 0, 999)])
def test_malformed_handlers(handler: tuple[int, int, int, int]) -> None:
    maker = Maker()
    maker.method(A, b"\x00\xb1", handlers=(handler,), frames=frames(one_stack(0, maker.cls("t/E"))))
    with pytest.raises(ClassFormatError):
        maker.facts()


def hostile_variables() -> Maker:
    """Every one of ten thousand jumps compares 65,000 variables."""
    maker, jumps = Maker(), 10_000
    rows = [FULL + u2(3) + u2(65_000) + b"\1" * 65_000 + u2(0)] + [b"\x03"] * jumps
    code = b"\xa7\0\3" + b"\x03\x99\0\3" * jumps + b"\xb1"
    maker.method("()V", code, variables=65_535, frames=frames(*rows))
    return maker


def hostile_handlers() -> Maker:
    """Every one of 20,000 stores concerns 60,000 handlers."""
    maker = Maker()
    row = FULL + u2(40_001) + u2(0) + u2(1) + b"\7" + u2(maker.cls("java/lang/Throwable"))
    handlers = ((0, 40_000, 40_001, 0),) * 60_000
    maker.method(A, b"\x2a\x4b" * 20_000 + b"\xb1\xbf", variables=1, handlers=handlers, frames=frames(row))
    return maker


def hostile_objects() -> Maker:
    """Every one of 6,000 constructors looks through a stack of 20,000."""
    maker = Maker()
    new, init = u2(maker.cls("t/A")), u2(maker.ref("t/A", "<init>", "()V"))
    maker.method(A, b"\x2a" * 20_000 + (b"\xbb" + new + b"\xb7" + init) * 6_000 + b"\xb1")
    return maker


def hostile_sets() -> Maker:
    """A variable that may hold one type more after each of 3,000 choices."""
    maker, code = Maker(major=48), b""
    for number in range(3_000):
        code += b"\x1b\x99\0\x08\x01\xc0" + u2(maker.cls(f"t/LongEnoughToBeSeen{number}")) + b"\x4b"
    maker.method("(Lt/A;I)V", code + b"\xb1")
    return maker


def hostile_loops() -> Maker:
    """The same, and each choice may go back to the start."""
    maker, code = Maker(major=48), b""
    for number in range(2_000):
        code += b"\x1b\x99\0\x08\x01\xc0" + u2(maker.cls(f"t/A{number}")) + b"\x4b"
        code += b"\x1b\x99" + struct.pack(">h", -1 - len(code))
    maker.method("(Lt/A;I)V", code + b"\xb1")
    return maker


@pytest.mark.parametrize("make", [hostile_variables, hostile_handlers, hostile_objects, hostile_sets, hostile_loops])
def test_code_that_would_cost_the_square_of_its_size_is_given_up(make: Callable[[], Maker]) -> None:
    maker = make()
    start = time.process_time()
    with pytest.raises(ClassFormatError, match="too complex"):
        maker.facts()
    assert time.process_time() - start < 10
