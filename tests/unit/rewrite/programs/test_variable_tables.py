"""LocalVariableTable goes where LocalVariableTypeTable tells the same variables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from core.rewrite.programs.class_tree import MemberTree
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import WholeProgram
from tests.support.whole_programs import MAIN, made, output_of, whole_program

TABLES = ("LocalVariableTable", "LocalVariableTypeTable")
MANY = """import java.util.*;
public class Many<T> {
    static int generic(List<String> all) { List<String> own = all; return own.size(); }
    int parameters(int first, Object second) { List<T> own = new ArrayList<>(); return own.size() + first; }
    static int plain(List<String> all) { Object own = all; return own == null ? 0 : 1; }
    static int none(List<String> all) { return all.size(); }
    static Object lambda(List<String> all) {
        return all.stream().map(one -> { List<String> own = all; return own; });
    }
}"""
TOLD_TWICE = {"<init>", "generic", "parameters", "none", "lambda"}
"""Methods of which the first table tells nothing more than the second one and the descriptor."""


@pytest.fixture
def program(compile_java) -> WholeProgram:
    calls = "Many.generic(new java.util.ArrayList<>()) + new Many<String>().parameters(3, null) + Many.plain(null)"
    return whole_program(compile_java({"Many.java": MANY, "Main.java": MAIN.format(calls)}, "-g:vars"))


def tables(program: WholeProgram) -> dict[str, set[str]]:
    """Return the tables of local variables that each method has."""
    return {method.name: set(_tables(method)) for tree in program.classes for method in tree.methods}


def _tables(method: MemberTree) -> Iterator[str]:
    for attribute in method.attributes:
        yield from (each.name for each in attribute.inside if each.name in TABLES)


def test_one_table_is_left_where_it_tells_all_variables(program: WholeProgram, tmp_path) -> None:
    before, after = tables(program), tables(made(program, "variables"))
    assert all(before[name] == set(TABLES) for name in TOLD_TWICE)
    changed = {name for name in before if before[name] != after[name]}
    assert changed == TOLD_TWICE
    assert all(after[name] == {"LocalVariableTypeTable"} for name in TOLD_TWICE)
    assert before["lambda$lambda$0"] == set(TABLES)
    assert output_of(made(program, "variables"), tmp_path / "out") == "3\n"


def test_one_edit_leaves_other_methods_alone(program: WholeProgram) -> None:
    (edit,) = [each for each in KINDS["variables"].find(program) if each.what[1] == "generic"]
    assert edit.says == "Many.generic(List) has no LocalVariableTable any more"
    after = tables(KINDS["variables"].make(program, [edit]))
    assert {name for name, left in after.items() if left != tables(program)[name]} == {"generic"}


def test_nothing_is_offered_twice(program: WholeProgram) -> None:
    assert not KINDS["variables"].find(made(program, "variables"))
