"""The call or throw that a frame of a stack trace means, on compiled classes."""

from __future__ import annotations

from core.report.failure_places import FrameStep, frame_in_trace, step_in, steps_at, throw_of
from tests.support.java import CompileJava

SOURCE = """package p;
class A {
    A(int x) { }
    static int f(int x) {
        g(x);
        int y = h(g(x));
        return g(y) + f(x, new A(x));
    }
    static int f(int x, A a) {
        return g(x);
    }
    static int g(int x) { return 1 / x; }
    static int h(int x) { return x; }
}
"""
THROWING = """package p;
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
TRACE = """java.lang.ArithmeticException: / by zero
\tat app//p.A.g(A.java:12)
\tat p.A.f(A.java:6)
\tat p.Main.main(Main.java:3)
Caused by: java.lang.Error
\tat p.B.<init>(B.java:3)
\tat p.C.c(C.java)
"""


def test_a_frame_has_a_line_and_the_frame_above_names_what_is_called() -> None:
    assert frame_in_trace(TRACE, "p/A", "f") == (6, "g")
    assert frame_in_trace(TRACE, "p/A", "g") == (12, ""), "it is the innermost"
    assert frame_in_trace(TRACE, "p/B", "<init>") == (3, ""), "a cause begins anew"
    assert frame_in_trace(TRACE, "p/C", "c") == (0, "B")
    assert frame_in_trace(TRACE, "p/D", "d") == (0, "")


def test_the_line_of_a_frame_leads_to_its_calls(compile_java: CompileJava) -> None:
    data = (compile_java({"p/A.java": SOURCE}) / "p/A.class").read_bytes()
    assert steps_at(data, "f", 6, "h") == [FrameStep(0, "h", 0, 1), FrameStep(0, "g", 1, 3)]
    assert steps_at(data, "f", 7, "A") == [FrameStep(0, "A", 0, 1), FrameStep(0, "g", 2, 3), FrameStep(0, "f", 0, 1)]
    assert steps_at(data, "f", 10, "g") == [FrameStep(1, "g", 0, 1)]
    assert steps_at(data, "f", 12, "") == []
    bare = (compile_java({"p/A.java": SOURCE}, "-g:none") / "p/A.class").read_bytes()
    assert steps_at(bare, "f", 6, "g") == [], "there is no line table"


def test_only_a_source_with_as_many_calls_is_gone_into() -> None:
    lines = ["static int f(int x) {", '  say("g(x)"); // g(', "  g(x);", "  return h(x, g(x)) + f(1, new A<>(x));", "}"]
    assert step_in(lines, FrameStep(0, "g", 1, 2), "f") == 3
    assert step_in(lines, FrameStep(0, "g", 1, 3), "f") == -1
    assert step_in(lines, FrameStep(0, "A", 0, 1), "f") == 3
    assert step_in(lines, FrameStep(0, "f", 0, 1), "f") == 3, "the head is no call"


def test_the_innermost_frame_leads_to_one_throw(compile_java: CompileJava) -> None:
    data = (compile_java({"p/A.java": THROWING}) / "p/A.class").read_bytes()
    assert steps_at(data, "f", 11, "")[0] == FrameStep(1, "throw", 1, 2)
    assert steps_at(data, "f", 4, "")[0] == FrameStep(0, "throw", 0, 1)
    assert steps_at(data, "f", 11, "g") == [FrameStep(1, "IllegalStateException", 1, 2)], "another frame is above"
    assert steps_at(data, "f", 5, "") == [], "nothing is thrown there"
    assert steps_at(data, "g", 4, "") == []
    bare = (compile_java({"p/A.java": THROWING}, "-g:none") / "p/A.class").read_bytes()
    assert steps_at(bare, "f", 11, "") == [], "there is no line table"


def test_only_a_source_with_as_many_throws_is_gone_into() -> None:
    lines = ["int f() throws E {", "  // throw it", "  throw a;", '  say("throw"); throw b;', "}"]
    assert step_in(lines, FrameStep(0, "throw", 0, 2), "f") == 2
    assert step_in(lines, FrameStep(0, "throw", 1, 2), "f") == 3
    assert step_in(lines, FrameStep(0, "throw", 0, 1), "f") == -1


def test_without_a_line_table_the_only_throw_of_that_type_is_meant() -> None:
    lines = ["int f() {", "  if (a) throw new IllegalStateException(x);", "  throw new java.io.IOException();", "}"]
    assert throw_of(lines, "java.lang.IllegalStateException: no at p.A.f") == 1
    assert throw_of(lines, "java.io.IOException at p.A.f") == 2
    assert throw_of(lines, "java.lang.ArithmeticException: no at p.A.f") == -1
    assert throw_of([*lines, lines[1]], "java.lang.IllegalStateException: no at p.A.f") == -1
