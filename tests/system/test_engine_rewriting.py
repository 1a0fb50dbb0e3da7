"""A window's questions about a rewritten result: where a class has gone, and what was rewritten."""

import zipfile

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


def test_a_rewriting_is_compared_undone_and_exported(engine, compile_java, tmp_path):
    """Each rewriting is an accepted step: what was before can be exported, and a search can go on from there."""
    jar = jar_of(compile_java(SOURCES), tmp_path / "two.jar")
    engine.send(command="open", paths=[str(jar)])
    engine.wait("opened")
    settings = {"predicate": "grep -rq needle {classes}", "algorithm": "simplify"}
    engine.send(command="reduce", settings={**settings, "rewritings": ["results", "merging"]})
    engine.wait("finished")
    steps = [
        {key: event[key] for key in ("probe", "bytes", "items")}
        for event in engine.events
        if event["event"] == "accepted"
    ]
    results, merging = steps[-2:]
    engine.send(command="compare", before=results, after=merging, request=1)
    compared = engine.wait("compared", request=1)
    assert {name for name, *_ in compared["entries"]} == {"p/One.class", "p/Second.class"}
    assert [after < 0 for *_, after in compared["entries"]].count(True) == 1
    engine.send(command="export_step", path=str(tmp_path / "step.jar"), step=results)
    engine.wait("exported", what="step")
    with zipfile.ZipFile(tmp_path / "step.jar") as archive:
        assert set(archive.namelist()) == {"p/One.class", "p/Second.class"}
        assert b"needle" in archive.read("p/Second.class")
        assert b"Lp/One;" not in archive.read("p/Second.class")
    after = len(engine.events)
    engine.send(command="reduce", settings={**settings, "rewritings": ["versions"]}, start=results)
    assert engine.wait("finished", after=after)["classes"] == 2
