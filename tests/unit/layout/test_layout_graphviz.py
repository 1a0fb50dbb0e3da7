"""The Graphviz process: its time limit, its pictures; and our own SVG."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from core.layout import picture
from core.layout.layered import layered
from core.layout.picture import class_drawing, package_drawing, png, svg

EDGES = [(0, 1), (1, 2), (2, 1), (0, 3), (3, 2), (1, 4)]
COMPONENTS = [0, 1, 1, 2, 3, 4]
NAMES = ["a/Main", "a/Left$Inner", "a/Right", 'b/<Odd & "name">', "b/Ünï", "b/Alone\x01"]
SVG = "{http://www.w3.org/2000/svg}"


def test_a_slow_picture_is_killed() -> None:
    assert png(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES), seconds=0.0) is None
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
    assert picture._answered({"nodes": "none"}, 20) is None


def test_callers_do_not_load_pygraphviz() -> None:
    code = (
        "import sys, core.layout.layered, core.layout.picture, core.layout.packages\n"
        "sys.exit('pygraphviz' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_svg_shows_every_class() -> None:
    text = svg(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES, title="a < b"))
    root = ElementTree.fromstring(text)
    nodes = [group for group in root.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    titles = [group.find(f"{SVG}title").text for group in nodes]  # type: ignore[union-attr]
    assert titles == ["a.Main", "a.Left.Inner", "a.Right", 'b.<Odd & "name">', "b.Ünï", "b.Alone\\x01"]
    assert [rect.get("class") for rect in root.findall(f"{SVG}rect")] == ["paper", "box"]
    paths = root.findall(f"{SVG}path")
    assert sum(path.get("d", "").count("M") for path in paths) == len(EDGES)
    assert root.find(f"{SVG}title").text == "a < b"  # type: ignore[union-attr]
    legend = [element.text for element in root.iter(f"{SVG}text") if element.get("class") == "legend"]
    assert len(legend) == 1
    assert str(legend[0]).startswith(f"6 nodes, {len(EDGES)} edges. ")


def test_svg_lies_within_its_view_box() -> None:
    root = ElementTree.fromstring(svg(class_drawing(layered(6, EDGES, COMPONENTS), NAMES, EDGES)))
    left, top, width, height = map(float, root.get("viewBox", "").split())
    for rect in root.iter(f"{SVG}rect"):
        x, y, w, h = (float(rect.get(name, "nan")) for name in ("x", "y", "width", "height"))
        assert left <= x
        assert top <= y
        assert x + w <= left + width + 0.1
        assert y + h <= top + height + 0.1


def test_png_is_a_picture_of_the_right_shape() -> None:
    placement = layered(6, EDGES, COMPONENTS)
    data = png(class_drawing(placement, NAMES, EDGES))
    assert data is not None
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    wide, tall = placement.size
    margin = 2 * 0.2 * 72
    assert abs(width / height - (wide + margin) / (tall + margin)) < 0.05
    assert width > 1.8 * wide


def test_package_picture() -> None:
    drawing = package_drawing(["a", "a", "b", "c/d"], [(0, 2), (2, 3)])
    root = ElementTree.fromstring(svg(drawing))
    titles = [group.find(f"{SVG}title").text for group in root.iter(f"{SVG}g")]  # type: ignore[union-attr]
    assert titles == ["a: 2 classes", "b: 1 class", "c.d: 1 class"]
    assert png(drawing) is not None
