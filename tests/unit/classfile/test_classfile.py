"""Class files in and out: strings, numbers, every kind of constant, attributes, damage."""

from __future__ import annotations

import gc
import itertools
import math
import struct
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.classfile import pool as pools
from core.classfile.class_file import ClassFormatError, collector_paused, parse
from core.classfile.instructions import instructions
from core.classfile.outline import references
from core.classfile.pool import RawText, decode, encode
from core.classfile.tables import code_attributes
from core.errors import InputError
from core.library.jdk import QUICK_TOOL
from tests.support.rebuilt_class import put, rebuilt
from tests.support.rows import rows


def u2(*numbers: int) -> bytes:
    return struct.pack(f">{len(numbers)}H", *numbers)


def utf8(text: str) -> bytes:
    return b"\x01" + u2(len(encode(text))) + encode(text)


def class_bytes(
    constants: list[bytes], tail: bytes = u2(0, 0, 0), this: int = 2, version: int = 61, above: int = 0
) -> bytes:
    """A class file whose first constants are the name ``T`` (1) and its class (2); *constants* follow from 3.

    A long or double is to be followed by ``b""`` for its second place. *tail*: fields, methods, attributes.
    """
    pool = [utf8("T"), b"\x07" + u2(1), *constants]
    head = b"\xca\xfe\xba\xbe" + u2(0, version, len(pool) + 1)
    return head + b"".join(pool) + u2(0x21, this, above, 0) + tail


# --- modified UTF-8 ---------------------------------------------------------------------------------------------

JAVA_BYTES = {
    "\0": b"\xc0\x80",
    "\x7f": b"\x7f",
    "\x80": b"\xc2\x80",
    "\u07ff": b"\xdf\xbf",
    "\u0800": b"\xe0\xa0\x80",
    "\uffff": b"\xef\xbf\xbf",
    "\U0001f600": b"\xed\xa0\xbd\xed\xb8\x80",
    "\ud800": b"\xed\xa0\x80",
    "\ude00\ud83d": b"\xed\xb8\x80\xed\xa0\xbd",
    "plain": b"plain",
}


@rows(("text", "data"), JAVA_BYTES.items())
def test_mutf8(text: str, data: bytes) -> None:
    assert encode(text) == data
    assert decode(data) == text
    assert not isinstance(decode(data), RawText)
    assert decode(b"a" + data + b"\xc3\xa9") == f"a{text}\u00e9"


@pytest.mark.parametrize(
    "data", [b"\x00", b"\xf0\x9f\x98\x80", b"\xff", b"\xc3", b"\xc1\x81", b"\xe0\x80\x80", b"a\x80"]
)
def test_mutf8_that_is_wrong_is_kept(data: bytes) -> None:
    text = decode(data)
    assert isinstance(text, RawText)
    assert encode(text) == data


@given(st.binary(max_size=30) | st.lists(st.sampled_from(list(JAVA_BYTES.values()))).map(b"".join))
def test_mutf8_keeps_all_bytes(data: bytes) -> None:
    assert encode(decode(data)) == data


@given(st.text(st.characters(exclude_categories=[]), max_size=20))
def test_mutf8_keeps_all_texts(text: str) -> None:
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    assert decode(encode(text)) == joined


# --- real classes -----------------------------------------------------------------------------------------------


def materialised(data: bytes) -> bytes:
    """The class written back after every constant and every Code attribute has been read."""
    cf = parse(data)
    for index, place in enumerate(cf.constants.tuples()):
        if place is not None:
            cf.constants.raw(index)
    for member in itertools.chain(cf.fields, cf.methods):
        assert all(name for name, _ in member.attributes.rows())
    for method in cf.methods:
        if method.code:
            sum(1 for _ in instructions(method.code.code))
            code_attributes(cf, method.attributes.raw("Code"))
    return rebuilt(cf)


def test_round_trip(zoo: Path) -> None:
    files = sorted(zoo.rglob("*.class"))
    assert len(files) > 30
    for file in files:
        data = file.read_bytes()
        assert rebuilt(parse(data)) == data, file
        assert materialised(data) == data, file


