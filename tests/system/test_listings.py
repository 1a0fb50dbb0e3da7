"""A class as text, in a user's own decompiler: as it was, as it is, and why there is none."""

import pytest

from core.predicate import presets
from tests.support.engine_client import Client

RATIONAL = "sample/number/Rational"
TOOL = """
name = "{name}"
title = "{name}"
about = "Writes the names of a class's strings as its source."
[[steps]]
run = ["sh", "-c", '''{script}''', "sh", "{{jar}}"]
[[steps]]
run = ["true", "@sources.list"]
lists = "sources"
"""
WRITES = """
for name in $(unzip -Z1 "$1" "*.class"); do
    mkdir -p "sources/$(dirname "$name")"
    { echo "$name"; unzip -p "$1" "$name" | grep -ao reciprocal; } >"sources/${name%.class}.java"
done"""


@pytest.fixture
def engine(tmp_path):
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    (folder / "writes.toml").write_text(TOOL.format(name="writes", script=WRITES))
    (folder / "fails.toml").write_text(TOOL.format(name="fails", script="echo no such class file; exit 1"))
    client = Client(tmp_path)
    yield client
    client.close()


def test_a_class_is_told_before_and_after(engine, sample_jar):
    engine.send(command="open", paths=[str(sample_jar)])
    engine.wait("opened")
    wanted = {"command": "show_listing", "item": RATIONAL}
    engine.send(**wanted, kind="source", tool="writes", request=1)
    told = engine.wait("listing", request=1)
    assert (told["problem"], told["gone"]) == ("", [])
    assert told["text"].splitlines()[0] == f"{RATIONAL}.class"
    assert "reciprocal" in told["text"]
    engine.send(**wanted, kind="source", tool="fails", request=2)
    assert "wrote no source. no such class file" in engine.wait("listing", request=2)["problem"]
    keeps = f"sh -c 'test -f {{classes}}/{RATIONAL}.class'"
    engine.send(command="reduce", settings={"predicate": keeps, "algorithm": "gbr", "granularity": "full"})
    engine.wait("finished")
    engine.send(**wanted, kind="source", tool="writes", request=3)
    told = engine.wait("listing", request=3)
    rows = told["text"].splitlines()
    assert "reciprocal" in told["text"]
    assert [row for number, row in enumerate(rows) if number not in told["gone"]] == [f"{RATIONAL}.class"]
    engine.send(command="show_listing", item="sample/Main", kind="source", tool="writes", request=4)
    told = engine.wait("listing", request=4)
    assert told["text"] != ""
    assert told["gone"] == list(range(len(told["text"].splitlines())))
