"""The ``throw`` that a frame of a stack trace means, on compiled classes."""

from __future__ import annotations

from core.report.frame_lines import line_in_trace, throw_in, throw_of, thrower
from tests.support.java import CompileJava

SOURCE = """package p;
class A {
    static int f(int x) {
        if (x == 0) throw new IllegalStateException("none");
        return 1 / x;
    }
    static int f(int x, int y) {
        if (x == 0)
            throw new IllegalStateException("no x");
        if (y == 0)
            throw new IllegalStateException("no y");
        return x / y;
    }
}
"""
TRACE = "java.lang.IllegalStateException: no y\n\tat app//p.A.f(A.java:11)\n\tat p.A.f(A.java:4)\n"


def test_the_line_of_a_frame_leads_to_one_throw(compile_java: CompileJava) -> None:
    data = (compile_java({"p/A.java": SOURCE}) / "p/A.class").read_bytes()
    assert line_in_trace(TRACE, "p/A", "f") == 11
    assert line_in_trace(TRACE, "p/B", "f") == 0
    assert thrower(data, "f", 11) == (1, 1, 2)
    assert thrower(data, "f", 4) == (0, 0, 1)
    assert thrower(data, "f", 5) is None, "nothing is thrown there"
    assert thrower(data, "g", 4) is None
    bare = (compile_java({"p/A.java": SOURCE}, "-g:none") / "p/A.class").read_bytes()
    assert thrower(bare, "f", 11) is None, "there is no line table"


def test_only_a_source_with_as_many_throws_is_gone_into() -> None:
    lines = ["int f() throws E {", "  // throw it", "  throw a;", '  say("x"); throw b;', "}"]
    assert throw_in(lines, 0, 2) == 2
    assert throw_in(lines, 1, 2) == 3
    assert throw_in(lines, 0, 1) == -1


def test_without_a_line_table_the_only_throw_of_that_type_is_meant() -> None:
    lines = ["int f() {", "  if (a) throw new IllegalStateException(x);", "  throw new java.io.IOException();", "}"]
    assert throw_of(lines, "java.lang.IllegalStateException: no at p.A.f") == 1
    assert throw_of(lines, "java.io.IOException at p.A.f") == 2
    assert throw_of(lines, "java.lang.ArithmeticException: no at p.A.f") == -1
    assert throw_of([*lines, lines[1]], "java.lang.IllegalStateException: no at p.A.f") == -1
