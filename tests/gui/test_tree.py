"""Members in the tree, their names in Java's words, and pins."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QAction, QFont, QFontMetrics
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from app.engine.members import members_from
from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.panels.tree.tree_delegate import TreeDelegate
from app.panels.tree.tree_model import TreeModel
from app.panels.tree.tree_rows import TreeRow, shared_prefixes
from app.window.main_window import MainWindow
from app.window.pins import Pins, unescaped
from core.protocol.java_names import item_title, parameters, split, title
from core.protocol.settings import Settings
from core.service.aims import aim_of
from tests.support.gui_helpers import fill, open_jar, small_jar
from tests.support.java import CompileJava
from tests.support.rows import rows


@rows(
    ("name", "shown"),
    [
        ("a/b/C", "a.b.C"),
        ("a/b/C$D", "a.b.C.D"),
        ("a/b/C.m:([Ljava/lang/String;I)[I!code", "a.b.C.m(String[], int), code"),
        ("a/b/C.<init>:(La/D;)V", "a.b.C(D)"),
        ("a/b/C.<clinit>:()V", "a.b.C.static { }"),
        ("a/b/C.f:[[I", "a.b.C.f"),
        ("a/b/C.f:[I[final]", "a.b.C.f, final"),
        ("a/b/C[inner a/C$D]", "a.b.C, inner a.C.D"),
        ("a/b/C<x/I", "a.b.C is a subtype of x.I"),
    ],
)
def test_names_are_told_as_java_writes_them(name: str, shown: str) -> None:
    assert item_title(name) == shown
    assert split(name)[0] == ("a/b/C$D" if "$D" in name[:8] else "a/b/C")


def test_titles_of_parts() -> None:
    assert title("superclass", "a/C<b/D$E", "a/C") == "extends D.E"
    assert title("interface", "a/C<b/D", "a/C", short=False) == "implements b.D"
    assert title("throws entry", "a/C.m:()V[throws java/io/IOException]", "a/C") == "throws IOException"
    assert title("annotation", "a/C.m:()V[@x/Y on parameter 0]", "a/C") == "@Y on parameter 0"
    assert title("bootstrap entry", "a/C[bootstrap 3]", "a/C") == "bootstrap method 3"
    assert parameters("(I[JLa/B;[[Lc;Z)V") == ["I", "[J", "La/B;", "[[Lc;", "Z"]


def record(kept: bool = True) -> dict[str, object]:
    return {
        "class": "p/A",
        "kinds": ["interface", "method", "code", "field"],
        "names": ["p/A<p/I", "p/A.m:()V", "p/A.m:()V!code", "p/A.f:I"],
        "parents": [-1, -1, 1, -1],
        "sizes": [2, 40, 30, 8],
        "kept": [True, True, kept, True],
        "left": 100,
        "needed": [False] * 5,
    }


@pytest.mark.parametrize("jars", [[], ["one.jar", "two.jar"]])
def test_the_model_keeps_qts_rules_while_members_come_and_the_filter_changes(qtbot: QtBot, jars: list[str]) -> None:
    model = TreeModel()
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    jar = OpenedJar(replace(small_jar()[0], jars=jars, jar_of=[0, 0, 0, 1, 1, 1, 1] if jars else []))
    model.set_jar(jar)
    above = model.index_of(0)
    assert model.hasChildren(above)
    assert model.rowCount(above) == 0
    model.set_members([members_from(record())])
    names = [model.data(model.index(row, 0, above)) for row in range(model.rowCount(above))]
    assert names == ["implements I", "f: int", "m()"]
    method = model.index(2, 0, above)
    assert model.name_at(method) == "p/A.m:()V"
    code = model.index(0, 0, method)
    assert model.parent(code) == method
    assert model.item_at(code) == 0
    model.set_states(np.full(jar.items, ItemState.KEPT, np.uint8))
    model.set_members([members_from(record(kept=False))])
    assert model.row(code).state is ItemState.GONE
    assert model.row(method).state is ItemState.KEPT
    model.set_filter("p.A")
    assert model.index_of_member(0, "p/A.m:()V!code").isValid()
    model.set_filter("q.")
    assert model.index_of_member(0, "p/A.m:()V") == QModelIndex()
    model.set_filter("")
    assert not model.hasChildren(model.index_of(6)), "a resource has no members"


def test_jars_of_a_class_path_are_the_top_of_the_tree_and_their_names_are_read(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, compile_java: CompileJava
) -> None:
    other = tmp_path / "beside-the-sample-with-a-long-name-1.2.3.jar"
    with zipfile.ZipFile(other, "w") as made:
        for path in compile_java({"beside/Other.java": "package beside; class Other {}"}).rglob("*.class"):
            made.write(path, "beside/Other.class")
    window.commands.file.open_paths([str(sample_jar), str(other)])
    qtbot.waitUntil(lambda: set(window.parts.graph.scenes) == {"packages", "components"})
    model, tree = window.parts.tree.model, window.parts.tree.tree
    tops = [model.index(row, 0) for row in range(model.rowCount())]
    assert [model.data(top) for top in tops] == [sample_jar.name, other.name], "in the order of the class path"
    assert [model.data(model.index(0, 0, top)) for top in tops] == ["fji", "beside"]
    item = model.item_of("beside/Other")
    window.selection.select(item)
    assert tree.currentIndex().parent().parent() == tops[1]
    assert model.items_at(tops[1]) == [item]
    metrics = QFontMetrics(QFont())
    narrow = metrics.horizontalAdvance("beside-the-sample-with-a-long-name")
    shown = [TreeDelegate()._fitted(model.row(tops[1]), room, metrics) for room in (narrow, narrow * 2 // 3)]
    assert shown[0] == "beside-the-sample-with-a-long-name", "its version goes first"
    assert shown[1].startswith("…")
    assert shown[1].endswith("with-a-long-name")
    window.parts.tree.filter.setText("Rational")
    qtbot.waitUntil(lambda: [model.data(model.index(row, 0)) for row in range(model.rowCount())] == [sample_jar.name])
    assert tree.isExpanded(model.index(0, 0, model.index(0, 0)))


def test_the_neighbours_of_a_package_are_told_with_their_jars(
    qtbot: QtBot, window: MainWindow, tmp_path: Path, compile_java: CompileJava
) -> None:
    classes = compile_java({"p/A.java": "package p; class A { B b; }", "p/B.java": "package p; class B { }"})
    for name in "ab":
        with zipfile.ZipFile(tmp_path / f"{name}.jar", "w") as made:
            made.write(classes / f"p/{name.upper()}.class", f"p/{name.upper()}.class")
    window.commands.file.open_paths([str(tmp_path / "a.jar"), str(tmp_path / "b.jar")])
    qtbot.waitUntil(lambda: set(window.parts.graph.scenes) == {"packages", "components"})
    model, tree = window.parts.tree.model, window.parts.tree.tree
    tree.setCurrentIndex(model.index(0, 0, model.index(0, 0)))
    shown = window.parts.inspector.answers.shown
    assert shown is not None
    assert list(shown.rows) == [("needs", "b.jar: p", 1, 1)]


def test_pins_become_patterns_that_match_their_item_alone() -> None:
    pins = Pins()
    array = "p/A.m:([I)V"
    pins.toggle([array, "p/B"])
    settings = Settings(predicate="true", keep=tuple(pins.patterns("full")))
    pinned = aim_of(settings).pinned
    for name in ("p/A", array, f"{array}!code", "p/B"):
        assert pinned(name), name
    for name in ("p/A.m:(I)V", "p/A.f:I", "p/BB", "p/B.m:()V"):
        assert not pinned(name), name
    assert [unescaped(pattern) for pattern in pins.patterns("class")] == ["p/A", "p/B"]
    assert "whole classes" in pins.caveat("class")
    assert pins.caveat("member") == ""


def test_a_wish_takes_the_place_of_another_and_can_be_undone() -> None:
    pins = Pins()
    pins.toggle(["p/A"])
    pins.toggle_first(["p/A", "p/B"])
    assert (pins.names, pins.first) == ([], ["p/A", "p/B"])
    assert pins.undo_stack.undoText() == "Drop 2 items first"
    pins.undo_stack.undo()
    assert (pins.names, pins.first) == (["p/A"], [])
    pins.undo_stack.redo()
    pins.toggle_first(["p/B"])
    assert pins.first == ["p/A"]
    pins.toggle(["p/A.run:()V"])
    assert "its class cannot be dropped" in pins.caveat("member")
    pins.set_names([], ["p/A.run:()V"])
    assert pins.first_patterns("member") == ["p/A.run:()V"]
    assert pins.first_patterns("class") == []
    assert "only whole classes are removed" in pins.caveat("class")


def test_pins_can_be_undone(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    tree = window.parts.tree
    jar = window.controller.state.jar
    item = jar.full.index("sample.number.Rational")
    tree.tree.setCurrentIndex(tree.model.index_of(item))
    tree.tree.setFocus()
    qtbot.keyClick(tree.tree, Qt.Key.Key_K)
    assert window.pins.names == ["sample/number/Rational"]
    assert tree.model.row(tree.model.index_of(item)).pinned
    assert "1 pinned" in tree.count.text()
    undo: QAction = window.actions_by_id["undo"]
    assert "Rational" in undo.text()
    undo.trigger()
    assert window.pins.names == []
    window.actions_by_id["redo"].trigger()
    assert len(window.pins) == 1
    qtbot.keyClick(tree.tree, Qt.Key.Key_K)
    assert len(window.pins) == 0


def test_names_lose_the_beginning_that_they_share_only_where_there_is_no_room(qtbot: QtBot) -> None:
    assert shared_prefixes(["com.google.common.base", "com.google.common", "com.google.thirdparty", "fji"]) == {
        "com": "com.google"
    }
    delegate = TreeDelegate()
    metrics = QFontMetrics(QFont())

    def shown(row: TreeRow, as_wide_as: str) -> str:
        return delegate._fitted(row, metrics.horizontalAdvance(as_wide_as) + 1, metrics)

    name, folded = "com.google.common.util.concurrent", "…common.util.concurrent"
    package = TreeRow(-1, name, "1 kB", None, 0.0, folded=folded)
    assert shown(package, name) == name
    assert shown(package, folded) == folded
    assert shown(package, folded[1:]) == "…util.concurrent", "what is still too long loses a whole word more"
    folder = "META-INF/maven/commons-codec/commons-codec"
    resources = TreeRow(-1, f"Resources in {folder}", "1 kB", None, 0.0, folded=folder)
    assert shown(resources, folder) == folder
    assert shown(resources, folder[1:]) == "…maven/commons-codec/commons-codec"
    for name, cut, less in (
        ("AbstractConcurrentMapFixture", "Abstract…MapFixture", "…Fixture"),
        ("scale(BigDecimal, RoundingMode, int)", "scale(…RoundingMode, int)", "…int)"),
    ):
        row = TreeRow(3, name, "1 kB", None, 0.1)
        assert [shown(row, room) for room in (name, cut, less)] == [name, cut, less]


@pytest.mark.guarded
def test_the_tree_tells_how_much_of_a_class_is_left(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    tree = window.parts.tree.model
    row = tree.index_of(tree.item_of("sample/number/Rational"))
    whole = tree.row(row).size
    has = "grep -q reciprocal {classes}/sample/number/Rational.class"
    fill(window, f"sh -c '{has}'", algorithm="gbr", granularity="member", evidence=False)
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: window.controller.state.finished is not None)
    qtbot.waitUntil(lambda: tree.row(row).size.endswith(f" / {whole}"))
    assert 0 < tree.row(row).left < 1
    assert tree.headerData(1, Qt.Orientation.Horizontal) == "Left / size"
    open_jar(qtbot, window, sample_jar)
    qtbot.waitUntil(lambda: tree.row(row).size == whole)  # nothing of it holds of another input


@pytest.mark.guarded
def test_the_tree_shows_what_ran(qtbot: QtBot, window: MainWindow, tmp_path: Path, compile_java: CompileJava) -> None:
    source = (
        "public class Main { public static void main(String[] a) { System.out.println(new Used().half(a.length)); } }\n"
        "class Used { int half(int n) { return 2 / n; } }\n"
        "class Idle { int x() { return new Used().half(1); } }\n"
    )
    classes = compile_java({"Main.java": source}, "-g")
    program = tmp_path / "program.jar"
    with zipfile.ZipFile(program, "w") as jar:
        for name in ("Main", "Used", "Idle"):
            jar.write(classes / f"{name}.class", f"{name}.class")
    open_jar(qtbot, window, program)
    tree, messages = window.parts.tree, window.parts.messages

    def shown() -> list[str]:
        jar = window.controller.state.jar
        return [name for item, name in enumerate(jar.names) if tree.model.index_of(item).isValid()]

    tree.use.setCurrentIndex(tree.use.findData("ran"))
    qtbot.waitUntil(lambda: "It is not known what ran" in messages.text.text())
    assert (tree.use.kind, len(shown())) == ("", 3), "all is shown while it is not known"

    fill(window, "java -cp {jar} Main", expect_exit=1, match="by zero", granularity="class")
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: window.controller.state.finished is not None)
    loaded, idle = ["Main", "Used"], ["Idle"]
    for kind, names in (("loaded", loaded), ("unloaded", idle)):
        tree.use.setCurrentIndex(tree.use.findData(kind))
        qtbot.waitUntil(lambda names=names: shown() == names)  # type: ignore[misc]
    assert tree.count.text() == "1 of 3 match"
    tree.filter.setText("Main")
    qtbot.waitUntil(lambda: shown() == [])
    tree.use.setCurrentIndex(0)
    qtbot.waitUntil(lambda: shown() == ["Main"])
    graph = window.parts.graph
    graph.head.colours.setCurrentIndex(graph.head.colours.findData("used"))
    qtbot.waitUntil(lambda: bool(graph.legend.colours))
