"""Constant pools of rewritten classes: short indexes, subroutines, dynamic and inlined constants."""

from __future__ import annotations

import re
from pathlib import Path

from core.classfile.class_file import ClassFile, parse
from core.classfile.pool import (
    CLASS,
    DYNAMIC,
    LONG,
    METHOD_HANDLE,
    METHOD_REF,
    NAME_AND_TYPE,
    STRING,
    UTF8,
    Constant,
)
from core.parts.parts import parts
from core.parts.rewriter import Rewriter
from tests.support.java import CompileJava
from tests.support.rebuilt_class import rebuilt, write_pool
from tests.support.rewriting import (
    RUNNER,
    Everything,
    Without,
    chosen,
    compacted,
    everything,
    is_compact,
    judged,
    rewrite,
    without,
)

ALL = Everything()


def test_one_byte_indexes_stay(compile_java: CompileJava) -> None:
    """``ldc`` of the 255th constant behind longs and doubles, with constants before it dropped and new ones added."""
    longs = "\n".join(f"static long l{n}() {{ return {1 << 40}L + {n}L; }}" for n in range(60))
    texts = "\n".join(f'static String s{n}() {{ return "text {n}"; }}' for n in range(100))
    source = f'class L extends ArithmeticException {{ {longs} {texts} L(int x) {{ super("x"); }} }}'
    cf = parse((compile_java({"L.java": source}) / "L.class").read_bytes())
    found = parts(cf, "member")
    kept = chosen(found, lambda part: not re.search(r"\.l\d*[13579]:|<init>.*!code", part.name))
    result = parse(rewrite(cf, found, kept, Everything({"java/lang/ArithmeticException": "(Ljava/lang/String;)V"})))
    for method in result.methods:
        if method.name_text.startswith("s"):
            code = method.code.code
            index = code[1] if code[0] == 0x12 else code[1] << 8 | code[2]
            assert result.constants.text(result.constants.raw(index)[1]) == f"text {method.name_text[1:]}"
    assert is_compact(rebuilt(result))


def by_hand(version: int, constants: list[Constant], code: str, bootstraps: str = "") -> ClassFile:
    """``class Hand { static Object f() }`` with the pool below and then *constants*, from place 12 on."""
    pool: list[Constant | None] = [
        None, (UTF8, "Hand"), (CLASS, 1), (UTF8, "java/lang/Object"), (CLASS, 3), (UTF8, "f"),
        (UTF8, "()Ljava/lang/Object;"), (UTF8, "Code"), (UTF8, "left"), (LONG, 7), None, (STRING, 8), *constants,
    ]  # fmt: skip
    body = bytes.fromhex(code)
    method = bytes.fromhex("0008 0005 0006 0001 0007") + (len(body) + 12).to_bytes(4, "big")
    method += bytes.fromhex("0002 0002") + len(body).to_bytes(4, "big") + body + bytes(4)
    attributes = bytes.fromhex(bootstraps)
    data = b"\xca\xfe\xba\xbe\0\0" + version.to_bytes(2, "big") + write_pool(pool, len(pool))
    data += bytes.fromhex("0020 0002 0004 0000 0000 0001") + method + bytes((0, bool(attributes))) + attributes
    return parse(data)


def loaded_and_run(cf: ClassFile, runner: Path, folder: Path) -> None:
    """The class loads, verifies, and its method returns null."""
    (folder / "Hand.class").write_bytes(rebuilt(cf))
    assert judged(runner, "run", [folder]) == ([], 1, 1)


def test_subroutines(compile_java: CompileJava, tmp_path: Path) -> None:
    """``jsr`` and ``ret`` of class-file version 48."""
    # jsr 8; ldc "text"; pop; aconst_null; areturn; 8: astore_1; ret 1
    cf = by_hand(48, [(UTF8, "text"), (STRING, 12)], "a80008 120d 57 01 b0 4c a901")
    result = parse(compacted(cf))
    assert "left" not in [constant[1] for constant in result.constants.tuples() if constant]
    code = next(iter(result.methods)).code.code
    assert result.constants.text(result.constants.raw(code[4])[1]) == "text"
    loaded_and_run(result, compile_java(RUNNER), tmp_path)


def test_dynamic_constants(compile_java: CompileJava, tmp_path: Path) -> None:
    """A constant that a bootstrap method computes; the other entry goes, so the table is numbered anew."""
    factory = "java/lang/invoke/ConstantBootstraps"
    types = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;"
    constants: list[Constant] = [
        (UTF8, factory), (CLASS, 12), (UTF8, "nullConstant"), (UTF8, types), (NAME_AND_TYPE, 14, 15),
        (METHOD_REF, 13, 16), (METHOD_HANDLE, 6, 17), (UTF8, "Ljava/lang/Object;"), (NAME_AND_TYPE, 5, 19),
        (DYNAMIC, 1, 20), (UTF8, "BootstrapMethods"),
    ]  # fmt: skip
    cf = by_hand(55, constants, "1215 b0", "0016 0000000c 0002 0012 0001 000b 0012 0000")
    found = parts(cf, "member")
    result = parse(rewrite(cf, found, without(found, "Hand[bootstrap 0]"), ALL))
    pool = result.constants.tuples()
    assert [constant[1] for constant in pool if constant and constant[0] == DYNAMIC] == [0]
    assert (UTF8, "left") not in pool
    loaded_and_run(result, compile_java(RUNNER), tmp_path)


def test_the_owner_of_an_inlined_constant_is_named_no_more_when_it_is_gone(compile_java: CompileJava) -> None:
    """javac names the class whose constant it inlined, in the pool and nowhere else."""
    folder = compile_java(
        {
            "p/Limits.java": "package p; public interface Limits { int MOST = 5; }",
            "p/User.java": "package p; public class User { int most() { return Limits.MOST; } }",
        }
    )
    cf = parse((folder / "p" / "User.class").read_bytes())
    found = parts(cf, "full")
    rewriter = Rewriter(cf, found)
    assert b"p/Limits" in rewriter.data
    assert rewriter.write(everything(found), Everything()) is rewriter.data
    written = rewriter.write(everything(found), Without("p/Limits"))
    assert b"p/Limits" not in written
    assert is_compact(written)