def test_accessors(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo.class").read_bytes()
    cf = parse(data)
    assert (cf.name, cf.superclass, cf.interface_names) == ("zoo/Zoo", "zoo/Base", ("zoo/Visitor",))
    assert cf.version == (int.from_bytes(data[6:8], "big"), 0)
    assert cf.version.major >= 61
    assert cf.access == 0x21
    fields = {field.name_text: field for field in cf.fields}
    assert fields["TEXT"].descriptor_text == "Ljava/lang/String;"
    assert fields["TEXT"].access == 0x18
    (index,) = struct.unpack(">H", fields["TEXT"].attributes.raw("ConstantValue"))
    text = cf.constants.text(cf.constants.raw(index)[1])
    assert text == "\0 \x7f \x80 \u07ff \u0800 \uffff \U0001f600 \ud800 end"
    methods = {method.name_text: method for method in cf.methods}
    assert methods["loop"].descriptor_text == "(I)I"
    assert [name for name, _ in methods["loop"].attributes.rows()] == ["Code", "MethodParameters"]
    assert methods["loop"].code.max_locals > 300
    assert cf.attributes.raw("SourceFile") is not None
    assert cf.attributes.raw("Nothing") is None
    module = parse((zoo / "module-info.class").read_bytes())
    assert (module.name, module.superclass) == ("module-info", None)
    names = [module.constants.text(c[1]) for c in module.constants.tuples() if c and c[0] == 19]
    assert sorted(names) == ["java.base", "java.desktop", "zoo"]


def test_changes_are_written(zoo: Path) -> None:
    cf = parse((zoo / "zoo" / "Zoo.class").read_bytes())
    cf.methods.find_and_remove(lambda method: method.name_text == "loop")
    field = next(each for each in cf.fields if each.name_text == "LONG")
    field.access &= ~0x10
    again = parse(rebuilt(cf))
    assert "loop" not in {method.name_text for method in again.methods}
    assert [each.access for each in again.fields if each.name_text == "LONG"] == [0x8]
    (choose,) = (each for each in again.methods if each.name_text == "choose")
    put(choose, choose.code._replace(code=b"\x03\xac", handlers=()), [])
    once_more = parse(rebuilt(again))
    (choose,) = (each for each in once_more.methods if each.name_text == "choose")
    assert (choose.code.code, choose.code.handlers) == (b"\x03\xac", ())
    assert code_attributes(once_more, choose.attributes.raw("Code")) == []


# --- constants --------------------------------------------------------------------------------------------------

NANS = [0x7FC00000, 0x7F800001, 0xFFC12345]
WIDE_NANS = [0x7FF8000000000000, 0x7FF0000000000001, 0xFFF8000012345678]


def test_numbers_keep_their_bits() -> None:
    floats = [b"\x04" + struct.pack(">I", bits) for bits in (*NANS, 0x80000000, 0x7F800000, 0x3DCCCCCD)]
    doubles = [
        part for bits in (*WIDE_NANS, 1 << 63, 0x3FB999999999999A) for part in (b"\x06" + bits.to_bytes(8, "big"), b"")
    ]
    data = class_bytes([*floats, *doubles, b"\x05" + b"\xff" * 8, b"", b"\x03" + b"\x80\0\0\0"])
    cf = parse(data)
    assert rebuilt(cf) == data
    assert materialised(data) == data
    assert math.isnan(cf.constants.raw(4)[1])
    assert cf.constants.raw(len(cf.constants.tuples()) - 1) == (3, -(1 << 31))
    assert cf.constants.tuples()[-2] is None


def test_dynamic_constants(tmp_path: Path) -> None:
    """A class with a condy, as javac does not write it; javap reads it like we do."""
    mentioned = "java/lang/invoke/ConstantBootstraps"
    descriptor = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;"
    constants = [
        utf8(mentioned), b"\x07" + u2(3), utf8("nullConstant"), utf8(descriptor), b"\x0c" + u2(5, 6),
        b"\x0a" + u2(4, 7), b"\x0f\x06" + u2(8), utf8("Ldyn/Value;"), b"\x0c" + u2(5, 10), b"\x11" + u2(0, 11),
        utf8("BootstrapMethods"), utf8("f"), utf8("()V"), utf8("Code"), utf8("java/lang/Object"), b"\x07" + u2(17),
    ]  # fmt: skip
    code = u2(1, 0) + struct.pack(">I", 4) + b"\x12\x0c\x57\xb1" + u2(0, 0)
    methods = u2(1, 8, 14, 15, 1, 16) + struct.pack(">I", len(code)) + code
    tail = u2(0) + methods + u2(1, 13) + struct.pack(">I", 6) + u2(1, 9, 0)
    data = class_bytes(constants, tail, above=18)
    assert materialised(data) == data
    cf = parse(data)
    tag, _, place = cf.constants.raw(12)
    assert (tag, cf.constants.named(place)) == (17, ("nullConstant", "Ldyn/Value;"))
    assert {"dyn/Value", mentioned, "java/lang/invoke/MethodHandles$Lookup"} <= references(rebuilt(cf))
    (tmp_path / "T.class").write_bytes(data)
    listing = subprocess.run(
        ["javap", *QUICK_TOOL, "-v", "-p", tmp_path / "T.class"], capture_output=True, text=True, check=True
    )
    assert "#12 = Dynamic" in listing.stdout
    assert "nullConstant" in listing.stdout


def test_strings_that_jawa_would_damage() -> None:
    raw = b"\xf0\x9f\x98\x80\x00\xff"
    data = class_bytes([b"\x01" + u2(len(raw)) + raw, b"\x08" + u2(3), utf8("\xe9\0\ud800")])
    assert materialised(data) == data


# --- what is wrong with it --------------------------------------------------------------------------------------

GOOD = class_bytes([utf8("Code")])


@rows(
    ("data", "reason"),
    [
        (b"", "first four bytes"),
        (b"hello, world", "first four bytes"),
        (b"\xca\xfe\xba\xbe", "cut off"),
        (b"\xca\xfe\xba\xbe" + u2(0, 61), "pool is missing"),
        (b"\xca\xfe\xba\xbe" + u2(0, 61, 0xFFFF), "constant pool"),
        (GOOD[:-1], "cut off"),
        (GOOD + b"x", "1 bytes behind"),
        (class_bytes([b"\x02\0\0"]), "unknown constant kind 2"),
        (class_bytes([b"\x0d\0\0"]), "unknown constant kind 13"),
        (class_bytes([b"\x15\0\0"]), "unknown constant kind 21"),
        (class_bytes([b"\x08" + u2(2)]), "constant 3 points to a constant of the wrong kind"),
        (class_bytes([b"\x08" + u2(99)]), "outside of its constant pool"),
        (class_bytes([b"\x08" + u2(0)]), "wrong kind"),
        (class_bytes([b"\x0c" + u2(1, 2)]), "wrong kind"),
        (class_bytes([b"\x0a" + u2(2, 2)]), "wrong kind"),
        (class_bytes([b"\x0f\x06" + u2(1)]), "wrong kind"),
        (class_bytes([b"\x0f\x0a" + u2(1)]), "wrong kind"),
        (class_bytes([b"\x12" + u2(0, 1)]), "wrong kind"),
        (class_bytes([b"\x05" + b"\0" * 8]), "ends inside"),
        (class_bytes([], this=1), "constant 1 is not a class"),
        (class_bytes([], this=0), "no constant 0"),
        (class_bytes([], above=9), "no constant 9"),
        (class_bytes([utf8("[I"), b"\x07" + u2(3)], this=4), "no name for a class"),
        (class_bytes([utf8(""), b"\x07" + u2(3)], this=4), "no name for a class"),
        (class_bytes([], u2(1, 0, 2, 1, 0, 0, 0)), "constant 2 is not a text"),
        (class_bytes([], u2(0, 0, 1, 9) + b"\0\0\0\0"), "no constant 9"),
        (class_bytes([], u2(0, 0, 1, 1) + b"\xff\xff\xff\xff"), "'T' is cut off"),
        (class_bytes([], u2(0xFFFF, 0, 0)), "cut off"),
    ],
)
def test_damage_is_named(data: bytes, reason: str) -> None:
    with pytest.raises(ClassFormatError, match=reason) as caught:
        parse(data)
    assert isinstance(caught.value, InputError)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        u2(1, 1) + struct.pack(">I", 0) + u2(0, 0),
        u2(1, 1) + struct.pack(">I", 70000) + bytes(70000) + u2(0, 0),
        u2(1, 1) + struct.pack(">I", 0xFFFFFFFF) + b"\xb1" + u2(0, 0),
        u2(1, 1) + struct.pack(">I", 1) + b"\xb1" + u2(9, 0),
        u2(1, 1) + struct.pack(">I", 1) + b"\xb1" + u2(0, 3),
    ],
)
def test_damaged_code_raises_when_it_is_opened(content: bytes) -> None:
    method = u2(1, 1, 1, 1, 1, 3) + struct.pack(">I", len(content)) + content
    data = class_bytes([utf8("Code")], u2(0) + method + u2(0))
    cf = parse(data)
    assert rebuilt(cf) == data
    (method_,) = cf.methods
    with pytest.raises(ClassFormatError):
        code_attributes(cf, method_.attributes.raw("Code"))


@given(st.binary(max_size=200).map(lambda data: b"\xca\xfe\xba\xbe\0\0\0\x3d" + data))
def test_garbage(data: bytes) -> None:
    with pytest.raises(ClassFormatError):
        references(data)


def test_constants_that_are_not_there(zoo: Path) -> None:
    constants = parse((zoo / "zoo" / "Zoo.class").read_bytes()).constants
    for index in (0, -1, len(constants.tuples()), 1 << 20):
        with pytest.raises(ClassFormatError, match="there is no constant"):
            constants.raw(index)
    with pytest.raises(ClassFormatError, match="is not a class"):
        constants.class_name(next(i for i, c in enumerate(constants.tuples()) if c and c[0] == 1))


def test_a_string_that_grew_too_long_is_refused() -> None:
    with pytest.raises(ClassFormatError, match="65,535"):
        pools.write_constant((1, "\u0800" * 30000))


def test_collector_pauses_and_comes_back() -> None:
    assert gc.isenabled()
    with collector_paused():
        assert not gc.isenabled()
        with collector_paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
