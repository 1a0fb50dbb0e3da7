"""Nested classes that become plain ones: the type variables that their classes can still name."""

from __future__ import annotations

import pytest

from core.edits.programs.kinds import KINDS
from tests.support.whole_programs import whole_program

OUTER = """class Outer<C> {
    class Mid<M> {
        class In<I> { C c; M m; I i; }
        Object local() { return new java.util.function.Function<C, M>() { public M apply(C c) { return null; } }; }
    }
    class Beside { C c; }
}"""


@pytest.fixture
def signatures(compile_java):
    """Return the signatures of each class after one class has become a plain one."""
    program = whole_program(compile_java({"Outer.java": OUTER}))

    def after(name: str) -> dict[str, set[str]]:
        part = [edit for edit in KINDS["nesting"].find(program) if edit.what == name]
        assert part
        return {
            tree.name: {
                str(symbol.content[0])
                for owner in (tree, *tree.fields, *tree.methods)
                for attribute in owner.attributes
                if attribute.name == "Signature"
                for symbol in attribute.symbols
            }
            for tree in KINDS["nesting"].make(program, part).classes
        }

    return after


def test_classes_inside_a_plain_class_lose_the_type_variables_outside_it(signatures):
    found = signatures("Outer$Mid")
    assert {"TM;", "TI;"} <= found["Outer$Mid$In"]
    assert "TC;" not in found["Outer$Mid$In"]
    assert found["Outer$Mid$1"] == set()
    assert "TC;" in found["Outer$Beside"]


def test_a_class_keeps_the_type_variables_of_the_classes_around_it(signatures):
    found = signatures("Outer$Beside")
    assert {"TC;", "TM;", "TI;"} <= found["Outer$Mid$In"]
    assert "TC;" not in found["Outer$Beside"]
