"""A window's questions about a rewritten result: where a class has gone, and what was rewritten."""

import pytest

from tests.support.engine_client import Client
from tests.support.files import jar_of

SOURCES = {
    "p/One.java": "package p; class One { int x; }",
    "p/Second.java": "package p; class Second { One needle() { return null; } }",
}


@pytest.fixture
def engine(tmp_path):
    client = Client(tmp_path)
    yield client
    client.close()


def test_a_merged_class_shows_where_it_went(engine, compile_java, tmp_path):
    jar = jar_of(compile_java(SOURCES), tmp_path / "two.jar")
    engine.send(command="open", paths=[str(jar)])
    engine.wait("opened")
    rewriting = {"algorithm": "simplify", "rewritings": ["merging"]}
    engine.send(command="reduce", settings={"predicate": "grep -rq needle {classes}", **rewriting})
    assert engine.wait("finished")["classes"] == 1
    engine.send(command="inspect", item="p/Second", request=1)
    assert ["now part of", "p.One"] in engine.wait("inspected", request=1, state="ready")["facts"]
    engine.send(command="inspect", item="p/One", request=2)
    assert "now part of" not in str(engine.wait("inspected", request=2, state="ready")["facts"])
    engine.send(command="list_left", request=4)
    left = engine.wait("left_told", request=4)
    assert [[left["sizes"][number] > 0 for number in pair] for pair in left["merged"]] == [[False, True]]
    engine.send(command="show_bug", settings={"predicate": "true"}, request=3)
    assert engine.wait("bug_shown", request=3)["rewritten"] == ["p.Second is merged into p.One"]
