"""Members and supertypes that a class may have from a class that is nowhere: code that uses them keeps the way up to
that class."""

from __future__ import annotations

import pytest

from core.archive.jar import read_jar
from core.archive.packer import write_jar
from core.library.library import open_library
from core.model import building
from core.model.item_model import ItemModel
from tests.support.java import CompileJava
from tests.support.rows import rows

SOURCES = {
    "p/Gone.java": """package p; class Gone extends RuntimeException {
        int held; int told() { return 1; } static int made;
    }""",
    "p/Middle.java": "package p; class Middle extends Gone { int own; int mine() { return 2; } }",
    "p/Low.java": """package p; class Low extends Middle {
        int reads() { return held; } int calls() { return told(); } int statics() { return made; }
        int own() { return own + mine(); } int thrown() { throw this; }
        int takes(Middle middle) { return 1; }
    }""",
}
INHERITED = ("reads", "calls", "statics", "thrown")


@pytest.fixture(scope="module", params=["jvm", "src"])
def model(
    request: pytest.FixtureRequest, compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory
) -> ItemModel:
    folder = compile_java(SOURCES) / "p"
    jar = tmp_path_factory.mktemp("missing") / "a.jar"
    write_jar(jar, [(f"p/{name}.class", (folder / f"{name}.class").read_bytes()) for name in ("Low", "Middle")])
    return building.build(read_jar([jar]), open_library(), "full", request.param)


@rows("method", INHERITED)
def test_what_may_be_inherited_from_a_missing_class_keeps_that_above(model: ItemModel, method: str) -> None:
    kept = model.least([model.numbers[f"p/Low.{method}:()I!code"]])
    assert all(kept >> model.numbers[edge] & 1 for edge in ("p/Low<p/Middle", "p/Middle<p/Gone"))


def test_what_a_known_class_declares_needs_no_missing_class(model: ItemModel) -> None:
    kept = model.least([model.numbers["p/Low.own:()I!code"]])
    assert kept >> model.numbers["p/Low<p/Middle"] & 1
    assert not kept >> model.numbers["p/Middle<p/Gone"] & 1


def test_a_missing_class_declares_no_method_that_names_a_class_of_the_input(model: ItemModel) -> None:
    kept = model.least([model.numbers["p/Low<p/Middle"], model.numbers["p/Middle<p/Gone"]])
    assert kept >> model.numbers["p/Low.calls:()I"] & 1
    assert not kept >> model.numbers["p/Low.takes:(Lp/Middle;)I"] & 1
