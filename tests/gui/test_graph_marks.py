"""What the graph says besides the states: what is left, pins, cycles, edges and their reasons, colours."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAction, QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.legend import Legend
from app.graph.paint.edges import curves
from app.graph.paint.graph_style import UsedItems, tints_of
from app.graph.scene.camera import line_at
from app.graph.scene.cells import without_prefix
from app.graph.scene.relations import cycle_through
from app.graph.scene.scene import scene_from
from app.graph.view import GraphView
from app.panels.tree.tree_model import TreeModel
from app.theme.theme import LIGHT
from app.window.graph_queries import merge_lines
from app.window.main_window import MainWindow
from core.protocol import events
from tests.support.gui_helpers import NEEDS_MAIN, entries_of, fill, open_jar, small_jar, wait_idle, width_of_states


def shown_view(qtbot: QtBot) -> GraphView:
    """The small jar's classes."""
    opened, layouts = small_jar()
    view = GraphView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    view.set_jar(OpenedJar(opened))
    for layout in layouts:
        view.set_scene(scene_from(OpenedJar(opened), layout))
    view.show_view("components")
    return view


def test_the_nearest_line_is_hit_straight_or_curved() -> None:
    lines = np.array([[0.0, 0, 100, 100], [0, 50, 300, 60], [200, 0, 200, 90]])
    assert line_at(lines, 20, 21, False, 4) == 0
    assert line_at(lines, 198, 40, False, 4) == 2
    assert line_at(lines, 260, 5, False, 4) == -1
    for number in range(len(lines)):
        middle = curves(lines[number : number + 1]).pointAtPercent(0.4)
        assert line_at(lines, middle.x(), middle.y(), True, 4) == number


def test_the_shortest_cycle_goes_through_the_class() -> None:
    jar = OpenedJar(small_jar()[0])
    found = cycle_through(jar, 2)
    assert found.items[0] == found.items[-1] == 2
    assert set(found.items) == {1, 2, 3}
    assert "3 steps" in found.sentence
    assert cycle_through(jar, 0).sentence == "A is in no cycle."


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_the_tree_asks_for_the_shortest_cycle(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    tree = window.parts.tree
    tree.select_item(tree.model.item_of("sample/text/Scanner"))
    tree._menu(tree.tree.visualRect(tree.tree.currentIndex()).center())
    menu = tree.findChildren(QMenu)[-1]
    next(action for action in menu.actions() if action.text().startswith("Shortest c")).trigger()
    menu.close()
    assert window.parts.graph.path_bar.line.text().startswith("Shortest cycle, 2 steps: Scanner → ")


def test_an_edge_tells_its_reasons(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph = window.parts.graph
    graph.show_view("components")
    jar, scene, canvas = graph.stage.jar, graph.canvas.scene, graph.canvas
    main, check = (jar.names.index(f"sample/{name}") for name in ("Main", "SelfCheck"))
    line = next(
        number
        for number in range(len(scene.lines))
        if (scene.line_from[number], scene.line_to[number]) == (main, check)
    )
    canvas.edge_chosen.emit(line)
    assert canvas.marks.edge is not None
    qtbot.waitUntil(lambda: "heaviest" in graph.path_bar.line.text())
    words = graph.path_bar.line.text()
    assert words.startswith("Main → SelfCheck: 1 class dependency")
    assert "code needs the" in words
    assert graph.path_bar.line.shown()


def test_a_click_on_a_line_and_on_a_frame_is_told(qtbot: QtBot) -> None:
    view = shown_view(qtbot)
    canvas, scene = view.canvas, view.canvas.scene
    qtbot.waitUntil(lambda: not canvas._edges.painting)
    lines = canvas.camera.lines(scene.lines)
    number = int(np.argmax(np.abs(lines[:, 3] - lines[:, 1])))
    middle = curves(lines[number : number + 1]).pointAtPercent(0.5)
    with qtbot.waitSignal(canvas.edge_chosen) as told:
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=middle.toPoint())
    assert told.args == [number]
    x, y, _, high = scene.boxes[0].tolist()
    corner = QPointF(*canvas.camera.to_pixel(x + 3, y + high / 2)).toPoint()
    with qtbot.waitSignal(canvas.box_chosen):
        QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=corner)
    assert "cycle of 3 classes" in view.path_bar.line.text()


