"""The call that a frame of a stack trace means, on compiled classes."""

from __future__ import annotations

from core.report.frame_lines import FrameCall, call_in, callee_in_trace, calls_at
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
TRACE = """java.lang.ArithmeticException: / by zero
\tat app//p.A.g(A.java:12)
\tat p.A.f(A.java:6)
\tat p.Main.main(Main.java:3)
Caused by: java.lang.Error
\tat p.B.<init>(B.java:3)
\tat p.C.c(C.java)
"""


def test_the_frame_above_names_what_is_called() -> None:
    assert callee_in_trace(TRACE, "p/A", "f") == "g"
    assert callee_in_trace(TRACE, "p/A", "g") == "", "it is the innermost"
    assert callee_in_trace(TRACE, "p/B", "<init>") == "", "a cause begins anew"
    assert callee_in_trace(TRACE, "p/C", "c") == "B"
    assert callee_in_trace(TRACE, "p/D", "d") == ""


def test_the_line_of_a_frame_leads_to_its_calls(compile_java: CompileJava) -> None:
    data = (compile_java({"p/A.java": SOURCE}) / "p/A.class").read_bytes()
    assert calls_at(data, "f", 6, "h") == [FrameCall(0, "h", 0, 1), FrameCall(0, "g", 1, 3)]
    assert calls_at(data, "f", 7, "A") == [FrameCall(0, "A", 0, 1), FrameCall(0, "g", 2, 3), FrameCall(0, "f", 0, 1)]
    assert calls_at(data, "f", 10, "g") == [FrameCall(1, "g", 0, 1)]
    assert calls_at(data, "f", 12, "") == []
    bare = (compile_java({"p/A.java": SOURCE}, "-g:none") / "p/A.class").read_bytes()
    assert calls_at(bare, "f", 6, "g") == [], "there is no line table"


def test_only_a_source_with_as_many_calls_is_gone_into() -> None:
    lines = ["static int f(int x) {", '  say("g(x)"); // g(', "  g(x);", "  return h(x, g(x)) + f(1, new A<>(x));", "}"]
    assert call_in(lines, FrameCall(0, "g", 1, 2), "f") == 3
    assert call_in(lines, FrameCall(0, "g", 1, 3), "f") == -1
    assert call_in(lines, FrameCall(0, "A", 0, 1), "f") == 3
    assert call_in(lines, FrameCall(0, "f", 0, 1), "f") == 3, "the head is no call"
