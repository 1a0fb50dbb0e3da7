"""Questions about several inputs: the graph of the jars, the name of a class in its jar, what items need."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def test_the_graph_of_jars_has_their_edges_and_cycles(jarlet: Run, jars: Path) -> None:
    found = json.loads(jarlet("graph", "lib/c.jar", "lib/a.jar", "lib/b.jar", "--level", "jars").stdout)
    assert [(each["name"], each["classes"]) for each in found["jars"]] == [("c.jar", 1), ("a.jar", 1), ("b.jar", 2)]
    assert found["edges"] == [{"from": "b.jar", "to": "a.jar", "pairs": 1, "example": ["b.B", "a.A"]}]
    assert found["cycles"] == []
    dot = jarlet("graph", "lib", "--level", "jars", "--format", "dot").stdout
    assert 'label="b.jar"' in dot
    told = jarlet("graph", "lib/a.jar", "--level", "jars")
    assert (told.returncode, told.stderr.count("\n")) == (2, 1)
    assert "  input               b.jar: 2 classes" in jarlet("inspect", "lib").stdout


def test_a_class_is_named_by_its_file_in_its_jar_and_a_second_one_of_its_name_by_that(jarlet: Run, jars: Path) -> None:
    (jars / "z.jar").write_bytes((jars / "b.jar").read_bytes())
    file = jarlet("why", "lib", "a.jar!/a/A.class").stdout
    assert file == jarlet("why", "lib", "a.A").stdout
    assert "  z.jar!/b.B is a subtype of a.A: a class needs its superclass [H2]" in file
    assert "  z.jar!/b.B: a second class of one name needs the first" in jarlet("why", "lib", "b.B").stdout
    second = [jarlet("why", "lib", name).stdout for name in ("z.jar!/b/B.class", "z.jar!/b.B")]
    assert second[0] == second[1]
    assert second[0].startswith("z.jar!/b.B is needed by:\n  z.jar!/b.B")


def test_items_stand_behind_all_inputs(jarlet: Run, jars: Path) -> None:
    named = jars.parent / "a.A"
    named.mkdir()  # the last word is an item, whatever has its name
    told = jarlet("why", "lib/a.jar", "lib/b.jar", "b.B", "a.A").stdout
    assert told.splitlines()[0] == "b.B [b.jar] can be removed while a.A [a.jar] stays."
    named.rmdir()
    needed = jarlet("why", "lib/b.jar", "--granularity", "full", "lib/a.jar", "a.A").stdout
    assert "b.B is a subtype of a.A [b.jar]: " in needed, "options may stand anywhere"
    assert jarlet("around", "lib/a.jar", "new=lib/c.jar", "c.C", "-o", "around").stdout.startswith("around: 1 item")
    assert sorted(each.name for each in (jars.parent / "around").iterdir()) == ["c.jar", "classpath.txt"]
    for words, message in (
        (("why", "lib"), "lib: name an item behind the input, for instance a.b.C.\n"),
        (
            ("why", "lib", "a.A", "b.B", "c.C"),
            "c.C: two items at most are explained. Write a name with blanks in quotes.\n",
        ),
        (
            ("around", "lib/none.jar", "a.A"),
            "lib/none.jar: there is no such file. Name a jar, a folder, or GROUP:ARTIFACT:VERSION.\n",
        ),
    ):
        done = jarlet(*words)
        assert (done.returncode, done.stderr) == (2, f"jarlet: {message}")
