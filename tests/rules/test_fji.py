"""The example of GBR21 from its class files: the clauses of Figure 2, and as many models as the paper counts."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building
from core.model.formula import Builder, Formula
from core.model.item_model import ItemModel
from tests.support import solving

TESTS = Path(__file__).resolve().parents[1]
FJI = json.loads((TESTS / "unit" / "data" / "fji.json").read_text(encoding="utf-8"))
SOURCES = TESTS.parent / "resources" / "sample" / "java" / "fji"
MAIN = "M.main()!code"


def short(name: str) -> str:
    """An item as the paper writes it: without package and types."""
    return re.sub(r":\(.*?\)[^!]*", "()", name.replace("fji/", ""))


@pytest.fixture(scope="module")
def fji(compile_java) -> ItemModel:
    sources = {f"fji/{file.name}": file.read_text(encoding="utf-8") for file in SOURCES.glob("*.java")}
    library = open_library()
    model = building.build(read_jar([compile_java(sources)]), library, "member", "src")
    library.close()
    return model


def clauses(model: ItemModel) -> set[tuple[frozenset[str], frozenset[str]]]:
    """Those that say nothing of constructors, which the calculus of the paper does not have."""
    names = [short(item.name) for item in model.items]
    found = set()
    for before, after, rule in model.formula.clauses():
        assert max((*before, *after)) < len(names), f"{rule} made a derived fact"
        clause = frozenset(names[v] for v in before), frozenset(names[v] for v in after)
        if not any("<init>" in name for name in (*clause[0], *clause[1])):
            found.add(clause)
    return found


def formula(model: ItemModel, *, unit: bool) -> Formula:
    names = FJI["variables"]
    builder = Builder(len(names))
    for before, after in clauses(model):
        builder.add(map(names.index, before), map(names.index, after), "FJI")
    if unit:
        builder.add((), (names.index(MAIN),), "S2")
    return builder.formula()


def test_the_items_are_the_variables_of_the_paper(fji):
    names = [short(item.name) for item in fji.items if "<init>" not in item.name]
    assert sorted(names) == sorted(FJI["variables"])


def test_the_clauses_are_those_of_figure_2(fji):
    expected = {(frozenset(clause["if"]), frozenset(clause["then"])) for clause in FJI["constraints"]}
    assert clauses(fji) == expected - {(frozenset(), frozenset({MAIN}))}


def test_it_has_as_many_models_as_the_paper_counts(fji):
    assert solving.count(formula(fji, unit=False)) == FJI["models_without_the_unit_clause"] == 6766
    assert solving.count(formula(fji, unit=True)) == FJI["models_with_unit_M.main()!code"] == 543


def test_constructors_add_but_what_their_calls_need(fji):
    """A call of a constructor needs it, it needs its class: nothing else ties constructors to the paper's items."""
    names = [short(item.name) for item in fji.items]
    found = {
        (*sorted(names[v] for v in before), *(names[v] for v in after))
        for before, after, _ in fji.formula.clauses()
        if any("<init>" in names[v] for v in (*before, *after))
    }
    own = {(f"{c}.<init>()", c) for c in "ABM"} | {(f"{c}.<init>()!code", f"{c}.<init>()") for c in "ABM"}
    assert found == own | {(MAIN, "A.<init>()"), (MAIN, "M.<init>()")}
