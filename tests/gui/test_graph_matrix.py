"""The force-directed view and the dependency matrix, on the sample's real model."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.run_state import ItemState
from app.graph.view import GraphView
from app.theme.theme import LIGHT
from core.protocol.commands import LayOut
from tests.support.sample_graph import item, jar_of


def test_the_force_view_is_asked_for_once_and_takes_the_better_places(qtbot: QtBot, view: GraphView) -> None:
    wishes: list[LayOut] = []
    view.stage.layout_wanted.connect(wishes.append)
    view.show_view("force")
    assert view.view == "force"
    scene = view.canvas.scene
    assert int((scene.rects[:, 2] > 0).sum()) == jar_of(view).classes
    assert len(scene.lines) == len(scene.needs.targets) == len(jar_of(view).edge_from)
    view.show_view("packages")
    view.show_view("force")
    assert [wish.view for wish in wishes] == ["force"]


def hover_text(view: GraphView, row: int, column: int) -> str:
    matrix = view.matrix
    where = QPointF(*matrix.pixel_of(row, column))
    QApplication.sendEvent(
        matrix,
        QMouseEvent(
            QEvent.Type.MouseMove,
            where,
            matrix.mapToGlobal(where),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.NoButton,
            Qt.KeyboardModifier.NoModifier,
        ),
    )
    return view.caption.text()


def test_the_matrix_says_who_needs_whom(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("matrix")
    assert view.view == "matrix"
    cells, matrix = view.matrix.cells, view.matrix
    assert cells is not None
    assert cells.size == 9
    above = int((cells.cells[:, 1] > cells.cells[:, 0]).sum())
    assert f"{above} of them above" in view.caption.text()
    jar = jar_of(view)
    row, column, weight = cells.cells[0].tolist()
    said = hover_text(view, row, column)
    edges = "class dependencies" if weight > 1 else "class dependency"
    words = f"{cells.names[row]} needs {cells.names[column]}: {weight} {edges}"
    assert said == words
    mine = {i for i in range(jar.items) if jar.is_class[i] and jar.packages[i] == cells.names[row]}
    theirs = {i for i in range(jar.items) if jar.is_class[i] and jar.packages[i] == cells.names[column]}
    edges = zip(jar.edge_from.tolist(), jar.edge_to.tolist(), strict=True)
    assert weight == sum(a in mine and b in theirs for a, b in edges)
    where = QPointF(*matrix.pixel_of(row, column)).toPoint()
    qtbot.mouseClick(matrix, Qt.MouseButton.LeftButton, pos=where)
    assert matrix.selected == (row, column)
    assert matrix.grab().toImage().pixelColor(where) != LIGHT.surface


def test_the_matrix_of_classes_selects_and_focuses(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("matrix")
    view.head.set_rows("classes")
    cells, matrix = view.matrix.cells, view.matrix
    assert cells is not None
    assert cells.rows == "classes"
    assert cells.size == jar_of(view).classes
    assert len(cells.groups) > 3
    with qtbot.waitSignal(view.stage.item_selected) as told:
        qtbot.keyClick(matrix, Qt.Key.Key_Down)
    assert told.args == [int(cells.items.of(1)[0])]
    main = item(view, "sample.Main")
    view.stage.select_item(main)
    assert matrix.selected[0] == cells.members[main]
    assert matrix.camera.scale >= 8, "each row has room for its name"
    matrix.fit()
    scale = matrix.camera.scale
    qtbot.keyClick(matrix, Qt.Key.Key_Plus)
    assert matrix.camera.scale > scale
    qtbot.keyClick(matrix, Qt.Key.Key_F)
    assert matrix.camera.scale == pytest.approx(scale)
    qtbot.keyClick(matrix, Qt.Key.Key_Return)
    assert view.view == "focus"
    view.navigation.back()
    assert view.view == "matrix"


def test_the_matrix_shows_states(view: GraphView) -> None:
    view.show_view("matrix")
    states = np.full(jar_of(view).items, ItemState.GONE, np.uint8)
    states[item(view, "sample.Main")] = ItemState.NEEDED
    view.set_states(states, dict.fromkeys(ItemState, 0))
    cells, matrix = view.matrix.cells, view.matrix
    assert cells is not None
    image = matrix.grab().toImage()
    for name, colour in (("sample", LIGHT.needed), ("fji", LIGHT.line)):
        row = cells.names.index(name)
        x, y = matrix.pixel_of(row, row)
        assert image.pixelColor(round(x), round(y)) == colour


def test_the_matrix_is_zoomed_by_wheel_and_keys_and_opened_by_a_double_click(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("matrix")
    view.head.set_rows("classes")
    matrix = view.matrix
    scale, point = matrix.camera.scale, QPointF(*matrix.pixel_of(3, 4))
    assert matrix.cell_at(point) == (3, 4)
    none = Qt.KeyboardModifier.NoModifier
    wheel = QWheelEvent(
        point, matrix.mapToGlobal(point), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, none,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(matrix, wheel)
    closer = matrix.camera.scale
    assert closer > scale
    assert matrix.cell_at(point) == (3, 4), "the cell under the pointer stays there"
    qtbot.keyClick(matrix, Qt.Key.Key_Minus)
    assert matrix.camera.scale < closer
    matrix.fit()
    QApplication.sendEvent(matrix, QEvent(QEvent.Type.Leave))
    assert matrix.hover == (-1, -1)
    qtbot.mouseDClick(matrix, Qt.MouseButton.LeftButton, pos=point.toPoint())
    assert view.view == "focus"
