"""Constants of enums that nothing reads, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

import pytest

from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program

CONSTANTS = KINDS["constants"]
MAIN = "public class Main {{ public static void main(String[] a) {{ {} }} }} "


def without_array(tree: SymbolicClass) -> SymbolicClass:
    """An enum whose array of constants is null, as a search of bodies leaves it."""
    none = next((each for each in tree.methods if each.name == "none"), None)
    changed = [each._replace(attributes=none.attributes) if each.name == "$values" else each for each in tree.methods]
    return tree if none is None else tree._replace(methods=tuple(changed))


@pytest.fixture
def program(compile_java):
    def of(enum: str, body: str = "", more: str = "") -> WholeProgram:
        text = MAIN.format(body) + more + "enum E { " + enum + " static E[] none() { return null; } }"
        return whole_program(compile_java({"Main.java": text})).mapped(without_array)

    return of


def found(program: WholeProgram) -> list[str]:
    return [edit.what[1] for edit in CONSTANTS.find(program)]


def test_a_constant_goes_with_what_made_it_and_the_others_stay(program, tmp_path):
    before = program(
        'A(tell(1)), B(tell(2)) { int twice() { return 4; } }, C(tell(Long.getLong("x", 3) > 2 ? 3 : 4)), D(tell(5)); '
        "final long n; E(long n) { this.n = n; } int twice() { return 2; } "
        "static long tell(long n) { System.out.print(n); return n; }",
        "System.out.print(E.D.twice() + E.D.n);",
    )
    assert output_of(before, tmp_path / "before") == "12357"
    assert found(before) == ["A", "B"]
    for number, expected in enumerate(("2357", "1357")):
        after = CONSTANTS.make(before, [CONSTANTS.find(before)[number]])
        assert output_of(after, tmp_path / str(number)) == expected
    after = CONSTANTS.make(before, CONSTANTS.find(before))
    assert output_of(after, tmp_path / "after") == "357"
    assert [each.name for each in after.by_name["E"].fields] == ["C", "D", "n", "$VALUES"]


def test_an_abstract_enum_keeps_a_constant(program, tmp_path):
    before = program("A { void say() { } }, B { void say() { } }, C { void say() { } }; abstract void say();")
    assert found(before) == ["B", "C"]
    after = CONSTANTS.make(before, CONSTANTS.find(before))
    assert output_of(after, tmp_path / "after") == ""


@pytest.mark.parametrize(
    ("body", "more"),
    [
        ("System.out.print(E.B);", ""),
        ("E.valueOf(E.B.name());", ""),
        ("", "@interface Told { E value(); } @Told(E.B) class User { } "),
        ("switch (E.valueOf(\"A\")) { case B: System.out.print(1); }", ""),
    ],
)  # fmt: skip
def test_a_constant_that_something_names_stays(program, body, more):
    assert found(program("A, B;", body, more)) == ["A"]


def test_a_constant_that_gets_two_values_stays(program):
    before = program("A, B; static E other; static { other = null; other = null; }")
    flagged = before.mapped(
        lambda tree: tree._replace(fields=tuple([each._replace(access=each.access | 0x4000) for each in tree.fields]))
    )
    assert found(flagged) == ["A", "B"]


def test_what_an_array_of_constants_holds_stays(compile_java):
    assert found(whole_program(compile_java({"Main.java": MAIN.format("") + "enum E { A, B }"}))) == []
