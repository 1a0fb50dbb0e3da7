"""Stubs in place of code: they run, whatever they return and whatever the constructor."""

from __future__ import annotations

import subprocess
from pathlib import Path

from core.classfile.class_file import parse
from core.classfile.symbolic.part_kinds import PartKind
from core.parts.code_part import told_apart
from core.parts.parts import parts
from tests.support.java import CompileJava
from tests.support.rewriting import (
    RUNNER,
    Everything,
    chosen,
    constructors,
    judged,
    rewrite,
)

RETURNS = {
    "q/All.java": """
package q;
public class All extends Up {
    All(byte a, double b, int[] c, Object d) { super(1, 2, 3, 4, 5, true, 'c', (byte) 1, (short) 2, null, null); }
    All() { this((byte) 1, 2, null, null); }
    boolean z() { return true; } byte b() { return 1; } char c() { return 'c'; } short s() { return 1; }
    int i(long a, double b) { return 1; } static long j(long a) { return 1; } float f() { return 1; }
    double d() { return 1; } Object o() { return this; } int[] a() { return new int[1]; } void v() { throw null; }
    synchronized strictfp String text() { throw new Error(); }
    static { if (true) throw new Error("initialised"); }
}
abstract class Up {
    Up(int a, long b, float c, double d, int e, boolean f, char g, byte h, short i, Object j, String[] k) {
        throw new Error("made");
    }
}
interface Face { default int x() { throw new Error(); } static long y() { throw new Error(); } }
class Local { static Local make() { class Inside extends Local { } return new Inside(); } }
class Alone { private Alone(String s) { throw new Error(); } class In extends Alone { In() { super("x"); } } }
"""
}


def test_stubs_run(compile_java: CompileJava, tmp_path: Path) -> None:
    """Every body dropped: everything loads, verifies, and returns the default value of its type."""
    folder = compile_java(RETURNS, "-Xlint:-strictfp")
    classes = [parse(file.read_bytes()) for file in sorted(folder.rglob("*.class"))]
    world = Everything(constructors(classes))
    methods = 0
    for cf in classes:
        found = parts(cf, "full")
        kept = chosen(found, lambda part: part.kind is not PartKind.CODE)
        file = tmp_path / f"{cf.name}.class"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(rewrite(cf, found, kept, world))
        methods += len(list(cf.methods))
    wrong, loaded, called = judged(compile_java(RUNNER), "run", [tmp_path])
    assert (wrong, loaded) == ([], len(classes))
    assert called >= methods - 4  # class initialisers and abstract classes' constructors are not called


ENUM = {
    "q/E.java": """
package q;
public enum E {
    A("a"), B("b") { void m() { } };
    E(String s) { if (s != null) System.out.print("code ran "); }
    void m() { }
    public static void main(String[] words) { for (E e : values()) System.out.print(e + " " + e.ordinal() + " "); }
}
"""
}


def test_the_stub_of_an_enums_constructor_hands_on_name_and_number(compile_java: CompileJava, tmp_path: Path) -> None:
    folder = compile_java(ENUM)
    classes = [parse(file.read_bytes()) for file in sorted(folder.rglob("*.class"))]
    world = Everything({"java/lang/Enum": "(Ljava/lang/String;I)V"} | constructors(classes))
    for cf in classes:
        found = parts(cf, "full")
        made = {index for index, method in enumerate(cf.methods) if method.name_text == "<init>"}
        kept = chosen(found, lambda part, made=made: part.kind is not PartKind.CODE or part.element not in made)
        file = tmp_path / f"{cf.name}.class"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(rewrite(cf, found, kept, world))
    done = subprocess.run(["java", "-cp", tmp_path, "q.E"], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout == "A 0 B 1 "


def test_constructors_that_null_fits_alike_are_not_told_apart() -> None:
    of_two = ["(Ljava/lang/String;)V", "(Ljava/lang/Integer;)V"]
    assert not any(told_apart(each, of_two) for each in of_two)
    assert told_apart("(Ljava/lang/String;I)V", ["(Ljava/lang/String;I)V", "(Ljava/lang/String;J)V", *of_two])
    assert not told_apart("([I)V", ["([I)V", "(Ljava/lang/Object;)V"])
