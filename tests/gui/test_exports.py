"""What is exported from the window: reports, views as what they show, a step."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import zipfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app.engine.run_state import ItemState
from app.graph.paint.drawing import WholePicture
from app.graph.paint.graph_style import worn_style
from app.graph.scene.weights import widths
from app.graph.view import GraphView
from app.theme.theme import LIGHT
from app.window.drawing_export import DrawingExport
from app.window.main_window import MainWindow
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.patience import patience


@pytest.mark.guarded
def test_exporting(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'test -f {classes}/sample/number/Rational.class'", algorithm="binary")
    window.commands.reduce.start()
    wait_idle(qtbot, window)

    def export(name: str, target: Path, run: Callable[[], None] | None = None) -> bytes:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
        window.parts.messages.hide()
        (run or window.actions_by_id[name].trigger)()
        qtbot.waitUntil(lambda: window.parts.messages.text.text().startswith(f"Written: {target}"))
        return target.read_bytes()

    assert b"# Failure on" in export("export_bug", tmp_path / "bug.md")
    assert export("export_graph", tmp_path / "graph.pdf").startswith(b"%PDF")
    colours = window.parts.graph.head.colours
    colours.setCurrentIndex(colours.findData("package"))
    page = export("export_graph", tmp_path / "graph.html").decode()
    assert "<svg" in page
    assert "<td>sample.number<td>10.9 kB" in page, "bytes by package below the picture"
    step = next(step for step in window.controller.state.steps if step.probe > 0)
    target = tmp_path / "step.jar"
    export("", target, lambda: window.commands.export.export_step(step))
    with zipfile.ZipFile(target) as jar:
        assert sum(name.endswith(".class") for name in jar.namelist()) == step.classes

    window.parts.steps.table.selectRow(1)
    window.parts.steps.go_on.click()
    qtbot.waitUntil(lambda: "-step-1-" in window.windowTitle())
    jar_now = window.controller.state.jar
    assert jar_now is not None
    assert jar_now.classes == step.classes


@pytest.mark.slow
def test_every_view_is_exported_as_what_it_shows(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    jar, graph = window.controller.state.jar, window.parts.graph
    rational, shell = jar.full.index("sample.number.Rational"), jar.full.index("sample.shell.Shell")
    packages = len({jar.packages[item] for item in range(jar.items) if jar.is_class[item]})
    space = "{http://www.w3.org/2000/svg}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))

    def export(ending: str) -> bytes:
        nonlocal target
        target = tmp_path / f"{graph.view}.{ending}"
        window.parts.messages.hide()
        window.actions_by_id["export_graph"].trigger()
        qtbot.waitUntil(lambda: window.parts.messages.text.text().startswith(f"Written: {target}"))
        return target.read_bytes()

    def drawn(nodes: int, *, painted: bool = False) -> list[str]:
        """The texts in the drawing of the view that is shown, whose graph has so many nodes."""
        found = ElementTree.fromstring(export("graphml")).iter("{http://graphml.graphdrawing.org/xmlns}node")
        dot = export("dot").decode()
        assert len(list(found)) == len(re.findall(r"^ *[np]\d+ \[label=", dot, re.MULTILINE)) == nodes
        assert "->" in dot
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=dot.encode(), capture_output=True, check=True, timeout=patience())
        root = ElementTree.fromstring(export("svg"))
        if painted:
            box = [float(word) for word in root.attrib["viewBox"].split()]
            picture = QImage.fromData(export("png"))
            assert (picture.width(), picture.height()) == (round(2 * box[2]), round(2 * box[3]))
            spots = [(x, y) for x in range(0, picture.width(), 9) for y in range(0, picture.height(), 9)]
            assert len({picture.pixelColor(x, y).name() for x, y in spots}) > 5
            assert export("pdf").startswith(b"%PDF")
        return [(text.text or "").strip() for text in root.iter(f"{space}text")]

    target = tmp_path
    graph.folding.open_folder("sample/number")
    qtbot.waitUntil(lambda: "sample/number" in graph.canvas.scene.frame_names)
    texts = drawn(packages, painted=True)
    assert {"Rational", "shell", "number"} <= set(texts), "a class, a package, and the frame of an opened one"
    assert "Shell" not in texts

    graph.show_view("components")
    assert {"Rational", "Shell"} <= set(drawn(jar.classes))
    assert json.loads(export("json"))["classes"]

    graph.navigation.focus(rational)
    qtbot.waitUntil(lambda: graph.view == "focus")
    near = int((graph.canvas.scene.rects[:, 2] > 0).sum())
    assert 3 < near < jar.classes
    assert "Rational" in drawn(near)

    graph.paths.begin(shell)
    graph.paths.end(rational)
    path = len(graph.paths.items)
    assert 1 < path < near
    graph.path_bar.alone.click()
    qtbot.waitUntil(lambda: (graph.canvas.scene.rects[:, 2] > 0).sum() == path)
    assert {"Rational", "Shell"} <= set(drawn(path))

    graph.show_view("force")
    qtbot.waitUntil(lambda: graph.view == "force")
    drawn(jar.classes)

    graph.show_view("matrix")
    qtbot.waitUntil(lambda: graph.view == "matrix")
    names = [name for name in drawn(graph.matrix.cells.size, painted=True) if not name.isdigit()]
    assert 2 in Counter(names).values(), "each row is named beside it and above its column"


def test_an_exported_view_has_the_curves_heads_figures_and_colours_that_are_drawn(
    qtbot: QtBot, view: GraphView, tmp_path: Path
) -> None:
    jar, scene = view.stage.jar, view.canvas.scene
    line = int(np.argmax(scene.line_weight))
    ends = (int(scene.line_from[line]), int(scene.line_to[line]))
    states = np.full(jar.items, ItemState.GONE, np.uint8)
    states[[int(scene.members.of(node)[0]) for node in ends]] = ItemState.NEEDED
    view.set_states(states, dict.fromkeys(ItemState, 1))
    export, picture = DrawingExport(), view.whole()
    assert picture is not None
    with qtbot.waitSignal(export.written):
        export.write(picture, str(tmp_path / "view.svg"), [])
    export.close()
    svg = (tmp_path / "view.svg").read_text(encoding="utf-8")
    words = [(one.text or "").strip() for one in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert {f"1 of {scene.members.degree(node)}" for node in ends} <= set(words)
    assert any(word.startswith("0 of ") for word in words), "packages of which nothing is left"
    assert re.search(r' d="M[^"]*C', svg), "curves"
    assert LIGHT.needed.name() in svg
    head = worn_style().edge_strong(widths(scene.line_weight[[line]])[0]).color().name()
    assert re.search(rf'fill="{head}"[^>]*>\s*<path[^>]* d="M[^"C]*"', svg), "a head"


def test_a_drawing_is_never_written_over_an_input(qtbot: QtBot, tmp_path: Path) -> None:
    jar, told = tmp_path / "a.png", []
    jar.write_bytes(b"a jar")
    drawings = DrawingExport()
    drawings.failed.connect(told.append)
    drawings.write(
        WholePicture("", (60, 30), (lambda painter: painter.fillRect(0, 0, 60, 15, "red"),)), str(jar), [str(jar)]
    )
    assert told
    assert jar.read_bytes() == b"a jar"
    new = tmp_path / "new" / "b.png"
    with qtbot.waitSignal(drawings.written):
        drawings.write(
            WholePicture("", (60, 30), (lambda painter: painter.fillRect(0, 0, 60, 30, "red"),)), str(new), [str(jar)]
        )
    assert QImage(str(new)).pixelColor(60, 30).name() == "#ff0000"
    drawings.close()
