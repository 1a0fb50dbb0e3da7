"""Minimap and context menu of the graph, on the sample's real model; all views with the real engine."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.scene.scene import scene_from
from app.graph.view import GraphView
from app.theme.theme import LIGHT
from app.window.main_window import MainWindow
from core.protocol import events
from tests.support.gui_helpers import entries_of, open_jar, small_jar
from tests.support.sample_graph import card, frames, item, jar_of, node_of, still


def drag(qtbot: QtBot, view: GraphView, start: QPointF, end: QPointF) -> None:
    mini = view.minimap
    qtbot.mousePress(mini, Qt.MouseButton.LeftButton, pos=start.toPoint())
    move = QMouseEvent(
        QEvent.Type.MouseMove,
        end,
        mini.mapToGlobal(end),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(mini, move)
    qtbot.mouseRelease(mini, Qt.MouseButton.LeftButton, pos=end.toPoint())


def test_the_minimap_comes_when_not_all_is_seen_and_its_frame_can_be_dragged(qtbot: QtBot, view: GraphView) -> None:
    canvas, mini = view.canvas, view.minimap
    assert not mini.isVisible()
    canvas.zoom(4)
    assert mini.isVisible()
    assert canvas.rect().contains(mini.geometry())
    frame = mini.view_rect()
    middle = canvas.camera.to_scene(canvas.width() / 2, canvas.height() / 2)
    drag(qtbot, view, frame.center(), frame.center() + QPointF(12, -7))
    moved = mini.view_rect().center() - frame.center()
    assert (moved.x(), moved.y()) == pytest.approx((12, -7), abs=1)
    assert canvas.camera.to_scene(canvas.width() / 2, canvas.height() / 2)[0] > middle[0]
    qtbot.mouseClick(mini, Qt.MouseButton.LeftButton, pos=QPoint(4, 4))
    centre = mini.view_rect().center()
    assert (centre.x(), centre.y()) == pytest.approx((4, 4), abs=1)
    mini.set_wanted(False)
    assert not mini.isVisible()
    mini.set_wanted(True)
    canvas.fit(animate=False)
    assert not mini.isVisible()


def test_the_minimap_shows_states(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    view.canvas.zoom(4)
    states = np.full(jar_of(view).items, ItemState.NEEDED, np.uint8)
    view.set_states(states, dict.fromkeys(ItemState, 0))

    def colours() -> set[str]:
        image = view.minimap.grab().toImage()
        return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}

    qtbot.waitUntil(lambda: LIGHT.needed.name() in colours())


def menu_at(qtbot: QtBot, view: GraphView, node: int) -> QMenu:
    """The menu that a right click on a node would bring; it is not opened, for off screen that warns."""
    where = view.canvas.pixel_of(node).toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.canvas.mapToGlobal(where))
    with qtbot.waitSignal(view.canvas.menu_wanted) as told:
        QApplication.sendEvent(view.canvas, event)
    return view.menu.build(view, *told.args[1:])


def test_the_menu_offers_what_can_be_done(qtbot: QtBot, view: GraphView) -> None:
    view.canvas.menu_wanted.disconnect()
    words = entries_of(menu_at(qtbot, view, card(view, "sample/text")))
    assert "Close sample.*" in words
    words["Open text"].trigger()
    assert "sample/text" in frames(view)
    still(qtbot, view)
    words = entries_of(menu_at(qtbot, view, node_of(view, "sample.text.Scanner")))
    assert not words["Path to here"].isEnabled()
    words["Path from here"].trigger()
    view.paths.end(item(view, "sample.number.Rational"))
    assert "Scanner → " in view.path_bar.line.text()
    words["Focus on it"].trigger()
    assert view.view == "focus"
    view.folding.show_in_package(item(view, "sample.number.Rational"))
    assert view.view == "packages"
    assert "sample/number" in frames(view)
    assert view.canvas.marks.selected == node_of(view, "sample.number.Rational")


def test_all_views_come_from_the_real_engine(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph, jar = window.parts.graph, window.controller.state.jar
    graph.stage.select_item(jar.full.index("sample.Main"))
    for name in ("matrix", "force", "focus"):
        window.actions_by_id[name].trigger()
        qtbot.waitUntil(lambda name=name: graph.view == name)
    qtbot.waitUntil(lambda: graph.scenes["force"].nodes == jar.items)
    window.actions_by_id["why"].trigger()
    assert "run a reduction" in graph.path_bar.line.text()
    window.actions_by_id["open_all"].trigger()
    qtbot.waitUntil(lambda: graph.view == "packages" and graph.canvas.scene.cards == 0)
    window.actions_by_id["close_all"].trigger()
    qtbot.waitUntil(lambda: graph.canvas.scene.cards == 9)
    window.actions_by_id["back"].trigger()
    assert graph.view == "focus" or graph.stage.wanted == "focus"
    window.actions_by_id["minimap"].setChecked(False)
    graph.canvas.zoom(5)
    assert not graph.minimap.isVisible()


def small_view(qtbot: QtBot, *layouts: events.Layout) -> GraphView:
    view = GraphView()
    qtbot.addWidget(view)
    view.set_jar(OpenedJar(small_jar()[0]))
    for layout in layouts:
        view.set_scene(scene_from(OpenedJar(small_jar()[0]), layout))
    return view


def test_the_line_below_the_graph_counts_the_jars_of_a_class_path(qtbot: QtBot) -> None:
    packages = small_jar()[1][0]
    view = small_view(qtbot, replace(packages, names=["one.jar!/p", "two.jar!/*"]))
    assert view.caption.text().startswith("2 jars, 1 package, ")
    view = small_view(qtbot, replace(packages, names=["one.jar!/p/*", "two.jar!/q"]))
    assert view.caption.text().startswith("2 jars, 1 package, 1 group, ")
    assert small_view(qtbot, packages).caption.text().startswith("2 packages, ")
