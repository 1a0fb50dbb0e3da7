"""The classes around nested classes, where names do not tell of them, and edits that must know these."""

from __future__ import annotations

import pytest

from core.rewrite.around import families
from core.rewrite.programs.kinds import KINDS
from core.rewrite.programs.program import WholeProgram
from core.rewrite.programs.replacing import Replacement
from tests.support.whole_programs import whole_program

OUTER = """class Outer<C> {
    class Mid { C c; class In { C d; } }
    Object local() { return new Object() { C e; }; }
}
class Apart { }
"""
NAMES = {"Outer": "a", "Outer$Mid": "b", "Outer$Mid$In": "c", "Outer$1": "d", "Apart": "a$b"}


@pytest.fixture
def program(compile_java):
    """Return a program with the names of an obfuscator."""
    before = whole_program(compile_java({"Outer.java": OUTER}))
    replacement = Replacement(NAMES)
    trees = [replacement.tree(tree)._replace(name=NAMES[tree.name]) for tree in before.classes]
    return WholeProgram(tuple(trees), before.library)


def types_of_fields(program: WholeProgram) -> dict[str, str]:
    return {
        field.name: str(next(signature.symbols).content[0])
        for tree in program.classes
        for field in tree.fields
        if (signature := field.attribute("Signature"))
    }


def test_families_go_by_attributes(program):
    found = {top: {tree.name for tree in trees} for top, trees in families(program.classes).items()}
    assert found["a"] >= {"a", "b", "c", "d"}


def test_generic_types_go_in_all_classes_of_a_family(program):
    part = [edit for edit in KINDS["signatures"].find(program) if edit.what == "a"]
    assert types_of_fields(program).keys() == {"c", "d", "e"}
    assert part
    assert types_of_fields(KINDS["signatures"].make(program, part)) == {}


def test_type_variables_of_a_class_that_is_no_longer_around_go(program):
    part = [edit for edit in KINDS["nesting"].find(program) if edit.what == "b"]
    assert types_of_fields(KINDS["nesting"].make(program, part)) == {"e": "TC;"}


def test_a_nested_class_joins_the_class_around_it_whatever_their_names(compile_java):
    before = whole_program(compile_java({"Out.java": "class Out { static class In { int x; } }"}))
    names = {"Out": "a", "Out$In": "other"}
    trees = [Replacement(names).tree(tree)._replace(name=names[tree.name]) for tree in before.classes]
    program = WholeProgram(tuple(trees), before.library)
    (edit,) = KINDS["enclosing"].find(program)
    assert (edit.what.old, edit.what.new) == ("other", "a")
    assert [tree.name for tree in KINDS["enclosing"].make(program, [edit]).classes] == ["a"]


def test_all_nested_classes_join_the_class_around_them_where_all_names_have_one_length(compile_java):
    source = "class Out { static class In { int x; } static class More { long y; } }"
    before = whole_program(compile_java({"Out.java": source}))
    names = {"Out": "b", "Out$In": "a", "Out$More": "c"}
    trees = [Replacement(names).tree(tree)._replace(name=names[tree.name]) for tree in before.classes]
    trees.sort(key=lambda tree: tree.name)
    program = WholeProgram(tuple(trees), before.library)
    edits = KINDS["enclosing"].find(program)
    assert sorted(edit.what[:2] for edit in edits) == [("a", "b"), ("c", "b")]
    assert [tree.name for tree in KINDS["enclosing"].make(program, edits).classes] == ["b"]
