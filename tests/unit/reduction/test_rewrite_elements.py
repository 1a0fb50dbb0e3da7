"""Names of rewritings: the same while a program has the same classes."""

from __future__ import annotations

import zipfile

import pytest

from core.archive.jar import read_jar
from core.edits.names.naming import NAMES
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


@pytest.mark.parametrize("place", ["WEB-INF/classes/", "WEB-INF/lib/own.jar!/"])
def test_classes_below_roots_and_in_opened_jars_get_neutral_names_where_they_are(compile_java, tmp_path, place):
    own = jar_of(compile_java({"acme/Own.java": "package acme; public class Own { }"}), tmp_path / "own.jar")
    with zipfile.ZipFile(own) as zipped, zipfile.ZipFile(tmp_path / "app.war", "w") as archive:
        inside, _, nested = place.partition("!")
        data = own.read_bytes() if nested else zipped.read("acme/Own.class")
        archive.writestr(inside if nested else f"{inside}acme/Own.class", data)
    jar = read_jar([str(tmp_path / "app.war")], nested=True)
    elements = RewriteElements(NAMES, jar, {}, open_library().get)
    assert [name for name, _ in elements.entries(0) if name.endswith(".class")] == [f"{place}p1/C1.class"]
