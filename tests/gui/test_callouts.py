"""Names beside classes that are drawn too small to hold theirs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap
from pytestqt.qtbot import QtBot

from app.engine.run_state import ItemState
from app.graph.paint import callouts, nodes
from app.graph.paint.callouts import placed, ranked
from app.graph.paint.drawing import Painting, overlaps
from app.graph.paint.graph_style import worn_style
from app.graph.view import GraphView
from app.window.main_window import MainWindow
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.sample_graph import still


def test_names_cover_neither_classes_nor_each_other() -> None:
    nodes = np.array([[40.0 * column, 26.0 * row, 30, 6] for row in range(4) for column in range(8)])
    order = np.arange(len(nodes), dtype=np.int32)
    found = list(placed(nodes, nodes, np.full(len(nodes), 50.0), 12, order, (400, 120)))
    assert 4 < len(found) < len(nodes)
    areas = [np.array([area.x(), area.y(), area.width(), area.height()]) for _, area in found]
    for at, area in enumerate(areas):
        assert not overlaps(nodes, area)
        assert not overlaps(np.array(areas[:at]).reshape(-1, 4), area)
        assert 0 <= area[0] <= 350


@pytest.mark.guarded
def test_what_is_left_has_a_name_in_the_fitted_view(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'test -f {classes}/sample/number/Rational.class'", algorithm="binary", granularity="class")
    window.actions_by_id["start"].trigger()
    wait_idle(qtbot, window)
    canvas, jar = window.parts.graph.canvas, window.controller.state.jar
    window.parts.graph.show_view("components")
    window.actions_by_id["fit"].trigger()
    qtbot.waitUntil(lambda: not canvas.flight.flying and not canvas._edges.painting)
    states = window.controller.state.states
    seen = np.flatnonzero(canvas.scene.rects[:, 2] > 0).astype(np.int32)
    named = ranked(canvas.scene, seen, states, np.zeros(0, np.int32))
    items = canvas.scene.item_of_node[named]
    assert [jar.names[item] for item in items.tolist()] == ["sample/number/Rational"]
    assert ItemState.GONE not in states[items]

    (x, y, w, h), ratio = canvas.camera.rects(canvas.scene.rects[named])[0].tolist(), canvas.devicePixelRatioF()
    picture = canvas.grab().toImage()
    beside = [
        picture.pixelColor(round((x + across) * ratio), round((y + h + down) * ratio)).lightness()
        for across in range(int(w))
        for down in range(2, 12)
    ]
    assert max(beside) - min(beside) > 120, "its name is written below it"


def test_names_of_cycles_cover_no_class(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    canvas, jar = window.parts.graph.canvas, window.controller.state.jar
    window.parts.graph.show_view("components")
    window.actions_by_id["fit"].trigger()
    qtbot.waitUntil(lambda: not canvas.flight.flying and not canvas._edges.painting)
    scene = canvas.scene

    def names(states: np.ndarray | None) -> np.ndarray:
        picture = QPixmap(canvas.size())
        painter = QPainter(picture)
        try:
            size = (canvas.width(), canvas.height())
            return nodes.box_titles(Painting(painter, scene, canvas.camera, worn_style(), size, states))
        finally:
            painter.end()

    classes = canvas.camera.rects(scene.rects)
    found = names(None)
    assert len(found) > 3
    assert not any(overlaps(classes, area) for area in found)
    states = np.full(len(jar.names), ItemState.GONE)
    assert len(names(states)) == 0
    states[scene.item_of_node[np.flatnonzero(scene.node_box >= 0)]] = ItemState.KEPT
    assert names(states).tolist() == found.tolist()


def test_the_selected_class_has_its_name_where_there_is_no_room() -> None:
    nodes = np.array([[30.0 * column, 8.0 * row, 30, 6] for row in range(12) for column in range(12)])
    order = np.array([77, *range(77), *range(78, 144)], np.int32)
    wide = np.full(len(nodes), 50.0)
    assert 77 not in [node for node, _ in placed(nodes, nodes[order], wide, 12, order, (360, 96))]
    assert next(placed(nodes, nodes[order], wide, 12, order, (360, 96), 1))[0] == 77


def test_small_classes_of_open_packages_have_their_names_beside_them(qtbot: QtBot, view: GraphView) -> None:
    view.resize(560, 420)
    view.folding.open_all()
    still(qtbot, view)
    view.canvas.fit(animate=False)
    assert not view.canvas.scene.cards
    named: list[int] = []

    def spy(*given: Any) -> Iterator[tuple[int, QRectF]]:
        for node, area in placed(*given):
            named.append(node)
            yield node, area

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(callouts, "placed", spy)
        view.canvas.grab()
    assert len(named) > 10
