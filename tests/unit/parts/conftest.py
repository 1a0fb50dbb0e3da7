"""Programs that tests of parts share, compiled once."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.classfile.class_file import ClassFile, parse
from tests.support.java import CompileJava
from tests.support.rewriting import RUNNER


@pytest.fixture(scope="module")
def runner(compile_java: CompileJava) -> Path:
    return compile_java(RUNNER)


SOURCES = {
    "module-info.java": """
module m {
    requires java.sql; exports p; opens p;
    uses p.I; uses p.J; provides p.I with p.Both, p.Other; provides p.J with p.Both;
}
""",
    "p/I.java": "package p; public interface I { }",
    "p/J.java": "package p; public interface J { }",
    "p/Both.java": "package p; public class Both implements I, J { }",
    "p/Other.java": "package p; public class Other implements I { }",
    "p/A.java": """
package p;
import java.lang.annotation.*;
import java.util.*;
@Note("a")
public class A<T extends Bound & I, U> extends S<Arg> implements @Typed("i") I, @Typed("j") J, K<Arg, T> {
    static final long LONG = 1L << 40;
    final Object kept = this;
    @Note("f") List<Arg> list;
    A(long a, String b) { super(a, b); }
    int many(@Note("p") int a, String b, @Note("x") T c) throws E, @Typed("e") F, Exception {
        List<Gone> gone = null;
        Plain plain = null;
        String text = "" + a + b;
        Runnable run = () -> System.out.println(text);
        Runnable second = run::run;
        return text.hashCode() + (int) LONG;
    }
    class Inner { private int secret; }
    int nested() { return new Inner().secret; }
    static { System.out.println("loaded"); }
    @Note(value = "v", type = int.class) void empty() { }
}
class S<X> { S(long a, String b) { } }
interface K<X, Y> { }
class Arg { } class Bound { } class Gone { } class Plain { } class E extends Exception { } class F extends Exception { }
@Retention(RetentionPolicy.RUNTIME) @interface Note { String value(); Class<?> type() default Arg.class; }
@Target(ElementType.TYPE_USE) @Retention(RetentionPolicy.RUNTIME) @interface Typed { String value(); }
record R(@Note("c") int x, List<String> y) { }
sealed interface Sealed permits One, Two { }
final class One implements Sealed { } final class Two implements Sealed { }
class Host { void m() { new Object() { }; } }
""",
}


@pytest.fixture(scope="module")
def folder(compile_java: CompileJava) -> Path:
    return compile_java(SOURCES, "-g", "-parameters")


@pytest.fixture(scope="module")
def classes(folder: Path) -> dict[str, ClassFile]:
    return {file.stem: parse(file.read_bytes()) for file in folder.rglob("*.class")}


@pytest.fixture(scope="module")
def a(classes: dict[str, ClassFile]) -> ClassFile:
    return classes["A"]
