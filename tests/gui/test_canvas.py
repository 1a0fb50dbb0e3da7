"""The canvas: pointer, wheel, keyboard, and the pixels that come of it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QColor,
    QImage,
    QMouseEvent,
    QPainter,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.engine.run_state import ItemState
from app.graph.paint.edges import EdgePicture
from app.graph.paint.graph_style import GraphStyle
from app.graph.paint.sprites import fitted
from app.graph.scene.camera import Camera
from app.graph.scene.scene import scene_from
from app.graph.view import GraphView
from app.painting import letters
from app.theme.theme import DARK, LIGHT, Theme
from app.window.preferences import apply as wear
from core.protocol.commands import LayOut
from tests.support.gui_helpers import small_jar


@pytest.fixture
def view(qtbot: QtBot) -> GraphView:
    made = GraphView()
    qtbot.addWidget(made)
    made.resize(700, 500)
    opened, layouts = small_jar()
    made.set_jar(OpenedJar(opened))
    for layout in layouts:
        made.set_scene(scene_from(OpenedJar(opened), layout))
    made.show()
    qtbot.waitExposed(made)
    return made


def point(view: GraphView, node: int) -> QPoint:
    return view.canvas.pixel_of(node).toPoint()


def pixel(view: GraphView, node: int) -> QColor:
    """Colour near the left end of a node, beside its name."""
    canvas = view.canvas
    x, y, _, h = canvas.camera.rects(canvas.scene.rects[node : node + 1])[0].tolist()
    return canvas.grab().toImage().pixelColor(round(x + 4), round(y + h / 2))


def wheel(view: GraphView, at: QPointF, turn: int, keys: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    canvas = view.canvas
    event = QWheelEvent(
        at,
        canvas.mapToGlobal(at),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_packages_come_first_and_a_double_click_asks_to_open_one(qtbot: QtBot, view: GraphView) -> None:
    assert view.view == "packages"
    with qtbot.waitSignal(view.stage.layout_wanted) as told:
        qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=point(view, 1))
    assert told.args == [LayOut("packages", 1, open=("q",))]


def test_the_classes_of_a_package_are_shown_among_all(qtbot: QtBot, view: GraphView) -> None:
    view.navigation.show_members(1)
    assert view.view == "components"
    assert view.canvas.marks.found.tolist() == [3, 4, 5]
    qtbot.waitUntil(lambda: not view.canvas.flight.flying)
    for node in (3, 4, 5):
        assert view.canvas.rect().contains(point(view, node))


def test_click_selects_and_escape_clears(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    with qtbot.waitSignal(view.stage.item_selected) as told:
        qtbot.mouseClick(view.canvas, Qt.MouseButton.LeftButton, pos=point(view, 3))
    assert told.args == [3]
    assert "q.D" in view.canvas.accessibleDescription()
    with qtbot.waitSignal(view.stage.item_selected) as told:
        qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert told.args == [-1]


def test_wheel_zooms_to_the_pointer(view: GraphView) -> None:
    canvas, at = view.canvas, QPointF(123, 210)
    before, scale = canvas.camera.to_scene(at.x(), at.y()), canvas.camera.scale
    wheel(view, at, 240)
    assert canvas.camera.scale > scale * 1.2
    assert canvas.camera.to_scene(at.x(), at.y()) == pytest.approx(before)


def test_dragging_moves_the_picture_and_selects_nothing(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    before, start = canvas.camera, point(view, 0)
    qtbot.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for offset in (20, 40):
        here = QPointF(start + QPoint(offset, offset))
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            here,
            canvas.mapToGlobal(here),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        QApplication.sendEvent(canvas, move)
    qtbot.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(40, 40))
    assert (canvas.camera.x - before.x, canvas.camera.y - before.y) == pytest.approx((40, 40))
    assert canvas.marks.selected == -1


def test_keyboard_walks_zooms_and_fits(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    canvas = view.canvas
    view.stage.select_item(0)
    for key, node in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Right, 3), (Qt.Key.Key_Down, 4)):
        qtbot.keyClick(canvas, key)
        assert canvas.marks.selected == node
    fitted = canvas.camera.scale
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.camera.scale > fitted
    qtbot.keyClick(canvas, Qt.Key.Key_0)
    assert canvas.camera.scale == pytest.approx(1)
    qtbot.keyClick(canvas, Qt.Key.Key_F)
    qtbot.waitUntil(lambda: canvas.camera.scale == pytest.approx(fitted))


def test_keys_move_the_picture_and_open_what_is_selected(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    before = point(view, 0)
    qtbot.keyClick(canvas, Qt.Key.Key_Left, Qt.KeyboardModifier.ControlModifier)
    assert point(view, 0) - before == QPoint(60, 0)
    qtbot.keyClick(canvas, Qt.Key.Key_Down)
    assert canvas.marks.selected >= 0
    with qtbot.waitSignal(canvas.node_activated) as told:
        qtbot.keyClick(canvas, Qt.Key.Key_Return)
    assert told.args == [canvas.marks.selected]


def test_the_wheel_with_shift_moves_sideways_and_the_back_button_goes_back(qtbot: QtBot, view: GraphView) -> None:
    before = point(view, 0)
    wheel(view, QPointF(before), 120, Qt.KeyboardModifier.ShiftModifier)
    assert point(view, 0) - before == QPoint(60, 0)
    with qtbot.waitSignal(view.canvas.went_back):
        qtbot.mouseClick(view.canvas, Qt.MouseButton.BackButton, pos=QPoint(5, 5))


def test_the_pointer_is_a_hand_over_what_can_be_clicked(qtbot: QtBot, view: GraphView) -> None:
    canvas, node = view.canvas, point(view, 0)
    for where, shape in ((node, Qt.CursorShape.PointingHandCursor), (QPoint(2, 2), Qt.CursorShape.ArrowCursor)):
        qtbot.mouseMove(canvas, where)
        qtbot.waitUntil(lambda shape=shape: canvas.cursor().shape() is shape)  # type: ignore[misc]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_states_are_painted_in_their_colours(qapp: QApplication, view: GraphView, theme: Theme) -> None:
    wear(qapp, theme)
    view.show_view("components")
    assert pixel(view, 0).name() == theme.surface
    kept, needed, trying, gone = ItemState.KEPT, ItemState.NEEDED, ItemState.TRYING, ItemState.GONE
    states = np.array([kept, needed, trying, gone, kept, kept, kept], np.uint8)
    view.set_states(states, {kept: 3, needed: 1, trying: 1, gone: 1})
    assert pixel(view, 0).name() == theme.kept
    assert pixel(view, 1).name() == theme.needed
    assert pixel(view, 3).name() == theme.gone
    assert pixel(view, 2).name() not in (theme.kept, theme.needed, theme.gone, theme.surface)
    states[1] = ItemState.SO_FAR
    view.set_states(states.copy(), {kept: 3, ItemState.SO_FAR: 1, trying: 1, gone: 1})
    assert pixel(view, 1).name() == theme.so_far, "what is needed so far is paler than what is proved"
    assert [entry.words for entry in view.legend.entries()[:2]] == ["needed so far 1", "kept 3"]
    view.set_states(None, None)
    assert pixel(view, 0).name() == theme.surface


def test_a_package_shows_how_its_classes_fare(view: GraphView) -> None:
    canvas = view.canvas
    view.set_states(np.full(7, ItemState.GONE, np.uint8), dict.fromkeys(ItemState, 0))
    all_gone = canvas.grab().toImage()
    states = np.full(7, ItemState.GONE, np.uint8)
    states[0] = ItemState.NEEDED
    view.set_states(states, dict.fromkeys(ItemState, 0))
    colours = set()
    image = canvas.grab().toImage()
    area = canvas.camera.rects(canvas.scene.rects[0:1])[0]  # type: ignore[union-attr]
    for x in range(int(area[0]), int(area[0] + area[2])):
        for y in range(int(area[1]), int(area[1] + area[3])):
            colours.add(image.pixelColor(x, y).name())
    assert LIGHT.needed.name() in colours
    assert image != all_gone


def test_edges_are_painted_after_a_moment_and_follow_the_theme(
    qtbot: QtBot, qapp: QApplication, view: GraphView
) -> None:
    view.show_view("components")
    canvas = view.canvas

    def edge_is_painted() -> bool:
        x, y = canvas.camera.to_pixel(130, 55)  # halfway between A and the box of the cycle
        image = canvas.grab().toImage()
        near = {image.pixelColor(round(x) + step, round(y)).name() for step in (-1, 0, 1)}
        return near != {image.pixelColor(2, 2).name()}

    qtbot.waitUntil(edge_is_painted)
    wear(qapp, DARK)
    qtbot.waitUntil(edge_is_painted)


def test_a_view_that_is_wanted_early_is_shown_once_it_comes(qtbot: QtBot) -> None:
    made = GraphView()
    qtbot.addWidget(made)
    opened, layouts = small_jar()
    made.set_jar(OpenedJar(opened))
    made.set_scene(scene_from(OpenedJar(opened), layouts[0]))
    made.show_view("components")
    assert made.view == "packages"
    made.set_scene(scene_from(OpenedJar(opened), layouts[1]))
    assert made.view == "components"


def test_search_marks_nodes_in_both_views(view: GraphView) -> None:
    view.stage.set_found(np.array([4, 6], np.int32))
    assert view.canvas.marks.found.tolist() == [1], "the package of what was found; resources have no place"
    view.show_view("components")
    assert view.canvas.marks.found.tolist() == [4]


@pytest.mark.parametrize(
    ("title", "begins", "ends"),
    [("AbstractConfigurationFactoryBean", "Abstract", "Bean"), ("Outer.Deeply.Nested.TypeAdapter", "…", "Adapter")],
)
def test_names_are_shortened_to_their_room(qtbot: QtBot, title: str, begins: str, ends: str) -> None:
    metrics = letters(12)[1]
    whole, wide = fitted(title, 12, 1000)
    assert whole == title
    assert wide == metrics.horizontalAdvance(title)
    for room in (100, 130, 160):
        short, wide = fitted(title, 12, room)
        assert short.startswith(begins)
        assert short.endswith(ends)
        assert wide <= room + 4
        assert wide == metrics.horizontalAdvance(short)
    assert fitted(title, 12, 3) == ("", 0.0)


@pytest.mark.parametrize(
    "camera", [Camera(1.0, 0, 0), Camera(1.0, 400, 0), Camera(0.4, 90, 80), Camera(3.0, -200, -100)]
)
def test_no_pixel_is_left_unpainted_behind_the_edges(view: GraphView, camera: Camera) -> None:
    scene, look, edges = view.canvas.scene, GraphStyle(LIGHT), EdgePicture()
    edges.begin(scene, Camera(), (300, 200), 1.0, np.zeros(scene.nodes, np.bool_), look)
    while not edges.step():
        pass
    target = QPixmap(300, 200)
    target.fill(QColor("#ff00ff"))
    painter = QPainter(target)
    edges.draw(painter, camera, 300, 200, look)
    painter.end()
    image = target.toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, 300, 3) for y in (0, 1, 99, 198, 199)}
    assert "#ff00ff" not in colours


def test_edges_stay_at_their_nodes_in_a_widget_of_another_size(view: GraphView) -> None:
    scene, look = view.canvas.scene, GraphStyle(LIGHT)

    def drawn(edges: EdgePicture) -> QImage:
        target = QPixmap(600, 240)
        with QPainter(target) as painter:
            edges.draw(painter, Camera(0.5, 20, -40), 600, 240, look)
        return target.toImage()

    def painted(camera: Camera, size: tuple[int, int]) -> EdgePicture:
        edges = EdgePicture()
        edges.begin(scene, camera, size, 1.0, np.zeros(scene.nodes, np.bool_), look)
        while not edges.step():
            pass
        return edges

    fresh = drawn(painted(Camera(0.5, 20, -40), (600, 240)))
    assert len({fresh.pixel(x, y) for x in range(0, 600, 2) for y in range(0, 240, 2)}) > 1, "there are edges"
    assert drawn(painted(Camera(0.5, 20, 0), (600, 320))) == fresh, "a dock has grown by 80 pixels"
