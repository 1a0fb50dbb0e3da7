"""Constructors of a class that lost its superclass: they call Object's, and all else of them stays and runs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.classfile.class_file import ClassFile, parse
from core.classfile.instructions import instructions
from core.classfile.symbolic.part_kinds import PartKind
from core.code.types.method_body import super_calls
from core.code.types.symbols import Symbols
from core.parts.parts import parts
from tests.support.java import CompileJava
from tests.support.rewriting import Everything, chosen, rewrite

SOURCES = {
    "q/Up.java": """
package q;
class Up {
    Up() { throw new Error("made"); }
    Up(int a, long b, double c, Object d) { throw new Error("made"); }
    Up(String... words) { throw new Error("made"); }
}
class Empty extends Up { int f = 1; Empty() { f += 41; } public String toString() { return "" + f; } }
class Plain extends Up {
    final long sum;
    Plain(long l, String s) {
        super(1, l, 2.5, s);
        long sum = 0;
        for (int i = 0; i < 5; i++) switch (i) { case 0: case 1: sum += l; break; case 4: sum -= 1; break; default: }
        switch ((int) sum) { case -1000: sum = 5; break; case 13: sum *= 2; break; case 77777: sum = 7; }
        try { if (s.isEmpty()) sum = -1; } catch (NullPointerException e) { sum += 1000; }
        this.sum = sum;
    }
    Plain() { this(7, null); }
    public String toString() { return "" + sum; }
}
class Pushed extends Up {
    static int calls;
    int f;
    static int next() { return ++calls; }
    Pushed(boolean b, Object o) {
        super(b ? 1 : next(), next(), (b ? 1 : 2) / 2.0, b ? new StringBuilder(b ? "x" : "y") : o);
        int i = calls;
        while (i < 100) { i = i * 3 + (b ? 1 : 2); if (i == 50) break; }
        f = i;
    }
    Pushed() { this(false, null); }
    public String toString() { return f + "/" + calls; }
}
class Words extends Up {
    final String w;
    Words(String w) { super(w, w + "!"); this.w = w; }
    Words() { this("w"); }
    public String toString() { return w; }
}
class Other extends Up {
    Object o;
    Other() { super(new Object[1].length == 1 ? "a" : "b", "c"); o = new Object() { public String toString() {
        return "in"; } }; }
    public String toString() { return "" + o; }
}
""",
    "q/Main.java": """
package q;
public class Main {
    public static void main(String[] words) {
        System.out.print(new Empty() + " " + new Plain() + " " + new Pushed() + " " + new Words() + " " + new Other());
    }
}
""",
}


def _without_superclass(cf: ClassFile) -> bytes:
    found = parts(cf, "full")
    return rewrite(cf, found, chosen(found, lambda part: part.kind is not PartKind.SUPERCLASS), Everything())


@pytest.mark.parametrize("options", [("-g",), ("-g:none",), ("-g", "--release", "8")])
def test_their_code_runs_without_the_superclass(compile_java: CompileJava, tmp_path: Path, options: tuple[str, ...]):
    folder = compile_java(SOURCES, *options)
    (tmp_path / "q").mkdir()
    for file in sorted(folder.rglob("*.class")):
        cf = parse(file.read_bytes())
        (tmp_path / "q" / file.name).write_bytes(_without_superclass(cf) if cf.superclass == "q/Up" else cf.data)
    command = ["java", "-Xverify:all", "-cp", tmp_path, "q.Main"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "42 1026 242/2 w in")


def test_arguments_that_are_only_pushed_go_with_the_call(compile_java: CompileJava):
    cf = parse((compile_java(SOURCES) / "q" / "Plain.class").read_bytes())
    found = {
        method.descriptor_text: super_calls(cf, Symbols(cf.name, cf.constants.tuples()), method)
        for method in cf.methods
    }
    (call,) = found["(JLjava/lang/String;)V"]
    assert call.is_plain
    assert found["()V"] == ()  # this(...)
    before = _code(cf)
    after = _code(parse(_without_superclass(cf)))
    assert len(before) - len(after) == 8  # iconst_1, lload_1, ldc2_w, aload_3, padding of a switch
    assert [each.opcode for each in instructions(after)][:2] == [0x2A, 0xB7]


def test_a_constructor_that_makes_objects_of_the_superclass_keeps_its_call(compile_java: CompileJava):
    source = (
        "package q; class Maker extends Base { Maker() { super(new Base(null)); } } class Base { Base(Base b) { } }"
    )
    cf = parse((compile_java({"q/Maker.java": source}) / "q" / "Maker.class").read_bytes())
    assert super_calls(cf, Symbols(cf.name, cf.constants.tuples()), next(iter(cf.methods))) == ()


def _code(cf: ClassFile) -> bytes:
    data = next(iter(cf.methods)).attributes.raw("Code")
    assert data is not None
    return data[8 : 8 + int.from_bytes(data[4:8], "big")]
