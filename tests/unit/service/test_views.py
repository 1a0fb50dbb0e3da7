"""Every view as a graph: what is in it, and that other programs can read it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.archive.jar import read_jar
from core.errors import UsageError
from core.model import class_model
from core.model.class_model import ClassModel
from core.protocol.commands import LayOut
from core.protocol.java_names import package_name
from core.service.queries.export import view_bytes
from core.service.queries.layouts import granted, package_layout
from tests.support.java import CompileJava
from tests.support.patience import patience
from tests.support.rows import rows

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"


@pytest.fixture(scope="module")
def model(sample_jar: Path) -> ClassModel:
    return class_model.build(read_jar([sample_jar]))


def number(model: ClassModel, name: str) -> int:
    return [item.name for item in model.items].index(name)


def wish(model: ClassModel, view: str) -> LayOut:
    rational = number(model, "sample/number/Rational")
    return {
        "packages": LayOut("packages", open=("sample/*", "sample/number")),
        "focus": LayOut("focus", items=(rational,)),
        "path": LayOut("focus", items=(number(model, "sample/unit/Unit"), rational)),
        "classes": LayOut("matrix", rows="classes"),
        "cycles": LayOut("matrix", rows="components"),
    }.get(view) or LayOut(view)


@rows("view", ["packages", "components", "focus", "path", "force", "matrix", "classes", "cycles"])
def test_a_view_as_a_graph(model: ClassModel, view: str) -> None:
    asked, classes = wish(model, view), len(model.graph.nodes)
    packages = len({node.package for node in model.graph.nodes})
    dot = view_bytes(model, "dot", asked).decode()
    nodes = list(ElementTree.fromstring(view_bytes(model, "graphml", asked)).iter(f"{GRAPHML}node"))
    assert len(nodes) == len(re.findall(r"^ *[np]\d+ \[label=", dot, re.MULTILINE))
    near = model.graph.graph.pred[number(model, "sample/number/Rational")]
    if view == "focus":
        assert len(near) <= len(nodes) < classes
    else:
        assert len(nodes) == {"packages": packages, "matrix": packages, "path": 2}.get(view, classes)
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), capture_output=True, check=True, timeout=patience())


def test_the_graph_of_a_part_has_the_edges_of_the_part(model: ClassModel) -> None:
    whole = model.graph
    part = whole.part([5, 2, 9, 7])
    names = [node.name for node in part.nodes]
    assert names == [whole.nodes[position].name for position in (5, 2, 9, 7)]
    among = {(whole.nodes[a].name, whole.nodes[b].name) for a, b in whole.graph.edges if {a, b} <= {5, 2, 9, 7}}
    assert {(names[a], names[b]) for a, b in part.graph.edges} == among


def test_other_formats_are_refused(model: ClassModel) -> None:
    with pytest.raises(UsageError, match="no format 'gif'"):
        view_bytes(model, "gif", LayOut("force"))


def test_jars_of_a_class_path_are_the_outermost_boxes(compile_java: CompileJava, tmp_path: Path) -> None:
    classes = compile_java(
        {"p/q/A.java": "package p.q; class A {}", "p/r/B.java": "package p.r; class B {}", "C.java": "class C {}"}
    )
    for name, entries in {"a": ("p/q/A", "p/r/B", "C"), "b": ("p/q/A",)}.items():
        with zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as archive:
            for entry in entries:
                archive.write(classes / f"{entry}.class", f"{entry}.class")
    model = class_model.build(read_jar([tmp_path / "a.jar", tmp_path / "b.jar"]))
    closed = package_layout(model, LayOut("packages", open=()))
    assert closed.labels == ["a.jar", "b.jar"]
    opened = package_layout(model, LayOut("packages", open=("/*", "a.jar!/*", "a.jar!/p/*")))
    assert opened.labels == ["(unnamed package)", "q", "r", "b.jar"]
    assert opened.frame_labels == ["a.jar", "p.*"]
    assert package_name(closed.names[0].removesuffix("/*")) == "a.jar"
    rows = granted(model, LayOut("matrix", rows="packages"))
    assert rows.names == ["a.jar!/", "a.jar!/p/q", "a.jar!/p/r", "b.jar!/p/q"]
