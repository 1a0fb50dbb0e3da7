"""Handlers that catch Throwable, in programs that the virtual machine verifies and runs."""

from __future__ import annotations

import pytest

from core.classfile.symbolic.symbolic_class import SymbolicClass
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
from tests.support.whole_programs import output_of, whole_program

MAIN = (
    "public class Main {{ public static void main(String[] a) {{ f(null); }} static Object f(Object x) {{ {} }} {} }}"
)


@pytest.fixture
def program(compile_java):
    def of(body: str, members: str = "") -> WholeProgram:
        folder = compile_java({"Main.java": MAIN.format(body, members)})
        return whole_program(folder)

    return of


@pytest.fixture
def output(tmp_path):
    def of(program: WholeProgram) -> str:
        return output_of(program, tmp_path).strip()

    return of


def old(tree: SymbolicClass) -> SymbolicClass:
    return tree.without(lambda each: each.name == "StackMapTable")._replace(major=49)


TRY = "try { x.hashCode(); x = 1; } catch (%s e) { System.out.print(%s); } System.out.println(x); return x;"


@pytest.mark.parametrize("change", [lambda tree: tree, old], ids=["frames", "inferred"])
def test_a_handler_catches_more(change, program, output):
    before = program(TRY % ("NullPointerException", "1")).mapped(change)
    edits = KINDS["catches"].find(before)
    assert [edit.says for edit in edits] == [
        "Main.f(Object) catches Throwable in place of java.lang.NullPointerException"
    ]
    after = KINDS["catches"].make(before, edits)
    assert output(before) == output(after) == "1null"
    assert b"NullPointer" not in after.files[0]


def test_equal_rows_become_one(program, output):
    before = program(TRY % ("IllegalStateException | NullPointerException", "e != null"))
    edits = KINDS["catches"].find(before)
    assert len(edits) == 2
    for some in ([edits[0]], [edits[1]], edits):
        assert output(KINDS["catches"].make(before, some)) == "truenull"
    after = KINDS["catches"].make(before, edits)
    assert len(after.files[0]) < len(before.files[0]) - 8


@pytest.mark.parametrize("change", [lambda tree: tree, old], ids=["frames", "inferred"])
@pytest.mark.parametrize("use", ["g(e)", "(y = e) == null", "e.more"])
def test_a_type_that_is_needed_stays(use, change, program):
    members = "static int g(RuntimeException e) { return 1; } static Exception y;"
    members += "static class More extends RuntimeException { int more; }"
    caught = "More" if "more" in use else "IllegalStateException"
    before = program(TRY % (caught, use), members).mapped(change)
    assert not KINDS["catches"].find(before)
