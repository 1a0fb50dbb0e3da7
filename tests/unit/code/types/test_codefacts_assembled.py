"""What code uses, on classes put together by hand: what javac does not make, or must never make."""

from __future__ import annotations

import struct
import subprocess
from pathlib import Path

from core.classfile.class_file import parse
from core.code.types.code_facts import CodeFacts, CodeReader
from tests.support.assembled import (
    DYNAMIC,
    FIELD,
    FULL,
    HANDLE,
    INTERFACE_METHOD,
    TYPE,
    Maker,
    frames,
    one_stack,
    u2,
)

CHOOSE = b"\x1a\x99\0\7\x2b\xa7\0\4\x2c"  # iload_0 ifeq(8) aload_1 goto(9) aload_2: 9 bytes


def test_an_object_that_the_compiler_merged_is_followed_to_its_sources() -> None:
    maker = Maker()
    code = CHOOSE + b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V")) + b"\xb1"
    table = frames(b"\x08", one_stack(0, maker.cls("java/lang/Object")))
    maker.method("(ZLt/A;Lt/B;)V", code, frames=table)
    found = maker.facts()
    assert found.merged
    assert set(found.subtypes) == {("t/A", "t/I", "argument"), ("t/B", "t/I", "argument")}
    assert found.framed == ("java/lang/Object",)


def test_an_object_that_really_is_one_says_nothing() -> None:
    maker = Maker()
    code = CHOOSE + b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V")) + b"\xb1"
    table = frames(b"\x08", one_stack(0, maker.cls("java/lang/Object")))
    maker.method("(ZLjava/lang/Object;Lt/B;)V", code, frames=table)
    assert maker.facts().subtypes == (("t/B", "t/I", "argument"),)
    straight = Maker()
    straight.method("(Ljava/lang/Object;)V", b"\x2a\xb8" + u2(straight.ref("t/T", "take", "(Lt/I;)V")) + b"\xb1")
    assert straight.facts().subtypes == ()
    assert not straight.facts().merged


def test_a_merged_object_used_as_such_needs_no_second_look() -> None:
    maker = Maker()
    hash_code = maker.ref("java/lang/Object", "hashCode", "()I")
    code = CHOOSE + b"\x59\xc1" + u2(maker.cls("t/I")) + b"\x57\xb6" + u2(hash_code) + b"\x57\xb1"
    maker.method("(ZLt/A;Lt/B;)V", code, frames=frames(b"\x08", one_stack(0, maker.cls("java/lang/Object"))))
    found = maker.facts()
    assert not found.merged
    assert found.subtypes == found.casts == ()
    assert found.receivers == ((("virtual", "java/lang/Object", "hashCode", "()I", False), "java/lang/Object"),)


def test_elements_of_merged_arrays() -> None:
    maker = Maker()
    code = CHOOSE + b"\x03\x32\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V")) + b"\xb1"
    maker.method("(Z[Lt/A;[Lt/B;)V", code, frames=frames(b"\x08", one_stack(0, maker.cls("[Ljava/lang/Object;"))))
    assert set(maker.facts().subtypes) == {("t/A", "t/I", "argument"), ("t/B", "t/I", "argument")}


def test_a_frame_tells_the_type_where_only_null_comes() -> None:
    maker = Maker()
    take = u2(maker.ref("t/T", "take", "(Lt/A;)V"))
    # aconst_null astore_1; loop: aload_1 take; aload_0 take(I); goto loop. Local 1 is a t/B, says the frame.
    code = b"\x01\x4c\x2b\xb8" + take + b"\x2a\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V")) + b"\xa7\xff\xf8"
    row = FULL + u2(2) + u2(2) + b"\7" + u2(maker.cls("java/lang/Object")) + b"\7" + u2(maker.cls("t/B")) + u2(0)
    maker.method("(Lt/C;)V", code, frames=frames(row))
    assert set(maker.facts().subtypes) == {("t/B", "t/A", "argument"), ("t/C", "t/I", "argument")}


def old(code: bytes, descriptor: str, maker: Maker, **more: object) -> CodeFacts:
    maker.method(descriptor, code, **more)  # type: ignore[arg-type]
    return maker.facts()


def test_without_frames_sets_of_types_flow() -> None:
    maker = Maker(major=48)
    code = CHOOSE + b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V")) + b"\xb1"
    found = old(code, "(ZLt/A;Lt/B;)V", maker)
    assert found.merged
    assert set(found.subtypes) == {("t/A", "t/I", "argument"), ("t/B", "t/I", "argument")}


def test_without_frames_code_that_nothing_reaches_says_nothing() -> None:
    maker = Maker(major=48)
    take = b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V"))
    found = old(b"\xb1\x2a" + take + b"\xb1", "(Lt/A;)V", maker)
    assert found.subtypes == found.methods == ()


