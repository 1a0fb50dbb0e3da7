"""Focus, paths and reasons in the graph, on the sample's real model."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.paint.edges import curves
from app.graph.scene.relations import path_between, shortest, why_kept
from app.graph.view import GraphView
from app.theme.theme import LIGHT
from tests.support.sample_graph import item, jar_of, node_of, still


def test_focus_shows_what_is_near_and_escape_returns(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    main = item(view, "sample.Main")
    view.stage.select_item(main)
    qtbot.mouseClick(view.head._segments.button(2), Qt.MouseButton.LeftButton)
    assert view.view == "focus"
    scene = view.canvas.scene
    jar = jar_of(view)
    near = {main, *jar.needs.of(main).tolist(), *jar.needed_by.of(main).tolist()}
    assert set(scene.item_of_node.tolist()) == near
    top = {int(scene.item_of_node[node]): float(y) for node, y in enumerate(scene.rects[:, 1])}
    assert all(top[other] > top[main] for other in jar.needs.of(main).tolist())
    assert view.canvas.marks.selected == scene.node_of_item[main]
    qtbot.mouseClick(view.head._depths.button(2), Qt.MouseButton.LeftButton)
    assert view.canvas.scene.nodes > scene.nodes
    view.head.needs.setChecked(False)
    shown = set(view.canvas.scene.item_of_node.tolist())
    assert not (set(jar.needs.of(main).tolist()) - set(jar.needed_by.of(main).tolist())) & shown
    view.head.needed_by.setChecked(False)
    assert view.head.needs.isChecked(), "one direction always stays"
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.view == "components"
    assert view.stage.item == main


def test_focus_moves_on_and_back(qtbot: QtBot, view: GraphView) -> None:
    main, check = item(view, "sample.Main"), item(view, "sample.SelfCheck")
    view.navigation.focus(main)
    node = node_of(view, "sample.SelfCheck")
    still(qtbot, view)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=view.canvas.pixel_of(node).toPoint())
    assert view.navigation.focused == (check,)
    view.navigation.back()
    assert view.view == "focus"
    assert view.navigation.focused == (main,)
    view.navigation.back()
    assert view.view == "packages"
    assert not view.navigation.can_go_back


def test_focus_without_a_class_says_what_to_do(view: GraphView) -> None:
    view.show_view("focus")
    assert view.view == "packages"
    assert "Select a class" in view.path_bar.line.text()
    assert view.head._segments.checkedId() == 0


def test_a_path_is_the_shortest_and_drawn(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    jar = jar_of(view)
    start, end = item(view, "sample.shell.Shell"), item(view, "sample.number.Rational")
    view.paths.begin(start)
    view.paths.end(end)
    path = [int(view.canvas.scene.item_of_node[node]) for node in view.canvas.marks.path]  # type: ignore[union-attr]
    assert path[0] == start
    assert path[-1] == end
    assert all(b in jar.needs.of(a).tolist() for a, b in pairwise(path))
    assert len(path) - 1 == distance(jar, start, end)
    assert view.path_bar.line.text() == f"{len(path) - 1} steps: {' → '.join(jar.simple[i] for i in path)}"
    still(qtbot, view)
    lines, scene = view.canvas.marks.path_lines, view.canvas.scene
    assert len(lines) == len(path) - 1
    assert (lines[:, None] == scene.lines).all(axis=2).any(axis=1).all(), "along the edges that are drawn"
    middle = curves(view.canvas.camera.lines(lines[:1])).pointAtPercent(0.5)
    x, y = middle.x(), middle.y()
    image = view.canvas.grab().toImage()
    near = {image.pixelColor(round(x) + dx, round(y) + dy).name() for dx in range(-3, 4) for dy in range(-3, 4)}
    assert LIGHT.found.name() in near
    qtbot.mouseClick(view.path_bar.alone, Qt.MouseButton.LeftButton)
    assert view.view == "focus"
    assert view.canvas.scene.item_of_node.tolist() == path
    assert (np.diff(view.canvas.scene.rects[:, 1]) > 0).all()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert not view.path_bar.isVisible()
    assert not len(view.canvas.marks.path)


def distance(jar: OpenedJar, start: int, end: int) -> int:
    front, seen, steps = {start}, {start}, 0
    while end not in front:
        front = {other for node in front for other in jar.needs.of(node).tolist()} - seen
        assert front
        seen |= front
        steps += 1
    return steps


def test_control_click_pairs_two_classes_and_packages_shorten_the_path(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    view.fit()
    still(qtbot, view)
    for name, keys in (
        ("sample.Main", Qt.KeyboardModifier.NoModifier),
        ("sample.text.Scanner", Qt.KeyboardModifier.ControlModifier),
    ):
        where = view.canvas.pixel_of(node_of(view, name)).toPoint()
        qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, keys, where)
    assert view.path_bar.line.text().startswith("2 steps: Main → ")
    view.show_view("packages")
    scene = view.canvas.scene
    assert [scene.names[node] for node in view.canvas.marks.path] == ["sample", "sample/text"]


def test_paths_go_the_other_way_or_are_told_not_to_exist(view: GraphView) -> None:
    jar = jar_of(view)
    back = path_between(jar, item(view, "sample.number.Rational"), item(view, "sample.Main"))
    assert back.sentence.startswith("Only the other way, ")
    assert back.items[0] == item(view, "sample.Main")
    none = path_between(jar, item(view, "fji.A"), item(view, "sample.Main"))
    assert none.items == []
    assert "No dependency path" in none.sentence
    assert shortest(jar.needs, np.zeros(0, np.int64), 3) is None


def test_why_is_it_kept(view: GraphView) -> None:
    jar = jar_of(view)
    main, scanner = item(view, "sample.Main"), item(view, "sample.text.Scanner")
    path = path_between(jar, main, scanner).items
    states = np.full(jar.items, ItemState.GONE, np.uint8)
    states[path] = ItemState.KEPT
    states[main] = ItemState.NEEDED
    view.set_states(states, dict.fromkeys(ItemState, 0))
    view.show_view("components")
    view.stage.select_item(scanner)
    view.paths.why()
    assert view.path_bar.line.text().startswith("Scanner is kept because Main must stay: Main → ")
    assert [int(view.canvas.scene.item_of_node[n]) for n in view.canvas.marks.path] == path  # type: ignore[union-attr]
    assert "a run without it" in why_kept(jar, main, states, False).sentence
    assert "gone" in why_kept(jar, item(view, "fji.A"), states, False).sentence
    states[main] = ItemState.KEPT
    assert "No run so far has shown" in why_kept(jar, scanner, states, False).sentence
    assert why_kept(jar, scanner, states, True).items == path
    assert "run a reduction" in why_kept(jar, scanner, None, False).sentence
