"""Answers of the explorer, through what a user can reach: edges, cells, packages and cycles open into lists; what goes
with a class and the smallest set around it are listed, drawn and written."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from app.graph.paint.edges import curves
from app.panels.answer_page import AnswerPage
from app.window.explore.explorer import depths
from app.window.main_window import MainWindow
from tests.support.gui_helpers import open_jar, reopened
from tests.support.java import CompileJava

SOURCES = {
    "ui/Window.java": "package ui; import data.Store; public class Window { Store store = new Store();"
    " void show() { store.load(); store.save(); } public static String title() { return \"t\"; } }",
    "ui/Button.java": "package ui; public class Button { Window window; }",
    "data/Store.java": "package data; public class Store { public void load() {} public void save() {"
    " System.out.println(ui.Window.title()); } }",
    "data/Rest.java": "package data; public class Rest { int size() { return new Store().hashCode(); } }",
    "top/Main.java": "package top; public class Main { ui.Button button; data.Rest rest; }",
}  # fmt: skip


@pytest.fixture
def opened(qtbot: QtBot, kept_window: MainWindow, compile_java: CompileJava) -> MainWindow:
    return reopened(qtbot, kept_window, compile_java(SOURCES))


def page(window: MainWindow) -> AnswerPage:
    return window.parts.inspector.answers


def rows(window: MainWindow) -> list[tuple[object, ...]]:
    shown = page(window).shown
    return list(shown.rows) if shown is not None else []


def press(qtbot: QtBot, window: MainWindow, words: str) -> None:
    """Click the button of the page with these words."""

    def found() -> list[QPushButton]:
        buttons = page(window).findChildren(QPushButton)
        return [one for one in buttons if one.text() == words and one.isVisible()]

    qtbot.waitUntil(lambda: len(found()) == 1)
    QTest.mouseClick(found()[0], Qt.MouseButton.LeftButton)


def click_edge(qtbot: QtBot, window: MainWindow, source: str, target: str) -> None:
    """Click the line between two packages where nothing covers it."""
    canvas = window.parts.graph.canvas
    scene = canvas.scene
    qtbot.waitUntil(lambda: not canvas._edges.painting and not canvas.flight.flying)
    ends = (scene.names.index(source), scene.names.index(target))
    line = list(zip(scene.line_from.tolist(), scene.line_to.tolist(), strict=True)).index(ends)
    path = curves(canvas.camera.lines(scene.lines[line : line + 1]))
    for share in (0.5, 0.4, 0.6, 0.3, 0.7):
        point = path.pointAtPercent(share)
        if canvas.node_at_pixel(point) < 0 and canvas.line_at_pixel(point) == line:
            QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=point.toPoint())
            return
    pytest.fail("the line lies under others")


def double_click(window: MainWindow, row: int, column: int) -> None:
    table = page(window).table
    assert table is not None
    where = table.visualRect(table.model().index(row, column)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)


def test_a_package_edge_opens_into_class_edges_with_rules(qtbot: QtBot, opened: MainWindow) -> None:
    """Two clicks: the edge, and List. A third goes to a class."""
    click_edge(qtbot, opened, "top", "ui")
    bar = opened.parts.graph.path_bar
    assert bar.line.text().startswith("top → ui: 1 class dependency")
    QTest.mouseClick(bar.listing, Qt.MouseButton.LeftButton)
    assert page(opened).isVisible()
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    (row,) = rows(opened)
    assert row[:2] == ("Main", "Button")
    assert int(str(row[2])) > 0
    assert "field" in str(row[3])
    qtbot.waitUntil(lambda: page(opened).detail.topLevelItemCount() > 0)
    qtbot.waitUntil(lambda: page(opened).detail.topLevelItem(0).text(0) == "Main.button → Button")
    assert bar.line.text().endswith(")"), "the line has its heaviest edge and is not empty"
    assert bar.line.shown()
    double_click(opened, 0, 1)
    assert opened.selection.name == "ui/Button"
    QTest.mouseClick(opened.parts.inspector.to_answers, Qt.MouseButton.LeftButton)
    assert page(opened).isVisible()


def test_the_list_of_an_edge_turns_round(qtbot: QtBot, opened: MainWindow) -> None:
    graph = opened.parts.graph
    graph.show_view("matrix")
    qtbot.waitUntil(lambda: graph.view == "matrix")
    cells = graph.matrix.cells
    assert cells is not None
    row, column = cells.names.index("ui"), cells.names.index("data")
    where = QPoint(*map(round, graph.matrix.pixel_of(row, column)))
    QTest.mouseClick(graph.matrix, Qt.MouseButton.LeftButton, pos=where)
    assert graph.path_bar.line.text().startswith("ui → data: 1 class dependency; 1 the other way")
    QTest.mouseClick(graph.path_bar.listing, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    assert rows(opened)[0][:2] == ("Window", "Store")
    press(qtbot, opened, "Other way")
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    assert rows(opened)[0][:2] == ("Store", "Window")
    QTest.mouseClick(page(opened).back, Qt.MouseButton.LeftButton)
    assert rows(opened)[0][:2] == ("Window", "Store")


def test_a_package_has_an_inspector(qtbot: QtBot, opened: MainWindow) -> None:
    canvas = opened.parts.graph.canvas
    scene = canvas.scene
    qtbot.waitUntil(lambda: not canvas.flight.flying)
    node = scene.names.index("ui")
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.pixel_of(node).toPoint())
    opened.parts.inspector_dock.raise_()
    assert page(opened).title.text() == "ui"
    assert [row[:3] for row in rows(opened)] == [
        ("needs", "data", 1),
        ("needed by", "data", 1),
        ("needed by", "top", 1),
    ]
    double_click(opened, 0, 1)
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    assert page(opened).title.text() == "ui → data"


def test_a_package_in_the_tree_has_the_same(qtbot: QtBot, opened: MainWindow) -> None:
    tree = opened.parts.tree
    names = [tree.model.index(row, 0).data() for row in range(tree.model.rowCount())]
    opened.selection.select(tree.model.item_of("top/Main"))
    tree.tree.setCurrentIndex(tree.model.index(names.index("data"), 0))
    canvas = opened.parts.graph.canvas
    assert canvas.scene.names[canvas.marks.selected] == "data", "the class chosen before has no mark any more"
    assert opened.selection.name == ""
    assert page(opened).title.text() == "data"
    assert ("needs", "ui", 1, 1) in rows(opened)


def test_cycles_of_packages_say_which_edges_to_cut(qtbot: QtBot, opened: MainWindow) -> None:
    opened.parts.graph.canvas.edge_chosen.emit(0)
    assert opened.parts.graph.path_bar.isVisible()
    opened.actions_by_id["cycles"].trigger()
    assert opened.parts.graph.path_bar.isHidden(), "what was asked before is past"
    qtbot.waitUntil(lambda: "Cycle of 2 packages" in page(opened).title.text())
    assert page(opened).isVisible()
    assert [row[0] for row in rows(opened)] == ["cut", ""]
    assert "no lighter cut exists" in page(opened).facts.text()
    canvas, matrix = opened.parts.graph.canvas, opened.parts.graph.matrix
    assert page(opened).detail.topLevelItem(0).text(1) == "Store"
    table = page(opened).table
    assert table is not None
    assert len(canvas.marks.cuts) == 1
    first = canvas.marks.cuts.tolist()
    table.selectRow(1)
    assert canvas.marks.cuts[:, :2].tolist() == [first[0][1::-1]], "the row of the list is marked, the other way round"
    press(qtbot, opened, "Draw the cuts")
    assert canvas.marks.cuts.tolist() == first
    assert "1 edge to cut" in opened.parts.graph.path_bar.line.text()
    press(qtbot, opened, "Cuts in the matrix")
    qtbot.waitUntil(lambda: "1 cell with an outline" in opened.parts.graph.path_bar.line.text())
    assert opened.parts.graph.view == "matrix"
    assert len(matrix.cuts) == 1
    table.selectRow(0)
    assert matrix.selected != (-1, -1)
    double_click(opened, 0, 1)
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    QTest.mouseClick(opened.parts.graph.path_bar.close_button, Qt.MouseButton.LeftButton)
    assert not len(canvas.marks.cuts)
    assert not matrix.cuts


def test_two_sets_that_were_chosen_in_the_tree(qtbot: QtBot, opened: MainWindow) -> None:
    tree = opened.parts.tree
    top, store = (tree.model.item_of(name) for name in ("top/Main", "data/Rest"))
    tree.told.bounds.emit([top], False)
    assert "needed" in opened.parts.graph.path_bar.line.text()
    tree.told.bounds.emit([store, tree.model.item_of("data/Store")], True)
    qtbot.waitUntil(lambda: "between their parts" in page(opened).facts.text())
    assert page(opened).title.text() == "Main → data"
    assert rows(opened)[0][1] == "Rest"


def test_what_goes_with_a_class_is_listed_and_drawn(qtbot: QtBot, opened: MainWindow) -> None:
    """Three clicks: the class, the command, Draw it."""
    opened.selection.select(opened.parts.tree.model.item_of("data/Store"))
    opened.actions_by_id["goes_with"].trigger()
    qtbot.waitUntil(lambda: bool(rows(opened)))
    assert page(opened).title.text() == "What goes with Store"
    assert page(opened).facts.text().startswith("1 class of 5 · parts of 2 other classes")
    assert rows(opened)[0][0] == "data.Store"
    assert ("data.Rest.size(), code", "data.Store", "code needs the classes it names") in [
        (row[0], row[2], row[3]) for row in rows(opened)
    ]
    press(qtbot, opened, "Draw it")
    qtbot.waitUntil(lambda: opened.parts.graph.view == "focus")
    scene = opened.parts.graph.canvas.scene
    assert set(scene.titles) == {"Store", "Window", "Rest"}


def test_the_smallest_set_around_a_member_is_written_as_a_jar(
    qtbot: QtBot, opened: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out" / "around.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(target), ""))
    opened.selection.select_name("ui/Window.title:()Ljava/lang/String;")
    opened.actions_by_id["around"].trigger()
    qtbot.waitUntil(lambda: bool(rows(opened)))
    assert "Window.title()" in page(opened).title.text()
    press(qtbot, opened, "Export as jar…")
    qtbot.waitUntil(target.exists)
    with zipfile.ZipFile(target) as jar:
        assert jar.namelist() == ["ui/Window.class"]


def test_another_jar_forgets_the_answers(qtbot: QtBot, opened: MainWindow, sample_jar: Path) -> None:
    opened.actions_by_id["cycles"].trigger()
    qtbot.waitUntil(lambda: page(opened).shown is not None)
    opened.parts.find.field.setText("text")
    open_jar(qtbot, opened, sample_jar)
    qtbot.waitUntil(lambda: opened.parts.find.field.text() == "")
    qtbot.waitUntil(lambda: page(opened).shown is None)
    assert not page(opened).isVisible()


def test_rows_are_sorted_by_their_heads(qtbot: QtBot, opened: MainWindow) -> None:
    opened.selection.select(opened.parts.tree.model.item_of("data/Store"))
    opened.actions_by_id["goes_with"].trigger()
    qtbot.waitUntil(lambda: len(rows(opened)) > 2)
    table = page(opened).table
    assert table is not None
    header = table.horizontalHeader()
    where = QPoint(header.sectionViewportPosition(0) + 20, header.height() // 2)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    names = [table.model().index(row, 0).data() for row in range(table.model().rowCount())]
    assert names == sorted(names, key=str.lower)
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert table.model().index(0, 0).data() == names[-1], "a second click turns the order"
    QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
    double_click(opened, 0, 0)
    assert opened.selection.title == names[0]


def test_the_sizes_are_areas_in_their_packages(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_by_id["treemap"].trigger()
    graph = opened.parts.graph
    qtbot.waitUntil(lambda: graph.view == "treemap")
    scene, jar = graph.canvas.scene, opened.controller.state.jar
    areas = {jar.full[item]: w * h for item, (_, _, w, h) in enumerate(scene.rects.tolist())}
    sizes = dict(zip(jar.full, jar.sizes.tolist(), strict=True))
    assert sorted(areas, key=areas.__getitem__)[-1] == max(sizes, key=sizes.__getitem__)
    assert set(scene.frame_titles) == {"data", "top", "ui"}
    node = jar.full.index("data.Store")
    QTest.mouseClick(graph.canvas, Qt.MouseButton.LeftButton, pos=graph.canvas.pixel_of(node).toPoint())
    assert opened.selection.title == "data.Store"
    canvas, before = graph.canvas, graph.canvas.height()
    opened.resizeDocks([opened.parts.inspector_dock], [460], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: canvas.height() < before - 80)

    def room_left() -> float:
        """Return the pixels at the sides of the areas."""
        x, _, wide, _ = canvas.camera.rects(canvas.scene.frames).T
        return float(canvas.width() - (x + wide).max() + x.min())

    qtbot.waitUntil(lambda: canvas.scene is not scene and room_left() < 40)


def test_classes_are_ranked_by_dependents_bytes_and_depth(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_by_id["rank"].trigger()
    table = page(opened).table
    assert table is not None
    qtbot.waitUntil(table.isVisible)
    assert table.model().index(0, 2).data() == "2"
    header = table.horizontalHeader()
    jar = opened.controller.state.jar
    for column, worth in ((4, depths(jar)), (1, jar.sizes)):
        where = QPoint(header.sectionViewportPosition(column) + 8, header.height() // 2)
        QTest.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=where)
        names = [table.model().index(row, 0).data() for row in range(table.model().rowCount())]
        shown = [int(worth[jar.full.index(name)]) for name in names]
        assert shown == sorted(shown, reverse=True)
    assert depths(jar)[jar.full.index("top.Main")] == 0
    first = table.model().index(0, 0).data()
    double_click(opened, 0, 0)
    assert opened.selection.title == first


def test_bookmarks_are_kept_for_the_next_time(qtbot: QtBot, opened: MainWindow) -> None:
    opened.selection.select_name("data/Store.load:()V")
    opened.bookmarks.toggle.trigger()
    opened.selection.select(opened.parts.tree.model.item_of("top/Main"))
    menu = opened.bookmarks.toggle.parent()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    entry = menu.actions()[-1]
    assert entry.text() == "data.Store.load()"
    entry.trigger()
    assert opened.selection.title == "data.Store.load()"
    opened.bookmarks.toggle.trigger()
    assert opened.bookmarks.names == []


def test_the_shortcut_of_bookmarks_follows_the_selection(qtbot: QtBot, opened: MainWindow) -> None:
    opened.selection.select(-1, None)
    assert not opened.bookmarks.toggle.isEnabled()
    menu = opened.bookmarks.toggle.parent()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()  # it was looked at while nothing was selected
    opened.selection.select_name("data/Store")
    opened.activateWindow()
    QTest.keyClick(opened, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    qtbot.waitUntil(lambda: opened.bookmarks.names == ["data/Store"])


def test_what_needs_a_class_is_grouped_and_bookkeeping_folded(
    qtbot: QtBot, kept_window: MainWindow, sample_jar: Path
) -> None:
    window = reopened(qtbot, kept_window, sample_jar)
    window.selection.select_name("sample/number/Rational")
    window.actions_by_id["inspect"].trigger()
    tree = window.parts.inspector.needed_by
    qtbot.waitUntil(lambda: tree.topLevelItemCount() > 1)
    heads = [tree.topLevelItem(row) for row in range(tree.topLevelItemCount())]
    words = [head.text(0).partition(" (")[0] for head in heads if head is not None]
    assert words[0] == "Code"
    assert set(words) <= {"Code", "Hierarchy", "Signatures", "Bookkeeping"}
    for head in heads:
        assert head is not None
        assert head.isExpanded() != head.text(0).startswith("Bookkeeping")


def test_marks_of_a_search_go_once_something_is_chosen(qtbot: QtBot, opened: MainWindow) -> None:
    graph = opened.parts.graph
    graph.show_view("components")
    opened.parts.search.field.setText("Store")
    qtbot.waitUntil(lambda: len(graph.canvas.marks.found) == 1)
    opened.selection.select(opened.parts.tree.model.item_of("ui/Window"))
    assert not len(graph.canvas.marks.found)


def test_the_line_above_the_graph_and_what_is_marked_agree(qtbot: QtBot, opened: MainWindow) -> None:
    graph, tree = opened.parts.graph, opened.parts.tree
    graph.paths.package_cycle(graph.canvas.scene.names.index("ui"))
    assert len(graph.canvas.marks.path) > 1
    click_edge(qtbot, opened, "top", "ui")
    assert graph.path_bar.line.text().startswith("top → ui")
    assert not len(graph.canvas.marks.path), "the cycle is past"
    tree.tree.setCurrentIndex(tree.model.index_of(tree.model.item_of("data/Store")))
    assert not graph.path_bar.isVisible(), "and so is the edge, once a class is chosen"
    assert graph.canvas.marks.edge is None


def test_areas_have_the_colours_of_their_packages_before_a_run(qtbot: QtBot, opened: MainWindow) -> None:
    graph = opened.parts.graph
    opened.actions_by_id["treemap"].trigger()
    qtbot.waitUntil(lambda: graph.view == "treemap" and not graph.canvas.flight.flying)
    scene, jar = graph.canvas.scene, opened.controller.state.jar

    def colour(name: str) -> str:
        x, y, _, _ = graph.canvas.camera.rects(scene.rects[[jar.full.index(name)]])[0]
        return graph.canvas.grab().toImage().pixelColor(int(x) + 4, int(y) + 4).name()

    assert colour("data.Store") == colour("data.Rest") != colour("ui.Window")
    assert "needs" not in {entry.words for entry in graph.legend.entries()}, "no line is drawn"
    opened.actions_by_id["matrix"].trigger()
    qtbot.waitUntil(lambda: graph.view == "matrix")
    assert graph.legend.entries()[0].words == "needs", "its own colours are explained"


def test_a_component_opens_as_a_cycle_with_the_edges_to_cut(qtbot: QtBot, opened: MainWindow) -> None:
    opened.actions_by_id["go_components"].trigger()
    opened.parts.components.table.selectRow(0)
    qtbot.waitUntil(lambda: page(opened).isVisible() and "Cycle of" in page(opened).title.text())
    assert any(row[0] == "cut" for row in rows(opened)), "edges to cut, by weight"
    assert "there is no cycle" in page(opened).facts.text()


def test_a_click_on_the_ground_of_a_component_opens_it_too(qtbot: QtBot, opened: MainWindow) -> None:
    graph = opened.parts.graph
    opened.actions_by_id["components"].trigger()
    qtbot.waitUntil(lambda: graph.view == "components" and not graph.canvas.flight.flying)
    scene, canvas = graph.canvas.scene, graph.canvas
    x, y, _, high = canvas.camera.rects(scene.boxes[:1])[0].tolist()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=QPoint(round(x + 3), round(y + high / 2)))
    qtbot.waitUntil(lambda: page(opened).isVisible() and "Cycle of" in page(opened).title.text())
    assert "cycle of" in graph.path_bar.line.text() or len(canvas.marks.cuts)