def test_a_chosen_package_lights_the_curves_that_are_drawn_and_pales_the_others(qtbot: QtBot, view: GraphView) -> None:
    canvas, scene = view.canvas, view.canvas.scene

    def halfway(line: int) -> QPointF:
        return curves(canvas.camera.lines(scene.lines[line : line + 1])).pointAtPercent(0.5)

    def middle(line: int) -> QColor:
        picture, x, y = canvas.grab().toImage(), round(halfway(line).x()), round(halfway(line).y())
        near = [picture.pixelColor(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
        return max(near, key=lambda colour: colour.saturation() + 255 - colour.lightness())

    qtbot.waitUntil(lambda: not canvas.flight.flying and not canvas._edges.painting)
    needs = [int((scene.line_from == node).sum()) for node in range(scene.cards)]
    node = int(np.argmax(needs))
    lines = [line for line in range(len(scene.lines)) if canvas.node_at_pixel(halfway(line)) < 0]
    mine = [line for line in lines if scene.line_from[line] == node]
    others = [line for line in lines if node not in (scene.line_from[line], scene.line_to[line])]
    before = {line: middle(line).lightness() for line in others}
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.pixel_of(node).toPoint())
    assert canvas.marks.selected == node
    wanted = LIGHT.needs
    assert mine
    assert [line for line in mine if abs(middle(line).hue() - wanted.hue()) > 10] == []
    paler = [line for line in others if middle(line).lightness() > before[line] + 10]
    assert 2 * len(paler) > len(others), "a line may cross another one there"


def test_pins_are_marked_and_the_menu_has_what_the_tree_has(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph = window.parts.graph
    graph.show_view("components")
    jar, canvas = graph.stage.jar, graph.canvas
    item = jar.names.index("sample/Main")

    def entries() -> dict[str, QAction]:
        return entries_of(graph.menu.build(graph, item, -1))

    assert {"Pin", "Drop first", "Inspect", "Why is it kept?", "Shortest cycle through it"} <= set(entries())
    assert not entries()["Shortest cycle through it"].isEnabled()
    entries()["Pin"].trigger()
    assert window.pins.names == ["sample/Main"]
    assert canvas._pinned.tolist() == [item]
    assert "Unpin" in entries()
    entries()["Drop first"].trigger()
    assert (window.pins.names, window.pins.first) == ([], ["sample/Main"])
    assert canvas._first.tolist() == [item]
    canvas.choose(item)
    entries()["Inspect"].trigger()
    assert window.selection.name == "sample/Main"
    assert window.parts.inspector.isVisible()


@pytest.mark.guarded
def test_only_what_is_left_and_how_much_of_it(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph = window.parts.graph
    assert not graph.head.only_left.isVisible()
    fill(window, NEEDS_MAIN, algorithm="auto", granularity="member", validity="jvm")
    window.commands.reduce.start()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: graph.canvas._shares is not None)
    jar, states = graph.stage.jar, graph.stage.states
    assert states is not None
    main = jar.names.index("sample/Main")
    assert graph.canvas._shares is not None
    assert 0 < graph.canvas._shares[main] < 0.9
    window.parts.centre.show_graph()
    assert graph.head.only_left.isVisible()
    graph.head.only_left.click()
    qtbot.waitUntil(lambda: graph.view == "focus")
    scene = graph.canvas.scene
    left = np.flatnonzero((states != ItemState.GONE) & jar.is_class)
    assert sorted(scene.item_of_node.tolist()) == left.tolist()
    graph.head.only_left.click()
    qtbot.waitUntil(lambda: graph.view != "focus")


def test_tool_tips_of_graph_and_tree_tell_of_merged_classes(qtbot: QtBot) -> None:
    view, model, tip = shown_view(qtbot), TreeModel(), Qt.ItemDataRole.ToolTipRole
    jar = view.stage.jar
    model.set_jar(jar)
    merges = merge_lines([[1, 0], [2, 0]], jar)
    states = np.full(jar.items, ItemState.KEPT, np.uint8)
    states[1:3] = ItemState.GONE
    view.set_left(jar.sizes, merges)
    model.set_left(jar.sizes.tolist(), merges)

    def tips(item: int) -> list[str]:
        return [
            view.stage.describe(int(scene.node_of_item[item]))[-1],
            str(model.index_of(item).data(tip)).split("\n")[-1],
        ]

    for best in (False, True):
        view.set_states(states, {ItemState.KEPT: 4} if best else None)
        model.set_states(states, best)
        scene = view.canvas.scene
        told = tips(0) == ["with what is left of p.B, p.C"] * 2, tips(1) == ["now part of p.A"] * 2
        assert told == (best, best)


def test_colours_tell_package_and_size_in_every_view(qtbot: QtBot) -> None:
    view = shown_view(qtbot)
    jar = view.stage.jar
    tints, words = tints_of(jar, "package", UsedItems())
    assert tints is not None
    assert [word for _, word in words] == ["p", "q"]
    assert tints[:6].tolist() == [0, 0, 0, 1, 1, 1]
    sizes, steps = tints_of(jar, "size", UsedItems())
    assert sizes is not None
    assert sizes[0] == steps[0][0]
    before = view.canvas.grab().toImage()
    view.head.colours.setCurrentIndex(view.head.colours.findData("package"))
    assert view.canvas.grab().toImage() != before
    assert [entry.words for entry in view.legend.entries()][:2] == ["p", "q"]
    view.show_view("packages")
    assert view.canvas.tints is not None
    view.head.colours.setCurrentIndex(0)
    assert view.canvas.tints is None


def test_the_legend_explains_lines_marks_and_comparisons(qtbot: QtBot) -> None:
    view = shown_view(qtbot)
    lines = ["needs", "needed by"]
    for shown, marks in (
        ("packages", [*lines, "cycle", "open package", "pinned"]), ("force", [*lines, "pinned"]),
        ("matrix", ["needs", "closes a cycle", "cycle"]),
    ):  # fmt: skip
        view.legend.set_view(shown)
        assert [entry.words for entry in view.legend.entries()] == marks
    view.set_states(np.full(7, ItemState.TRYING, np.uint8), None)
    assert view.legend.entries()[1].words == "only in the earlier"


def test_the_first_sign_of_the_legend_is_whole(qtbot: QtBot) -> None:
    legend = Legend()
    qtbot.addWidget(legend)
    legend.set_counts({ItemState.NEEDED: 12, ItemState.KEPT: 0, ItemState.TRYING: 0, ItemState.GONE: 52})

    def signs(wide: int, colour: QColor = LIGHT.needed) -> int:
        legend.resize(wide, legend.heightForWidth(wide))
        picture = legend.grab().toImage()
        places = itertools.product(range(picture.width()), range(picture.height()))
        return sum(picture.pixel(x, y) == colour.rgb() for x, y in places)

    assert [entry.longest for entry in legend.entries()][:2] == ["needed 64", "kept 64"], "no gap behind a shorter word"
    assert signs(width_of_states(legend)) == signs(width_of_states(legend) + 100) > 50
    half = width_of_states(legend) * 3 // 5
    assert signs(half, LIGHT.trying) > 50, "a second row has the states that the first has no room for"
    assert legend.heightForWidth(half) == 2 * legend.sizeHint().height()
    assert legend.heightForWidth(10) == legend.sizeHint().height(), "nothing fits"


def test_names_of_the_matrix_leave_out_what_all_have() -> None:
    assert without_prefix(["com.google.a", "com.google.b.c", "com.google.d"]) == ["…a", "…b.c", "…d"]
    assert without_prefix(["com.google", "com.google.b"]) == ["com.google", "com.google.b"]
    assert without_prefix(["only.one.package"]) == ["only.one.package"]


def test_colours_tell_what_a_run_used(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph, jar = window.parts.graph, window.controller.state.jar
    graph.head.colours.setCurrentIndex(graph.head.colours.findData("used"))
    qtbot.waitUntil(lambda: "not known what ran" in window.parts.messages.text.text())
    assert graph.canvas.tints is None, "the colours of the states, until it is known"

    rational, main = jar.names.index("sample/number/Rational"), jar.names.index("sample/Main")
    loaded = events.pack(1 << rational | 1 << main, jar.items)
    window.asking.show_used(events.Used(loaded=loaded, named=events.pack(1 << rational, jar.items)))
    tints = graph.canvas.tints
    assert tints is not None
    assert tints[rational] > tints[main] > tints[jar.names.index("fji/A")]
    meanings = ["never reached", "reachable", "loaded", "named by the failure"]
    assert [words for _, words in graph.legend.colours] == meanings
    scale = jar.names.index("sample/number/Scale")
    assert tints[main] > tints[scale] > tints[jar.names.index("fji/A")], "a loaded class leads there"
    tree = window.parts.tree.model
    assert tree.row(tree.index_of(scale)).tint == tints[scale], "the tree has the same colours"

    window.actions_by_id["sums"].trigger()
    shown = window.parts.inspector.answers.shown
    assert shown is not None
    assert [column.title for column in shown.columns] == ["Part", "All", *meanings]
    rows = {str(row[0]): row[1:] for row in shown.rows}
    assert rows[jar.title][0] == jar.sizes.sum() == sum(rows[jar.title][1:])
    assert rows["sample"][3] == jar.sizes[main]
    assert rows["fji"][0] == rows["fji"][1] > 0


def test_the_legend_says_what_states_mean_of_one_step_and_of_two(qtbot: QtBot) -> None:
    view = GraphView()
    qtbot.addWidget(view)
    kept, gone, tried = (np.full(3, state, np.uint8) for state in (ItemState.KEPT, ItemState.GONE, ItemState.TRYING))
    for states, words in (
        (np.append(kept, gone), ["in this step", "not in this step"]),
        (np.append(kept, tried), ["in both steps", "only in the earlier", "in neither"]),
    ):
        view.set_states(states, None)
        assert [entry.words for entry in view.legend.entries()][: len(words)] == words
        assert all(f"{word}: of the steps" in view.legend.toolTip() for word in words)
    view.set_states(kept, {ItemState.KEPT: 3})
    assert "kept 3" in [entry.words for entry in view.legend.entries()]
