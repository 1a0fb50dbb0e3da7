"""Names of rewritings: the same while the classes that a rewriting touches are the same."""

from __future__ import annotations

import pytest

from core.archive.jar import read_jar
from core.library.library import open_library
from core.reduction.sources.rewrite_source import RewriteSource
from core.rewrite.programs.kinds import KINDS
from tests.support.files import jar_of

ONE = "class One {{ static class Inner {{ int x() {{ return {}; }} }} }}"
TWO = "class Two { static class Inner { } }"


@pytest.fixture
def names(compile_java, tmp_path):
    def of(number: int) -> dict[str, str]:
        folder = compile_java({"One.java": ONE.format(number), "Two.java": TWO})
        jar = read_jar([str(jar_of(folder, tmp_path / f"{number}.jar"))])
        source = RewriteSource(KINDS["nesting"], jar, {}, open_library().get)
        return {edit.what: source.problem.names(at) for at, edit in enumerate(source.edits)}

    return of


def test_a_rewriting_has_another_name_after_a_change_of_what_it_touches(names):
    before, again, after = names(1), names(1), names(2)
    assert before.keys() == {"One$Inner", "Two$Inner"}
    assert before == again
    assert before["One$Inner"] != after["One$Inner"]
    assert before["Two$Inner"] == after["Two$Inner"]
