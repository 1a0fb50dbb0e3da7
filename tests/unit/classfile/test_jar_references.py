"""Which classes a class file mentions: descriptors, signatures, annotations, and all of it against jdeps."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.classfile import annotations, descriptors, signatures
from core.classfile.class_file import ClassFormatError, parse
from core.classfile.outline import references
from tests.support.rebuilt_class import rebuilt
from tests.support.rows import rows


def mentioned(folder: Path, name: str) -> set[str]:
    """What the zoo's class *name* mentions of the zoo, without the package."""
    found = references((folder / "zoo" / f"{name}.class").read_bytes())
    return {other.removeprefix("zoo/") for other in found if other.startswith("zoo/")}


# --- descriptors ------------------------------------------------------------------------------------------------


def test_descriptors() -> None:
    method = "(I[[La/B;JLa/C$D;)[La/E;"
    assert descriptors.class_names(method) == ("a/B", "a/C$D", "a/E")
    assert descriptors.method_types(method) == (("I", "[[La/B;", "J", "La/C$D;"), "[La/E;")
    assert descriptors.method_types("()V") == ((), "V")
    assert descriptors.field_type("[[I") == "[[I"
    assert descriptors.class_names("LL;") == ("L",)
    assert descriptors.class_names("La/caf\u00e9;") == ("a/caf\u00e9",)
    assert descriptors.element_class("a/B") == "a/B"
    assert descriptors.element_class("[[La/B;") == "a/B"
    assert descriptors.element_class("[I") is None


@rows("text", ["", "V", "L;", "La/B", "Q", "II", "[", "(", "()", "(V)V", "()VV", "(La/B)V", "[" * 256 + "I"])
def test_wrong_descriptors(text: str) -> None:
    with pytest.raises(ClassFormatError):
        descriptors.class_names(text)
    with pytest.raises(ClassFormatError):
        descriptors.field_type(text)
    with pytest.raises(ClassFormatError):
        descriptors.method_types(text)


# --- signatures -------------------------------------------------------------------------------------------------


@rows(
    ("text", "names"),
    [
        ("TT;", []),
        ("I", []),
        ("La/B;", ["a/B"]),
        ("[[La/B<[I>;", ["a/B"]),
        ("La/B<*>;", ["a/B"]),
        ("La/B<+La/C;-[TT;*La/D<La/E;>;>;", ["a/B", "a/C", "a/D", "a/E"]),
        ("La/Outer<La/B;>.Inner;", ["a/Outer", "a/B", "a/Outer$Inner"]),
        ("La/Outer<La/B;>.Inner<La/C;>.Deep<*>.Last;",
         ["a/Outer", "a/B", "a/Outer$Inner", "a/C", "a/Outer$Inner$Deep", "a/Outer$Inner$Deep$Last"]),
        ("La/B<La/Outer<*>.Inner;La/C;>;", ["a/B", "a/Outer", "a/Outer$Inner", "a/C"]),
        ("<T:Ljava/lang/Object;U::La/I;:La/J<TT;>;V:TT;W:>La/S<TT;>;La/K;",
         ["java/lang/Object", "a/I", "a/J", "a/S", "a/K"]),
        ("<T:U:La/B;>(TT;I[La/C;)TU;^La/E;^TT;", ["a/B", "a/C", "a/E"]),
        ("()V", []),
    ],
)  # fmt: skip
def test_signatures(text: str, names: list[str]) -> None:
    assert list(signatures.class_names(text)) == names


@rows(
    "text",
    ["", "L", "La/B", "La/B<", "La/B<TT;", "La/B<>x;", "La/B<I>.;", "La/B<+>;", "La/B<**", "<T>La/B;", "<:La/B;>V",
     "(V)V", "()", "()VLa/B;", "Q", "V", "La/B<*>La/C;", "[", "T;", "<T:La/B;"],
)  # fmt: skip
def test_wrong_signatures(text: str) -> None:
    with pytest.raises(ClassFormatError):
        signatures.class_names(text)


def test_deep_signatures_do_not_exhaust_the_stack() -> None:
    depth = 10_000
    text = "La/B<" * depth + "*" + ">;" * depth
    assert signatures.class_names(text) == ("a/B",) * depth


@given(st.text("LT<>;.:*+-[()^IVab/", max_size=30))
def test_any_signature(text: str) -> None:
    with suppress(ClassFormatError):
        signatures.class_names(text)


# --- annotations ------------------------------------------------------------------------------------------------


def u2(*numbers: int) -> bytes:
    return b"".join(number.to_bytes(2, "big") for number in numbers)


