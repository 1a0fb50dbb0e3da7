"""What surrounds edited code: its tables, its length, subroutines, damage."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from core.classfile.class_file import parse
from core.classfile.format_error import ClassFormatError
from core.code.edit import EditKind
from core.edits.bodies.editor import Editor
from tests.bench.bodies import share
from tests.support.body_program import code_of, method_number, picked, written
from tests.support.java import CompileJava
from tests.support.rewriting import javap

K = EditKind


def test_tables_follow_the_code(compile_java: CompileJava, tmp_path: Path) -> None:
    source = """
import java.lang.annotation.*;
class Tables {
    @Target(ElementType.TYPE_USE) @interface Use { }
    static void other() { }
    static Object method(Object given) {
        other();
        @Use String first = (@Use String) given;
        other();
        try { other(); } catch (@Use RuntimeException e) { other(); }
        @Use Object second = new @Use Object();
        return first + second;
    }
}
"""
    folder = compile_java({"Tables.java": source}, "-g")
    cf = parse((folder / "Tables.class").read_bytes())
    editor = Editor(cf.data)
    method = method_number(cf, "method")

    wishes: list[list[tuple[EditKind, str]]] = [
        [], [(K.CALL, "other")], [(K.HANDLER, "")], [(K.NEW, "")], [(K.CUT, "#2")],
    ]  # fmt: skip
    files = [
        written(tmp_path / str(number), "Tables", editor.write(picked(editor, method, wish)))
        for number, wish in enumerate(wishes)
    ]
    texts = [text[text.index("method(java.lang.Object);") :] for text in javap(files).split("Classfile ")[1:]]
    everything, earlier, without, made, cut = [text[: text.index("\n}")] for text in texts]

    for target in ("CAST, offset=4", "EXCEPTION_PARAMETER", "NEW, offset=", "LOCAL_VARIABLE", "line 7:"):
        assert target in everything
    assert [name in everything for name in ("first", "second", " e ")] == [True] * 3
    # Without the first call everything is three bytes earlier.
    assert "CAST, offset=1, type_index=0" in earlier
    assert "line 7:" not in earlier
    assert "EXCEPTION_PARAMETER" not in earlier  # nothing is left in the range that could throw
    assert "EXCEPTION_PARAMETER" not in without
    assert " e " not in without
    assert "second" in without
    assert "NEW, offset" not in made
    assert "second" in made
    assert "second" not in cut
    assert "line 12:" not in cut
    assert "StackMapTable" in everything
    assert "StackMapTable" not in cut


def test_a_method_that_would_get_too_long_stays(compile_java: CompileJava) -> None:
    calls = "f(n(), n(), n(), n(), n(), n(), n(), n());\n" * 2426
    source = f"""class Long {{
        static int n() {{ return 1; }}
        static void f(int a, int b, int c, int d, int e, int f, int g, int h) {{ }}
        static void method() {{ {calls} }}
        static void same() {{ {calls[:430]} }}
    }}"""
    folder = compile_java({"Long.java": source}, "-g:none")
    cf = parse((folder / "Long.class").read_bytes())
    editor = Editor(cf.data)
    size = len(code_of(cf.data or b"", "method")[2])
    assert size == 65503
    assert editor.write(picked(editor, method_number(cf, "method"), [(K.CALL, "Long.f")])) == cf.data
    longer = editor.write(picked(editor, method_number(cf, "same"), [(K.CALL, "Long.f")]))
    assert len(code_of(longer, "same")[2]) == len(code_of(cf.data or b"", "same")[2]) + 10
    shorter = editor.write(picked(editor, method_number(cf, "method"), [(K.CALL, "")]))
    assert code_of(shorter, "method") == (0, 0, b"\xb1")


def test_subroutines_are_left_alone() -> None:
    """jsr 4; return; astore_0; ret 0, in a method of a class that is put together here."""
    code = b"\xa8\x00\x04\xb1\x4b\xa9\x00"
    attribute = struct.pack(">HHI", 1, 1, len(code)) + code + b"\0\0\0\0"
    texts = [b"A", b"java/lang/Object", b"m", b"()V", b"Code"]
    pool = b"".join(b"\x01" + len(text).to_bytes(2, "big") + text for text in texts) + b"\x07\0\x01\x07\0\x02"
    data = b"".join((
        struct.pack(">IHHH", 0xCAFEBABE, 0, 48, 8), pool, struct.pack(">HHHHHH", 0x20, 6, 7, 0, 0, 1),
        struct.pack(">HHHHHI", 8, 3, 4, 1, 5, len(attribute)), attribute, b"\0\0",
    ))  # fmt: skip
    assert Editor(data).edits == ()


@pytest.mark.guarded
def test_damaged_code_is_left_alone(program: Path) -> None:
    """A class with a wrong byte in its code is parsed, edited or refused, but never anything else."""
    data = (program / "p/Prog.class").read_bytes()
    code = code_of(data, "handlers")[2]
    at = data.index(code)
    source = random.Random(5)
    edited = refused = 0
    for _ in range(60):
        wrong = bytearray(data)
        wrong[at + source.randrange(len(code))] = source.randrange(256)
        try:
            editor = Editor(bytes(wrong))
        except ClassFormatError:
            refused += 1
            continue
        parse(editor.write(share(0.5)(editor.edits, source)))
        edited += 1
    assert edited > 10
    assert edited + refused == 60


def test_a_constant_that_is_pushed_again_and_again_takes_one_place(compile_java: CompileJava) -> None:
    source = "class Many { static String s; static void fill() { " + 's = "x"; ' * 300 + "} }"
    data = (compile_java({"Many.java": source}) / "Many.class").read_bytes()
    editor = Editor(data)
    stores = [number for number, edit in enumerate(editor.edits) if edit.kind is K.STORE]
    assert len(stores) == 300
    assert len(editor.write(stores)) < len(data) - 300 * 3
