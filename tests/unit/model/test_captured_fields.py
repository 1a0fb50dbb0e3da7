"""What a local class captured is known by synthetic fields that are final."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building

SOURCES = {
    "p/A.java": """package p;
        public class A {
            Object own; final Object told = null;
            Runnable make(Object taken) { return new Runnable() { public void run() { own = taken; } }; }
        }""",
}


@pytest.mark.parametrize(("validity", "stays"), [("src", True), ("jvm", False)])
def test_a_field_of_what_was_captured_stays_final(
    compile_java: Callable[..., Path], validity: str, stays: bool
) -> None:
    model = building.build(read_jar([compile_java(SOURCES)]), open_library(), "full", validity)
    for field in ("p/A$1.val$taken:Ljava/lang/Object;", "p/A$1.this$0:Lp/A;"):
        kept = model.least([model.numbers[field]])
        assert bool(kept >> model.numbers[f"{field}[final]"] & 1) is stays
    told = "p/A.told:Ljava/lang/Object;"
    assert not model.least([model.numbers[told]]) >> model.numbers[f"{told}[final]"] & 1