def test_annotation_values() -> None:
    nested = u2(7, 1, 5) + b"@" + u2(8, 1, 5) + b"[" + u2(2) + b"c" + u2(9) + b"e" + u2(10, 5)
    assert annotations.descriptors("RuntimeVisibleAnnotations", u2(1) + nested) == [7, 8, 9, 10]
    assert annotations.descriptors("AnnotationDefault", b"s" + u2(5)) == []
    assert annotations.descriptors("AnnotationDefault", b"c" + u2(5)) == [5]
    parameters = b"\x02" + u2(0) + u2(2) + u2(7, 0) + u2(8, 1, 5) + b"I" + u2(3)
    assert annotations.descriptors("RuntimeInvisibleParameterAnnotations", parameters) == [7, 8]


@rows(
    "target",
    [b"\x00\x01", b"\x10\xff\xff", b"\x11\x00\x01", b"\x13", b"\x16\x00", b"\x17\x00\x01", b"\x40" + u2(2) + bytes(12),
     b"\x42\x00\x01", b"\x44\x00\x01", b"\x47\x00\x01\x02", b"\x4b\x00\x01\x02"],
)  # fmt: skip
def test_targets_of_type_annotations(target: bytes) -> None:
    path = b"\x02\x00\x00\x03\x01"
    rows = u2(2) + (target + path + u2(7, 0)) * 2
    assert annotations.descriptors("RuntimeVisibleTypeAnnotations", rows) == [7, 7]


@pytest.mark.parametrize("data", [b"", u2(1), u2(1, 7, 1, 5) + b"?", u2(0) + b"x", u2(0xFFFF), u2(1, 7, 1, 5) + b"["])
def test_wrong_annotations(data: bytes) -> None:
    with pytest.raises(ClassFormatError):
        annotations.descriptors("RuntimeVisibleAnnotations", data)


def test_deep_annotations_do_not_exhaust_the_stack() -> None:
    depth = 20_000
    data = (b"[" + u2(1)) * depth + b"c" + u2(7)
    assert annotations.descriptors("AnnotationDefault", data) == [7]


# --- whole classes ----------------------------------------------------------------------------------------------


def test_everything_that_a_class_mentions(zoo: Path) -> None:
    found = mentioned(zoo, "Zoo")
    assert {"Base", "Visitor"} <= found  # superclass, interface
    assert {"Bound", "Wild", "Cell", "Far", "Outer", "Outer$Inner"} <= found  # class signature
    assert {"Mark", "Kind", "Deep", "Note", "Noted"} <= found  # annotation, enum, class values, nested
    assert "Use" in found  # type annotation
    assert {"Local", "Cast", "Made", "Res"} <= found  # anewarray, instanceof, method reference, new
    assert "Arg" in found  # bootstrap argument
    assert {"Problem", "Thrown", "Caught"} <= found  # throws, throws in a signature, handler
    assert {"Vanishing", "Var"} <= found  # types of local variables
    assert {"Zoo$Member", "Zoo$Member$Deeper", "Zoo$Point"} <= found  # inner classes, nest members
    assert not {"Anon", "Default", "Zoo"} & found


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Zoo$Point", {"Mark", "Cell", "Zoo"}),
        ("Zoo$Shape", {"Zoo$Circle", "Zoo$Square", "Zoo"}),
        ("Zoo$Member", {"Zoo", "Zoo$Member$Deeper"}),
        ("Mark", {"Kind", "Note", "Default"}),
        ("package-info", {"Mark"}),
        ("Kind", {"Kind$1"}),
        ("Deep", set()),
    ],
)
def test_what_hides_in_attributes(zoo: Path, name: str, expected: set[str]) -> None:
    assert mentioned(zoo, name) == expected


def test_anonymous_class_knows_where_it_stands(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo$1.class").read_bytes()
    assert parse(data).attributes.raw("EnclosingMethod")
    assert {"Zoo", "Anon"} <= mentioned(zoo, "Zoo$1")


def test_module_descriptor(zoo: Path) -> None:
    cf = parse((zoo / "module-info.class").read_bytes())
    assert references(rebuilt(cf)) == {"java/nio/file/spi/FileSystemProvider"}


def test_a_broken_signature_names_nothing_and_breaks_nothing(zoo: Path) -> None:
    data = (zoo / "zoo" / "Zoo.class").read_bytes()
    broken = data.replace(b"Lzoo/Outer<Lzoo/Var;>.Inner", b"Lzoo/Outer<Lzoo/Var;>!Inner")
    assert broken != data
    assert references(data) - references(broken) == {"zoo/Var"}


def test_all_that_jdeps_finds_is_found(zoo: Path, tmp_path: Path, jdeps) -> None:
    shutil.copytree(zoo / "zoo", tmp_path / "zoo")  # the module descriptor makes jdeps write another format
    expected = jdeps(tmp_path)
    assert len(expected) > 25
    for name, others in expected.items():
        cf = parse((zoo / f"{name}.class").read_bytes())
        assert others - {name} <= references(rebuilt(cf)), name
