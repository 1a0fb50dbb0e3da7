"""The picture of what is left: classes, members, and who needs whom."""

import re

from core.archive.jar import read_jar
from core.library.library import open_library
from core.model import building
from core.report.picture import picture, rules_of
from tests.support.files import jar_of

PROGRAM = {
    "p/Main.java": "package p; public class Main { static int run() { return Other.count + new Other().one(); } }",
    "p/Other.java": "package p; class Other { static int count; int one() { return 1; } }",
}


def drawn(compile_java, tmp_path, program, failures=()):
    jar = read_jar([jar_of(compile_java(program, "-g"), tmp_path / "program.jar")])
    return picture(building.build(jar, open_library()), failures)


def test_members_stand_in_their_classes_and_point_to_what_they_need(compile_java, tmp_path):
    found = drawn(compile_java, tmp_path, PROGRAM, ['Main.java: a "bad" <name>', "elsewhere"])
    assert found.startswith("graph LR\n")
    names = dict(re.findall(r'(n\d+)\["([^"]*)"\]', found))
    by_name = {name: box for box, name in names.items()}
    assert {"p.Main", "run()", "p.Other", "one()", "count"} <= set(by_name)
    assert f"{by_name['run()']} -->|K3| {by_name['one()']}" in found
    assert f"{by_name['run()']} -->|K2| {by_name['count']}" in found
    assert f'f0(["Main.java: a #quot;bad#quot; #lt;name#gt;"]) --> {by_name["p.Main"]}' in found
    assert "elsewhere" not in found
    assert "K3: code needs the methods it calls" in rules_of(found)


def test_of_many_members_the_classes_alone_are_drawn_and_of_many_classes_nothing(compile_java, tmp_path):
    many = {f"p/C{at}.java": f"package p; class C{at} {{ int a, b, c; C{max(0, at - 1)} next; }}" for at in range(20)}
    found = drawn(compile_java, tmp_path, many)
    assert len(re.findall(r"n\d+\[", found)) == 20
    assert "subgraph" not in found
    assert re.search(r"n\d+ -->\|\w+\| n\d+", found)
    more = {f"p/C{at}.java": f"package p; class C{at} {{ }}" for at in range(31)}
    assert drawn(compile_java, tmp_path, more) == ""
