"""The classes around nested classes, where names do not tell of them, and edits that must know these."""

from __future__ import annotations

import pytest

from core.edits.names.name_map import Replacement
from core.edits.programs.classes_around import top_levels
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


def test_the_class_at_the_top_goes_by_attributes(program):
    found = top_levels(program.classes)
    assert {name for name, top in found.items() if top == "a"} >= {"a", "b", "c", "d"}


def test_type_variables_of_a_class_that_is_no_longer_around_go(program):
    part = [edit for edit in KINDS["nesting"].find(program) if edit.what == "b"]
    assert types_of_fields(KINDS["nesting"].make(program, part)) == {"e": "TC;"}
