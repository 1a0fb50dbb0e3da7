"""The kinds of failures: one kind for a complaint wherever it comes, others for other complaints."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from core.library.jdk import find_jdk
from core.predicate.failure_kinds import FailureKinds
from core.predicate.output import javac, traces
from tests.support.rows import rows

KINDS = FailureKinds(frozenset({"p/A", "p/A$B", "p/q/C", "p/q/C$D", "p/q/C$1", "top/Level"}))

SOURCE = """
package p;
class Shop {{
    {nested}
    static class Broken {{ int wrong(Object value) {{ return "text" + value; }} }}
}}
"""
NESTED = """
    static class Item{n} {{
        String name{n}(java.util.List<Object> all) {{ String local{n} = all.get({n}); return local{n}; }}
        Item{n} self(Object other) {{ Item{n} made = other; return made; }}
        void call() {{ missing{n}(); unknown{n} = {n}; }}
    }}
"""


@pytest.fixture(scope="module")
def errors(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """The names of javac's errors in six nested classes with the same mistakes, and one with another one."""
    folder = tmp_path_factory.mktemp("shop")
    source = folder / "Shop.java"
    source.write_text(SOURCE.format(nested="".join(NESTED.format(n=number) for number in range(6))))
    command = [str(find_jdk().home / "bin" / "javac"), "-J-Duser.language=en", "-d", str(folder), str(source)]
    return javac.names(subprocess.run(command, capture_output=True, text=True, check=False).stderr)


def test_what_javac_says_of_six_nested_classes_alike_is_of_one_kind(errors: tuple[str, ...]) -> None:
    kinds = FailureKinds(frozenset({"p/Shop", "p/Shop$Broken", *(f"p/Shop$Item{number}" for number in range(6))}))
    assert len(errors) == 25
    assert {kinds.of_name(name) for name in errors} == {
        "incompatible types: Object cannot be converted to String",
        "incompatible types: Object cannot be converted to #",
        "incompatible types: String cannot be converted to int",
        "cannot find symbol; symbol: method",
        "cannot find symbol; symbol: variable",
    }


@rows(
    ("one", "other", "same"),
    [
        ("A.java: ';' expected", "Other.java: ';' expected", True),
        (
            "DLS DLS_DEAD_LOCAL_STORE: Dead store to ch in p.A.read()",
            "DLS DLS_DEAD_LOCAL_STORE: Dead store to buffer in other.B.write(int)",
            True,
        ),
        ("UuF UUF_UNUSED_FIELD: Unused field: p.A.x", "UrF URF_UNREAD_FIELD: Unread field: p.A.x", False),
        ("A.java: ';' expected", "A.java: ')' expected", False),
        ("A.java: not a statement; at void", "Other.java: not a statement; at *", False),
        ("A.java: incompatible types: A<String> cannot be converted to p.q.C.D",
         "C.java: incompatible types: C.D cannot be converted to A<java.util.Map<C,int[]>>", True),
        ("A.java: incompatible types: A cannot be converted to int",
         "A.java: incompatible types: A cannot be converted to boolean", False),
        ("A.java: incompatible types: T cannot be converted to A",
         "A.java: incompatible types: R1 cannot be converted to C", True),
        ("A.java: cannot find symbol; symbol: class Type1; location: class A",
         "C.java: cannot find symbol; symbol: class Other; location: interface C.D", True),
        ("A.java: cannot find symbol; symbol: class X; location: class A",
         "A.java: cannot find symbol; symbol: method X(); location: class A", False),
        ("A.java: variable x is already defined in method f(int)",
         "C.java: variable list is already defined in method g()", True),
        ("A.java: no suitable method found for add(A)", "A.java: no suitable constructor found for A(int)", False),
        ("A.java: no suitable method found for add(A)", "C.java: no suitable method found for put(int,String)", True),
        ("A.java: x has private access in A", "C.java: count has private access in D", True),
        ("no source for p.A", "no source for p.q.C", True),
        ("java.lang.IllegalStateException: p.A in 3 at t.Tool.read < t.Tool.main",
         "java.lang.IllegalStateException: p.q.C$D in 12 at t.Tool.read < t.Other.run", True),
        ("java.lang.Error: x at t.Tool.read", "java.lang.Error: x at t.Tool.write", False),
        ("java.lang.Error: Invalid descriptor: (IQLjava/lang/String;)V at t.Tool.read",
         "java.lang.Error: Invalid descriptor: \x00\u7070(Ly at t.Tool.read", True),
        ("java.lang.Error: Invalid descriptor: ()K[java/x at t.Tool.read",
         "java.lang.Error: Invalid name: \x07b at t.Tool.read", False),
        ("java.lang.Error: found Ljava/lang/String; at t.Tool.read",
         "java.lang.Error: found Ljava/util/List; at t.Tool.read", False),
        ("java.lang.NullPointerException at java.util.Objects.requireNonNull < t.Tool.read < t.Tool.main",
         "java.lang.NullPointerException at java.util.Objects.requireNonNull < t.Tool.write < t.Tool.main", False),
        ("a.X at t.Tool.run; caused by a.Y: p.A at t.Tool.read",
         "a.X at t.Tool.run; caused by a.Y: p.A at t.Tool.write", False),
        ("p.A: java.lang.VerifyError: Bad type in p/A.m(Lp/A;)V Type 'p/A' is not assignable to 'p/q/C'",
         "p.q.C$D: java.lang.VerifyError: Bad type in p/q/C$D.g()Lp/A; Type 'p/q/C' is not assignable to 'p/A'", True),
        ("Test 1 failed in p/A.m(I)V", "Test 20 failed in p/q/C.other()", True),
        ("Test 1 failed in x/A.m", "Test 20 failed in y/C.other", False),
    ],
)  # fmt: skip
def test_names_of_the_input_do_not_make_another_kind(one: str, other: str, same: bool) -> None:
    assert (KINDS.of_name(one) == KINDS.of_name(other)) is same, (KINDS.of_name(one), KINDS.of_name(other))


def test_a_trace_of_a_tool_is_known_by_its_place(tmp_path: Path) -> None:
    text = (
        'Exception in thread "main" java.lang.IllegalStateException: cannot read {} (12 bytes)\n'
        "\tat java.base/java.util.Objects.requireNonNull(Objects.java:1)\n"
        "\tat org.tool.Reader.read(Reader.java:{})\n\tat org.tool.{}.run(Main.java:3)\n"
    )
    values = ("p/A", 10, "Main"), ("\x1c\x85top/Level", 11, "Other")  # line ends to Python alone
    names = [traces.names(text.format(*each))[0] for each in values]
    assert names[0] != names[1]
    place = "java.util.Objects.requireNonNull < org.tool.Reader.read"
    kind = f"java.lang.IllegalStateException: cannot read # (# bytes) at {place}"
    assert {KINDS.of_name(name) for name in names} == {kind}


def test_classes_are_known_by_the_entries_of_an_archive() -> None:
    names = ("p/A.class", "META-INF/versions/17/p/B.class", "BOOT-INF/classes/r/C.class", "p/text.txt")
    kinds = FailureKinds.of((name, b"") for name in names)
    assert kinds.classes == {"p/A", "p/B", "r/C"}
    assert kinds.of_name("x r.C y") == kinds.of_name("x B y") == "x # y"
    assert kinds.including(["z/New"]).of_name("x New y") == "x # y"
    assert kinds.including(["p/A"]) is kinds