def test_with_a_frame_code_that_nothing_reaches_is_verified() -> None:
    for sets in (False, True):
        maker = Maker()
        take = b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V"))
        maker.method("(Lt/A;)V", b"\xb1\x2a" + take + b"\xb1", frames=frames(b"\x01"))
        cf = parse(maker.build())
        found = CodeReader(cf).facts(cf.methods._table[0], sets=sets)
        assert found.subtypes == (("t/A", "t/I", "argument"),)


def test_without_frames_a_handler_gets_what_a_variable_held_anywhere_in_the_range() -> None:
    maker = Maker(major=48)
    none, take = u2(maker.ref("t/T", "none", "()V")), u2(maker.ref("t/T", "take", "(Lt/I;)V"))
    # 0: none; aload_1 astore_0 none aload_2 astore_0 return; 12: pop aload_0 take return. Protected: 0 to 10
    code = b"\xb8" + none + b"\x2b\x4b\xb8" + none + b"\x2c\x4b\xb1" + b"\x57\x2a\xb8" + take + b"\xb1"
    found = old(code, "(Lt/A;Lt/B;Lt/C;)V", maker, handlers=((0, 10, 12, maker.cls("t/E")),))
    assert set(found.subtypes) == {
        ("t/A", "t/I", "argument"),
        ("t/B", "t/I", "argument"),
        ("t/E", "java/lang/Throwable", "catch"),
    }
    found = old(code, "(Lt/A;Lt/B;Lt/C;)V", maker, handlers=((0, 11, 12, 0), (3, 5, 12, 0)))
    assert set(found.subtypes) == {(source, "t/I", "argument") for source in ("t/A", "t/B", "t/C")}


def test_subroutines_come_back_to_all_callers_with_their_own_variables() -> None:
    maker = Maker(major=48)
    take = maker.ref("t/T", "take", "(Lt/I;)V")
    # 0: aload_0 astore_2 jsr(17) aload_2 take | 9: iconst_0 istore_2 jsr(17) return | 16: nop 17: astore_3 ret 3
    code = b"\x2a\x4d\xa8\0\x0f\x2c\xb8" + u2(take) + b"\x03\x3d\xa8\0\6\xb1\0\0" + b"\x4e\xa9\3"
    assert code[17] == 0x4E
    found = old(code, "(Lt/A;Lt/B;)V", maker)
    assert found.merged
    assert found.subtypes == (("t/A", "t/I", "argument"),)
    both = Maker(major=48)
    take = both.ref("t/T", "take", "(Lt/I;)V")
    # as above, but the second caller has a t/B there and uses it
    code = (
        b"\x2a\x4d\xa8\0\x14\x2c\xb8"
        + u2(take)
        + b"\x2b\x4d\xa8\0\x0b\x2c\xb8"
        + u2(both.ref("t/T", "see", "(Lt/J;)V"))
    )
    code += b"\xb1\0\0\0" + b"\x4e\xa9\3"
    assert code[22] == 0x4E
    found = old(code, "(Lt/A;Lt/B;)V", both)
    assert set(found.subtypes) == {("t/A", "t/I", "argument"), ("t/B", "t/J", "argument")}


def test_what_a_subroutine_writes_reaches_its_callers() -> None:
    maker = Maker(major=48)
    take = maker.ref("t/T", "take", "(Lt/I;)V")
    # 0: aload_0 astore_2 jsr_w(12) aload_2 take return | 12: astore_3 aload_1 wide astore 2, wide ret 3
    code = b"\x2a\x4d\xc9\0\0\0\x0b\x2c\xb8" + u2(take) + b"\xb1\0"
    code += b"\x4e\x2b\xc4\x3a\0\2\xc4\xa9\0\3"
    assert code[13] == 0x4E
    found = old(code, "(Lt/A;Lt/B;)V", maker)
    assert found.subtypes == (("t/B", "t/I", "argument"),)


def test_a_subroutine_in_a_subroutine() -> None:
    maker = Maker(major=48)
    take = maker.ref("t/T", "take", "(Lt/I;)V")
    # 0: jsr 8; 3: aload_2 take return; 8: astore_3 jsr 15; 12: ret 3 nop; 15: astore 4 aload_1 astore_2 ret 4
    code = b"\xa8\0\x08\x2c\xb8" + u2(take) + b"\xb1" + b"\x4e\xa8\0\6\xa9\3\0" + b"\x3a\4\x2b\x4d\xa9\4"
    found = old(code, "(Lt/A;Lt/B;)V", maker)
    assert found.subtypes == (("t/B", "t/I", "argument"),)


