"""Class files whose strings are shared, as ``jlink --compress=1`` writes them, and back to the bytes of javac."""

from __future__ import annotations

import re

import pytest

from core.library.jimage import restore
from tests.support.java import CompileJava

_SIZES = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
_SOURCE = """package p.q;
public class Shared {
    static final long LONG = 1L << 40; static final double DOUBLE = 2.5; static final float FLOAT = 1.5f;
    java.util.Map<String, int[]> some(java.util.List<p.q.Shared> list, long number, String[][] texts) {
        Runnable one = () -> System.out.println(list.size() + number);
        return null;
    }
    java.util.function.Supplier<java.time.Instant> now() { return java.time.Instant::now; }
    Object word() { return "Ljava/lang/String; is no descriptor \\u00e4"; }
}
"""


class Strings:
    """The strings of an image; ``first`` are there before."""

    def __init__(self, first: int) -> None:
        self.texts = [b"%d" % number for number in range(first)]

    def number(self, text: bytes) -> int:
        """The index of a string."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)


def _index(number: int, wide: bool) -> bytes:
    """An index as an image has it: its highest bit and the count of its bytes, or four bytes."""
    if wide:
        return number.to_bytes(4, "big")
    size = 1 if number < 1 << 5 else 2 if number < 1 << 13 else 3
    data = bytearray(number.to_bytes(size, "big"))
    data[0] |= 0x80 | size << 5
    return bytes(data)


def _shared(data: bytes, strings: Strings, wide: bool) -> bytes:
    """The class file with each text an index: descriptors without their class names, other texts whole."""
    count, at, place, parts = int.from_bytes(data[8:10], "big"), 10, 1, [data[:10]]
    while place < count:
        tag = data[at]
        size = 3 + int.from_bytes(data[at + 1 : at + 3], "big") if tag == 1 else 1 + _SIZES[tag]
        text = data[at + 3 : at + size]
        if tag != 1:
            parts.append(data[at : at + size])
        elif re.fullmatch(rb"[(\[]*(?:[\[()BCDFIJSZV]|L[\w/$]+;)*", text) and b"L" in text:
            names = b""
            for name in re.findall(rb"L([\w/$]+);", text):
                package, _, simple = name.rpartition(b"/")
                names += _index(strings.number(package), wide) + _index(strings.number(simple), wide)
            bare = strings.number(re.sub(rb"L[\w/$]+;", b"L;", text))
            parts.append(b"\x19" + _index(bare, wide) + _index(len(names), wide) + names)
        else:
            parts.append(b"\x17" + _index(strings.number(text), wide))
        at, place = at + size, place + (2 if tag in (5, 6) else 1)
    return b"".join((*parts, data[at:]))


@pytest.mark.parametrize(("first", "wide"), [(0, False), (40, False), (9000, False), (0, True)])
def test_shared_strings_come_back(compile_java: CompileJava, first: int, wide: bool) -> None:
    folder = compile_java(
        {"p/q/Shared.java": _SOURCE, "Bare.java": "class Bare { Bare me; Bare[] all(Bare a) { return null; } }"}
    )
    for name in ("p/q/Shared.class", "Bare.class"):
        data, strings = (folder / name).read_bytes(), Strings(first)
        short = _shared(data, strings, wide)
        assert b"java/lang/Object" not in short
        assert restore(short, strings.texts.__getitem__) == data


def test_unknown_constants_and_strings_are_refused(compile_java: CompileJava) -> None:
    data = (compile_java({"Bare.java": "class Bare {}"}) / "Bare.class").read_bytes()
    with pytest.raises(ValueError, match="unknown constant kind 99"):
        restore(data[:10] + b"\x63" + data[11:], [].__getitem__)
    with pytest.raises(IndexError):
        restore(data[:10] + b"\x17\xa1" + data[11:], [].__getitem__)
    with pytest.raises(IndexError):
        restore(_shared(data, Strings(0), False)[:14], Strings(90).texts.__getitem__)
