"""The classes around nested classes, where names do not tell of them, and edits that must know these."""

from __future__ import annotations

import pytest

from core.edits.names.name_map import Replacement
from core.edits.programs.class_relations import families
from core.edits.programs.kinds import KINDS
from core.edits.programs.program import WholeProgram
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
