"""Names of classes that javac takes from nobody are shown escaped in each format of a graph."""

import zipfile
from xml.etree import ElementTree

import pytest

from core.words import visible
from tests.support.rows import rows

SIGNS = {"XXX": "\u202e", "YYY": "\u2066", "ZZ": "\x9b", "W": "\x1b"}
"""Stand-ins in names of Java, which javac takes, for what stands in their place in a class file."""


@pytest.fixture(scope="module")
def hostile_jar(compile_java, tmp_path_factory):
    """A jar of two classes that need each other, with names that javac takes from nobody."""
    classes = compile_java({"Source.java": "package pXXXq; class AYYYW { BZZ other; } class BZZ { AYYYW other; }"})

    def hostile(data):
        for name, sign in SIGNS.items():
            data = data.replace(name.encode(), sign.encode())
        return data

    jar = tmp_path_factory.mktemp("hostile") / "hostile.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        for path in classes.rglob("*.class"):
            name = path.relative_to(classes).as_posix()
            archive.writestr(hostile(name.encode()).decode(), hostile(path.read_bytes()))
    return jar


@rows("form", ["json", "dot", "graphml", "svg"])
@rows("what", [(), ("--components",), ("--packages",)])
def test_a_graph_with_hostile_names_prints_what_can_be_seen(jarlet, hostile_jar, form, what):
    done = jarlet("graph", hostile_jar, "--format", form, *what)
    assert done.returncode == 0, done.stderr
    text = done.stdout
    assert visible(text) == text
    assert r"\u202e" in text
    if form in ("graphml", "svg"):
        ElementTree.fromstring(text)
