"""Every view as a picture and as a graph: what is in them, and that other programs can read them."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from core.archive.jar import read_jar
from core.errors import UsageError
from core.model import class_model
from core.model.class_model import ClassModel
from core.protocol.commands import LayOut
from core.service.queries.views import view_bytes
from tests.support.patience import patience

SVG = "{http://www.w3.org/2000/svg}"
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


def titles(data: bytes) -> list[str]:
    return [title.text or "" for title in ElementTree.fromstring(data).iter(f"{SVG}title")][1:]


@pytest.mark.parametrize("view", ["packages", "components", "focus", "path", "force", "matrix", "classes", "cycles"])
def test_a_view_as_picture_and_as_graph(model: ClassModel, view: str) -> None:
    asked, classes = wish(model, view), len(model.graph.nodes)
    packages = len({node.package for node in model.graph.nodes})
    shown = titles(view_bytes(model, "svg", asked))
    focus = len(model.graph.graph.pred[number(model, "sample/number/Rational")].keys())
    drawn = {
        "packages": packages - 1 + sum(node.package == "sample/number" for node in model.graph.nodes),
        "path": 2,
        "matrix": 2 * packages,
        "classes": 2 * classes,
        "cycles": 2 * len(model.graph.components),
    }
    if view == "focus":
        assert len(shown) >= focus
    else:
        assert len(shown) == drawn.get(view, classes)
    dot = view_bytes(model, "dot", asked).decode()
    nodes = ElementTree.fromstring(view_bytes(model, "graphml", asked)).iter(f"{GRAPHML}node")
    count = {"packages": packages, "matrix": packages, "path": 2, "focus": len(shown)}.get(view, classes)
    assert len(list(nodes)) == len(re.findall(r"^ *[np]\d+ \[label=", dot, re.MULTILINE)) == count
    if shutil.which("dot"):
        subprocess.run(["dot", "-Tsvg"], input=dot.encode(), capture_output=True, check=True, timeout=patience())


def test_what_is_gone_looks_different(model: ClassModel) -> None:
    rational = 1 << number(model, "sample/number/Rational")
    for view in ("packages", "components", "focus", "force"):
        root = ElementTree.fromstring(view_bytes(model, "svg", wish(model, view), rational))
        looks = {
            group.find(f"{SVG}title").text: group.attrib["class"]  # type: ignore[union-attr]
            for group in root.iter(f"{SVG}g")
            if group.find(f"{SVG}title") is not None
        }
        assert looks["sample.number.Rational"] == "kept", view
        assert set(looks.values()) == {"kept", "gone"}
    root = ElementTree.fromstring(view_bytes(model, "svg", LayOut("matrix"), rational))
    assert [text.attrib.get("class") for text in root.iter(f"{SVG}text") if text.text == "sample.number"] == [None] * 2
    assert {text.attrib["class"] for text in root.iter(f"{SVG}text") if text.text == "sample.eval"} == {"gone"}


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