def test_the_jvm_agrees_that_the_subroutine_is_right(tmp_path: Path) -> None:
    maker = Maker(major=48, name="T")
    out = maker.ref("java/lang/System", "out", "Ljava/io/PrintStream;", FIELD)
    show = maker.ref("java/io/PrintStream", "println", "(Ljava/lang/Object;)V")
    # 0: aload_0 astore_2 jsr(20) iconst_0 istore_2 jsr(20) getstatic out, aload_1, println, return, nop; 20: ...
    code = b"\x2a\x4d\xa8\0\x12\x03\x3d\xa8\0\x0d" + b"\xb2" + u2(out) + b"\x2b\xb6" + u2(show) + b"\xb1" + b"\0\0"
    code += b"\x4e\x2a\x4c\xa9\3"
    assert code[20] == 0x4E
    maker.method("([Ljava/lang/String;)V", code, name="main")
    (tmp_path / "T.class").write_bytes(maker.build())
    assert set(maker.facts().subtypes) == set()
    result = subprocess.run(["java", "-Xverify:all", "-cp", str(tmp_path), "T"], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("[Ljava.lang.String;@")


def test_constants_of_every_kind() -> None:
    maker = Maker(major=61)
    handle = maker.add(struct.pack(">BBH", HANDLE, 6, maker.ref("t/I", "make", "()V", INTERFACE_METHOD)))
    kind = maker.add(struct.pack(">BH", TYPE, maker.utf8("(Lt/X;)V")))
    constant = maker.dynamic(1, "c", "Lt/A;", DYNAMIC)
    large = maker.dynamic(2, "d", "J", DYNAMIC)
    call = maker.dynamic(0, "run", "(Lt/J;)V")
    code = b"\x13" + u2(handle) + b"\x57\x13" + u2(kind) + b"\x57" + b"\x14" + u2(large) + b"\x58"
    code += b"\x13" + u2(constant) + b"\xba" + u2(call) + b"\0\0" + b"\xb1"
    maker.method("()V", code)
    found = maker.facts()
    assert found.method_handles == ((6, "t/I", "make", "()V", True),)
    assert found.method_types == ("(Lt/X;)V",)
    assert found.call_sites == (
        ("constant", 2, "d", "J"),
        ("constant", 1, "c", "Lt/A;"),
        ("call", 0, "run", "(Lt/J;)V"),
    )
    assert found.bootstraps == {0, 1, 2}
    assert found.subtypes == (("t/A", "t/J", "dynamic-argument"),)


def test_values_moved_about_the_stack() -> None:
    for opcode, before, consumed in (
        (0x5A, b"\x2a\x2b", 3),  # dup_x1: B A B
        (0x5B, b"\x03\x2a\x2b", 4),  # dup_x2: B 0 A B
        (0x5C, b"\x2a\x2b", 4),  # dup2: A B A B
        (0x5D, b"\x03\x2a\x2b", 5),
        (0x5E, b"\x03\x03\x2a\x2b", 6),
        (0x5F, b"\x2a\x2b", 2),
    ):
        maker = Maker()
        take = b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V"))
        see = b"\xb8" + u2(maker.ref("t/T", "see", "(Lt/J;)V"))
        top = see if opcode != 0x5F else take
        rest = {2: see, 3: take + b"\x57", 4: take + b"\x57\x57", 5: take + b"\x57\x57\x57", 6: take + b"\x57" * 4}
        maker.method("(Lt/A;Lt/B;)V", before + bytes([opcode]) + top + rest[consumed] + b"\xb1")
        wanted = {("t/B", "t/J", "argument"), ("t/A", "t/I", "argument")}
        assert set(maker.facts().subtypes) == wanted, hex(opcode)


def test_wide_instructions_and_switches() -> None:
    maker = Maker(major=48)
    take = b"\xb8" + u2(maker.ref("t/T", "take", "(Lt/I;)V"))
    code = b"\x2a\xc4\x3a\x01\0" + b"\xc4\x84\0\1\0\1" + b"\x1b"  # aload_0, wide astore 256, wide iinc, iload_1
    code += b"\xaa\0\0\0" + struct.pack(">iiiii", 24, 0, 1, 24, 25)  # tableswitch at 12, to 36 or 37
    code += b"\0" * 5 + b"\xc4\x19\x01\0" + take + b"\x2a\xc4\x3a\0\7\xb1"  # wide aload 256
    maker.method("(Lt/A;I)V", code, variables=300)
    assert maker.facts().subtypes == (("t/A", "t/I", "argument"),)
    lookup = Maker(major=48)
    take = b"\xb8" + u2(lookup.ref("t/T", "take", "(Lt/I;)V"))
    code = b"\x1b\xab\0\0" + struct.pack(">iiii", 19, 1, 7, 21) + b"\0\0"  # at 1, to 20 or 22
    code += b"\x2a\x4b\x2a" + take + b"\xc8\0\0\0\5\xb1"
    lookup.method("(Lt/A;I)V", code)
    assert lookup.facts().subtypes == (("t/A", "t/I", "argument"),)
