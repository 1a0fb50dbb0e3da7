"""Names of rewritings: the same while a program has the same classes."""

from __future__ import annotations

import pytest

from core.archive.jar import read_jar
from core.edits.programs.kinds import KINDS
from core.library.library import open_library
from core.reduction.rewrite_elements import RewriteElements
from tests.support.files import jar_of

ONE = "class One { static class Inner { } }"


@pytest.fixture
def names(compile_java, tmp_path):
    def of(more: str) -> dict[str, str]:
        folder = compile_java({"One.java": ONE, "More.java": more})
        jar = read_jar([str(jar_of(folder, tmp_path / f"{len(more)}.jar"))])
        elements = RewriteElements(KINDS["nesting"], jar, {}, open_library().get)
        return {edit.what: elements.problem.names(at) for at, edit in enumerate(elements.edits)}

    return of


def test_a_rewriting_has_another_name_once_a_class_has_gone(names):
    """Then it may succeed where it failed before."""
    before, changed, after = (
        names("class More { } class Other { }"),
        names("class More { int x; } class Other { }"),
        names("class More { }"),
    )
    assert before.keys() == {"One$Inner"}
    assert before == changed
    assert before["One$Inner"] != after["One$Inner"]
