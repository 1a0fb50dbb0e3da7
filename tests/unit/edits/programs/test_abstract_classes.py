"""Classes that become abstract, and methods that become native, in programs that are verified and run."""

from __future__ import annotations

import pytest

from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.rows import rows
from tests.support.whole_programs import output_of, whole_program

ABSTRACT = KINDS["abstract"]
MAIN = (
    "public class Main {{ public static void main(String[] a) {{ {} }} }} interface Q {{ int one(); long two(int x); }}"
)
ONE, TWO = "public int one() { return 1; }", "public long two(int x) { return 0; }"


@pytest.fixture
def program(compile_java):
    def of(classes: str, body: str = "") -> WholeProgram:
        return whole_program(
            compile_java({"Main.java": MAIN.format(body) + classes.replace("ONE", ONE).replace("TWO", TWO)})
        )

    return of


def found(program: WholeProgram) -> dict[str, set[str]]:
    edits = [edit.what for edit in ABSTRACT.find(program)]
    return {owner: {name for each, name, _ in edits if each == owner} for owner, _, _ in edits}


def test_a_class_without_objects_need_not_implement_what_does_nothing(program, tmp_path):
    before = program(
        "final class C extends java.io.InputStream implements Q { "
        "public int one() { return 1; } public long two(int x) { return 0; } public int read() { return -1; } "
        "public int hashCode() { return 3; } static int told(Q q) { return q == null ? 7 : q.one(); } }",
        "System.out.print(C.told(null));",
    )
    assert output_of(before, tmp_path / "before") == "7"
    assert found(before) == {"C": {"one", "two", "read"}}
    edits = ABSTRACT.find(before)
    assert edits[0].says == "C is abstract, without C.one()"
    after = ABSTRACT.make(before, edits)
    tree = after.by_name["C"]
    assert [method.name for method in tree.methods] == ["<init>", "hashCode", "told"]
    assert tree.access & 0x0410 == 0x0400
    assert output_of(after, tmp_path / "after") == "7"
    assert found(after) == {}
    part = ABSTRACT.make(before, edits[:1])
    assert [method.name for method in part.by_name["C"].methods] == ["<init>", "two", "read", "hashCode", "told"]
    assert output_of(part, tmp_path / "part") == "7"


@rows(
    ("classes", "body"),
    [
        ("class C implements Q { ONE TWO }", "new C();"),
        ("class C implements Q { ONE TWO }", "java.util.function.Supplier<Q> q = C::new;"),
        ("abstract class C implements Q { ONE TWO }", ""),
        ("enum C implements Q { ; ONE TWO }", ""),
        ("record C(int x) implements Q { ONE TWO }", ""),
        ("class A { static class C implements Q { ONE TWO } }", ""),
        ("class C implements Q { ONE TWO } class D extends C { D() { } }", ""),
        ("class C { ONE TWO }", ""),
        ("class C implements Q { public int one() { return hashCode(); } public long two(int x) { return -x; } }", ""),
    ],
)  # fmt: skip
def test_other_classes_stay(program, classes, body):
    assert found(program(classes, body)) == {}


def test_a_method_that_its_class_names_stays(program):
    assert found(program("class C implements Q { ONE TWO int own() { return one(); } }")) == {"C": {"two"}}


def test_what_makes_the_constants_of_an_annotation_is_not_native(program, tmp_path):
    before = program(
        "@java.lang.annotation.Retention(java.lang.annotation.RetentionPolicy.RUNTIME) @interface Mark { E x(); } "
        "@Mark(x = E.A) class Use { } enum E { A(Made.twice()); E(int n) { } } "
        "class Made { static int twice() { return 2 * one(); } static int one() { return 1; } "
        "static int two() { return 2; } }",
        "System.out.print(Use.class.getAnnotation(Mark.class).x());",
    )
    native = KINDS["native"]
    edits = native.find(before)
    assert [edit.what for edit in edits] == ["Made.two:()I"]
    assert output_of(native.make(before, edits), tmp_path / "after") == "A"
