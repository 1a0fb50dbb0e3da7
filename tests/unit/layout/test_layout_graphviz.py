"""The Graphviz process: its time limit and its pictures."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from core.layout import picture
from core.layout.layered import layered
from core.layout.picture import Drawing, class_drawing, drawn, package_drawing

EDGES = [(0, 1), (1, 2), (2, 1), (0, 3), (3, 2), (1, 4)]
COMPONENTS = [0, 1, 1, 2, 3, 4]
NAMES = ["a/Main", "a/Left$Inner", "a/Right", 'b/<Odd & "name">', "b/Ünï", "b/Alone\x01"]
SVG = "{http://www.w3.org/2000/svg}"


def test_a_slow_picture_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.layout.picture._LONGEST", 0.0)
    assert drawn(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES), "png") is None
    assert not children()


def children() -> list[str]:
    """Command lines of this process' children."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            if int(status.read_text().rpartition(")")[2].split()[1]) == os.getpid():
                found.append(status.with_name("cmdline").read_text().replace("\0", " "))
        except OSError:
            continue  # ended just now
    return [line for line in found if "graphviz_worker" in line]


def test_a_failing_worker_is_none() -> None:
    assert picture._answered("png", "no graph") is None


def test_callers_do_not_load_pygraphviz() -> None:
    code = (
        "import sys, core.layout.layered, core.layout.picture, core.layout.packages\n"
        "sys.exit('pygraphviz' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def svg(drawing: Drawing) -> ElementTree.Element:
    data = drawn(drawing, "svg")
    assert data is not None
    return ElementTree.fromstring(data)


def titles(root: ElementTree.Element, kind: str) -> list[str | None]:
    """Return the tooltips of the nodes or edges."""
    found = (group.find(f"{SVG}title") for group in root.iter(f"{SVG}g") if group.get("class") == kind)
    return [title.text for title in found if title is not None]


def test_svg_shows_every_class_and_edge() -> None:
    root = svg(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES, title="a < b"))
    names = ["a.Main", "a.Left.Inner", "a.Right", 'b.<Odd & "name">', "b.Ünï", "b.Alone\\\\x01"]
    assert titles(root, "node") == ["component 1", *names]
    assert sorted(map(str, titles(root, "edge"))) == sorted(f"{names[a]}->{names[b]}" for a, b in EDGES)
    texts = ["".join(element.itertext()) for element in root.iter(f"{SVG}text")]
    assert texts[0].startswith(f"Jarlet: 6 nodes, {len(EDGES)} edges. ")
    assert texts[1:] == ["Main", "Left.Inner", "Right", '<Odd & "name">', "Ünï", "Alone\\x01"]
    assert "a < b" in [element.get("{http://www.w3.org/1999/xlink}title") for element in root.iter(f"{SVG}a")]


def test_classes_that_java_calls_alike_are_all_shown() -> None:
    names = ["a/B$C", "a/B/C", "a/D"]
    root = svg(class_drawing(layered(3, [(0, 1), (1, 2)], [0, 1, 2]), names, [(0, 1), (1, 2)]))
    assert titles(root, "node") == ["a.B.C", "a.B.C (1)", "a.D"]


def test_svg_lies_within_its_view_box() -> None:
    root = svg(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES))
    _, _, width, height = map(float, root.get("viewBox", "").split())
    whole = next(group for group in root.iter(f"{SVG}g") if group.get("class") == "graph")
    right, down = map(float, whole.get("transform", "").rpartition("translate(")[2].rstrip(")").split())
    for polygon in root.iter(f"{SVG}polygon"):
        for place in polygon.get("points", "").split():
            x, y = map(float, place.split(","))
            assert -1 <= x + right <= width + 1
            assert -1 <= y + down <= height + 1


def test_png_is_a_picture_of_the_right_shape() -> None:
    placement = layered(6, EDGES, COMPONENTS)
    data = drawn(class_drawing(placement, NAMES, EDGES), "png")
    assert data is not None
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    wide, tall = placement.size
    margin, legend = 2 * 0.2 * 72, 21
    assert 0.9 < height / (2 * (tall + margin + legend)) < 1.1
    assert width > 1.8 * wide


def test_package_picture() -> None:
    drawing = package_drawing(["a", "a", "b", "c/d"], [(0, 2), (2, 3)])
    assert titles(svg(drawing), "node") == ["a: 2 classes", "b: 1 class", "c.d: 1 class"]
    assert drawn(drawing, "png") is not None
