"""What ran in a watched run of the full input, with the real agents: colours of the graph, filter of the tree."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.graph.paint.graph_style import brush
from app.theme.theme import worn
from app.window.main_window import MainWindow
from tests.support.gui_helpers import fill, open_jar
from tests.support.java import CompileJava

PROGRAM = """
package demo;
public class Main {
    static Class<?> known = Touched.class;
    public static void main(String[] words) { new Used().go(words.length); }
}
class Used { void go(int n) { System.out.println(Failing.half(n)); } }
class Failing { static int half(int n) { return 2 / n; } }
class Touched { int x() { return 1; } }
class Idle { int y() { return 2; } }
"""
CLASSES = ("demo/Failing", "demo/Idle", "demo/Main", "demo/Touched", "demo/Used")


@pytest.mark.slow
def test_what_ran_is_coloured_and_listed(
    jacoco: None, qtbot: QtBot, window: MainWindow, tmp_path: Path, compile_java: CompileJava
) -> None:
    classes = compile_java({"demo/Main.java": PROGRAM}, "--release", "11")
    with zipfile.ZipFile(tmp_path / "program.jar", "w") as jar:
        for name in CLASSES:
            jar.write(classes / f"{name}.class", f"{name}.class")
    open_jar(qtbot, window, tmp_path / "program.jar")
    fill(window, "java -cp {jar} demo.Main", expect_exit=1, match="at demo.Failing.half", granularity="class")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: window.controller.state.finished is not None)

    tree, graph = window.parts.tree, window.parts.graph

    def shown() -> set[str]:
        opened = window.controller.state.jar
        assert opened is not None
        return {
            name.removeprefix("demo/") for item, name in enumerate(opened.names) if tree.model.index_of(item).isValid()
        }

    for words, names in (
        ("Ran", {"Main", "Used", "Failing"}),
        ("Did not run", {"Touched", "Idle"}),
        ("Loaded", {"Main", "Used", "Failing", "Touched"}),
        ("Not loaded", {"Idle"}),
        ("All", {"Main", "Used", "Failing", "Touched", "Idle"}),
    ):
        tree.use.setCurrentIndex(tree.use.findText(words))
        qtbot.waitUntil(lambda names=names: shown() == names)  # type: ignore[misc]

    graph.show_view("components")
    graph.head.colours.setCurrentIndex(graph.head.colours.findText("By use"))
    meaning = ["never reached", "reachable", "loaded", "ran or was read", "named by the failure"]
    qtbot.waitUntil(lambda: [words for _, words in graph.legend.colours] == meaning)
    window.parts.steps.table.selectRow(0)  # the input: what is gone has no colour
    graph.canvas.fit(animate=False)
    qtbot.waitUntil(lambda: not graph.canvas.flight.flying)
    picture = graph.canvas.grab().toImage()
    number = {words: tint for tint, words in graph.legend.colours}
    dark = worn().dark
    for name, words in (("Idle", "never reached"), ("Touched", "loaded"), ("Failing", "named by the failure")):
        scene = graph.canvas.scene
        node = int(scene.node_of_item[tree.model.item_of(f"demo/{name}")])
        x, y, _, _ = graph.canvas.camera.rects(scene.rects[node : node + 1])[0].tolist()
        colour = QColor(picture.pixel(round(x) + 5, round(y) + 5))
        assert colour == brush(number[words], dark).color(), name
