"""What the user does with the graph, on the sample's real model: packages, focus, paths, minimap, force, matrix."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from app.engine import event_decoder
from app.engine.opened_jar import OpenedJar, Places
from app.engine.run_state import ItemState
from app.graph.scene.cells import Cells
from app.graph.scene.paths import path_between, shortest, why_kept
from app.graph.view import GraphView
from app.theme.theme import DARK, LIGHT
from app.window.main_window import MainWindow
from core.archive.jar import read_jar
from core.model import class_model
from core.protocol import events
from core.protocol.commands import LayOut
from core.service.queries.layouts import granted
from core.service.workspace import Workspace
from tests.support.gui_helpers import open_jar


@pytest.fixture(scope="module")
def session(sample_jar: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    made = Workspace(lambda event: None, tmp_path_factory.mktemp("session"))
    made.model = class_model.build(read_jar([sample_jar]))
    return made


@pytest.fixture
def view(qtbot: QtBot, session: Workspace) -> GraphView:
    """The graph of the sample; what it asks for comes at once, from the real layouts."""
    made = GraphView()
    qtbot.addWidget(made)
    made.resize(1000, 700)
    decoder = event_decoder.EventDecoder()
    model = session.model
    assert model is not None

    def take(event: events.Event) -> None:
        message = decoder.decode(events.to_line(event).encode())
        if isinstance(message, Cells):
            made.set_cells(message)
        elif isinstance(message, Places):
            made.offer_places(message, wait=False)
        else:
            assert isinstance(message, OpenedJar)
            made.set_jar(message)

    def answer(wish: LayOut) -> None:
        for event in granted(model, wish):
            take(event)

    told: list[events.Event] = []
    session.emit = told.append
    session.open([str(path) for path in model.jar.sources])
    take(next(event for event in told if isinstance(event, events.Opened)))
    made.layout_wanted.connect(answer)
    for name in ("packages", "components"):
        for event in granted(model, LayOut(name)):
            take(event)
    made.show()
    qtbot.waitExposed(made)
    return made


def jar_of(view: GraphView) -> OpenedJar:
    assert view.stage.jar is not None
    return view.stage.jar


def item(view: GraphView, name: str) -> int:
    return jar_of(view).full.index(name)


def card(view: GraphView, name: str) -> int:
    assert view.canvas.scene is not None
    return view.canvas.scene.names.index(name)


def frames(view: GraphView) -> set[str]:
    assert view.canvas.scene is not None
    return set(view.canvas.scene.frame_names)


def node_of(view: GraphView, name: str) -> int:
    assert view.canvas.scene is not None
    return int(view.canvas.scene.node_of_item[item(view, name)])


def still(qtbot: QtBot, view: GraphView) -> None:
    qtbot.waitUntil(lambda: not view.canvas.flight.flying)


# -- packages -------------------------------------------------------------------------------


def test_a_package_opens_in_place_and_closes_by_its_title(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    node = card(view, "sample/number")
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.pixel_of(node).toPoint())
    assert "sample/number" in frames(view)
    scene = canvas.scene
    assert scene is not None
    inside = node_of(view, "sample.number.Rational")
    assert inside >= scene.cards
    assert scene.item_of_node[inside] == item(view, "sample.number.Rational")
    x, y, w, h = scene.frames[scene.frame_names.index("sample/number")].tolist()
    left, top = scene.rects[inside, :2].tolist()
    assert x < left < x + w
    assert y < top < y + h
    still(qtbot, view)
    title = QPointF(*canvas.camera.to_pixel(x + 10, y + 8)).toPoint()
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=title)
    assert "sample/number" not in frames(view)


def test_plus_and_minus_open_and_close_the_selected_package(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    canvas.choose(card(view, "sample/text"))
    scale = canvas.camera.scale
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert "sample/text" in frames(view)
    canvas.choose(node_of(view, "sample.text.Scanner"))
    qtbot.keyClick(canvas, Qt.Key.Key_Minus)
    assert "sample/text" not in frames(view)
    canvas.choose(-1)
    still(qtbot, view)
    scale = canvas.camera.scale
    qtbot.keyClick(canvas, Qt.Key.Key_Plus)
    assert canvas.camera.scale > scale, "with nothing selected it zooms"


def test_groups_close_into_one_card_and_all_opens(view: GraphView) -> None:
    view.folding.close_folder("sample/*")
    scene = view.canvas.scene
    assert scene is not None
    assert sorted(scene.names) == ["fji", "sample/*"]
    group = card(view, "sample/*")
    assert scene.members.degree(group) == sum(name.startswith("sample.") for name in jar_of(view).full)
    view.open_all()
    scene = view.canvas.scene
    assert scene.cards == 0
    assert len(scene.rects) == jar_of(view).classes
    view.close_all()
    assert view.canvas.scene is not None
    assert view.canvas.scene.cards == 9
    assert view.canvas.scene.nodes == 9


def test_an_opened_package_stays_where_it_was_looked_at(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    canvas.zoom(1.4)
    assert canvas.scene is not None
    before = canvas.camera.to_pixel(*canvas.scene.rects[card(view, "sample/number"), :2].tolist())
    view.open_folder("sample/number")
    at = canvas.scene.frame_names.index("sample/number")
    x, y, w, h = canvas.scene.frames[at].tolist()
    after = canvas.camera.to_pixel(x, y)
    assert after == pytest.approx(before, abs=1.5)
    still(qtbot, view)
    right, bottom = canvas.camera.to_pixel(x + w, y + h)
    assert right <= canvas.width() + 1
    assert bottom <= canvas.height() + 1


def test_states_are_painted_in_cards_and_opened_packages(qtbot: QtBot, view: GraphView) -> None:
    view.open_folder("sample/number")
    still(qtbot, view)
    states = np.full(jar_of(view).items, ItemState.GONE, np.uint8)
    states[item(view, "sample.number.Rational")] = ItemState.NEEDED
    for theme in (LIGHT, DARK):
        view.set_theme(theme)
        view.set_states(states, dict.fromkeys(ItemState, 1))
        canvas = view.canvas
        assert canvas.scene is not None
        x, y, _, h = canvas.camera.rects(canvas.scene.rects[[node_of(view, "sample.number.Rational")]])[0].tolist()
        colour = canvas.grab().toImage().pixelColor(round(x + 4), round(y + h / 2)).name()
        assert colour == theme.needed
    assert "needed" in view.canvas.describer(node_of(view, "sample.number.Rational"))
    assert view.canvas.describer(card(view, "sample/text"))[0] == "sample.text"


# -- focus ----------------------------------------------------------------------------------


def test_focus_shows_what_is_near_and_escape_returns(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    main = item(view, "sample.Main")
    view.select_item(main)
    qtbot.mouseClick(view.head._segments.button(2), Qt.MouseButton.LeftButton)
    assert view.view == "focus"
    scene = view.canvas.scene
    assert scene is not None
    jar = jar_of(view)
    near = {main, *jar.needs.of(main).tolist(), *jar.needed_by.of(main).tolist()}
    assert set(scene.item_of_node.tolist()) == near
    top = {int(scene.item_of_node[node]): float(y) for node, y in enumerate(scene.rects[:, 1])}
    assert all(top[other] > top[main] for other in jar.needs.of(main).tolist())
    assert view.canvas.selected == scene.node_of_item[main]
    qtbot.mouseClick(view.head._depths.button(2), Qt.MouseButton.LeftButton)
    assert view.canvas.scene is not None
    assert view.canvas.scene.nodes > scene.nodes
    view.head.needs.setChecked(False)
    assert view.canvas.scene is not None
    shown = set(view.canvas.scene.item_of_node.tolist())
    assert not (set(jar.needs.of(main).tolist()) - set(jar.needed_by.of(main).tolist())) & shown
    view.head.needed_by.setChecked(False)
    assert view.head.needs.isChecked(), "one direction always stays"
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert view.view == "components"
    assert view.selected_item == main


def test_focus_moves_on_and_back(qtbot: QtBot, view: GraphView) -> None:
    main, check = item(view, "sample.Main"), item(view, "sample.SelfCheck")
    view.focus(main)
    node = node_of(view, "sample.SelfCheck")
    still(qtbot, view)
    qtbot.mouseDClick(view.canvas, Qt.MouseButton.LeftButton, pos=view.canvas.pixel_of(node).toPoint())
    assert view.navigation.focused == (check,)
    view.back()
    assert view.view == "focus"
    assert view.navigation.focused == (main,)
    view.back()
    assert view.view == "packages"
    assert not view.navigation.can_go_back


def test_focus_without_a_class_says_what_to_do(view: GraphView) -> None:
    view.show_view("focus")
    assert view.view == "packages"
    assert "Select a class" in view.path_bar.line.text()
    assert view.head._segments.checkedId() == 0


# -- paths ----------------------------------------------------------------------------------


def test_a_path_is_the_shortest_and_drawn(qtbot: QtBot, view: GraphView) -> None:
    view.show_view("components")
    jar = jar_of(view)
    start, end = item(view, "sample.shell.Shell"), item(view, "sample.number.Rational")
    view.path_from(start)
    view.path_to(end)
    path = [int(view.canvas.scene.item_of_node[node]) for node in view.canvas.path]  # type: ignore[union-attr]
    assert path[0] == start
    assert path[-1] == end
    assert all(b in jar.needs.of(a).tolist() for a, b in pairwise(path))
    assert len(path) - 1 == distance(jar, start, end)
    assert view.path_bar.line.text() == f"{len(path) - 1} steps: {' → '.join(jar.simple[i] for i in path)}"
    still(qtbot, view)
    middle = 0.5 * (view.canvas.pixel_of(view.canvas.path[0]) + view.canvas.pixel_of(view.canvas.path[1]))
    x, y = middle.x(), middle.y()
    image = view.canvas.grab().toImage()
    near = {image.pixelColor(round(x) + dx, round(y) + dy).name() for dx in range(-3, 4) for dy in range(-3, 4)}
    assert LIGHT.found in near
    qtbot.mouseClick(view.path_bar.alone, Qt.MouseButton.LeftButton)
    assert view.view == "focus"
    assert view.canvas.scene is not None
    assert view.canvas.scene.item_of_node.tolist() == path
    assert (np.diff(view.canvas.scene.rects[:, 1]) > 0).all()
    qtbot.keyClick(view.canvas, Qt.Key.Key_Escape)
    assert not view.path_bar.isVisible()
    assert view.canvas.path == []


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
    assert scene is not None
    assert [scene.names[node] for node in view.canvas.path] == ["sample", "sample/text"]


def test_paths_go_the_other_way_or_are_told_not_to_exist(view: GraphView) -> None:
    jar = jar_of(view)
    back = path_between(jar, item(view, "sample.number.Rational"), item(view, "sample.Main"))
    assert back.sentence.startswith("Rational does not need Main; ")
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
    view.select_item(scanner)
    view.why()
    assert view.path_bar.line.text().startswith("Scanner is kept because Main must stay: Main → ")
    assert [int(view.canvas.scene.item_of_node[n]) for n in view.canvas.path] == path  # type: ignore[union-attr]
    assert "a probe without it" in why_kept(jar, main, states, False).sentence
    assert "gone" in why_kept(jar, item(view, "fji.A"), states, False).sentence
    states[main] = ItemState.KEPT
    assert "No probe so far has shown" in why_kept(jar, scanner, states, False).sentence
    assert why_kept(jar, scanner, states, True).items == path
    assert "run a reduction" in why_kept(jar, scanner, None, False).sentence


# -- minimap --------------------------------------------------------------------------------


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

    qtbot.waitUntil(lambda: LIGHT.needed in colours())


# -- force and matrix -----------------------------------------------------------------------


def test_the_force_view_is_asked_for_once_and_takes_the_better_places(qtbot: QtBot, view: GraphView) -> None:
    wishes: list[LayOut] = []
    view.layout_wanted.connect(wishes.append)
    view.show_view("force")
    assert view.view == "force"
    scene = view.canvas.scene
    assert scene is not None
    assert int((scene.rects[:, 2] > 0).sum()) == jar_of(view).classes
    assert len(scene.lines) == len(scene.needs.targets) == len(jar_of(view).edge_from)
    view.show_view("packages")
    view.show_view("force")
    assert [wish.view for wish in wishes] == ["force"]


def hover_text(view: GraphView, row: int, column: int) -> str:
    matrix = view.matrix
    where = QPointF(*matrix.camera.to_pixel(column + 0.5, row + 0.5))
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
    where = QPointF(*matrix.camera.to_pixel(column + 0.5, row + 0.5)).toPoint()
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
    with qtbot.waitSignal(view.item_selected) as told:
        qtbot.keyClick(matrix, Qt.Key.Key_Down)
    assert told.args == [int(cells.items.of(1)[0])]
    main = item(view, "sample.Main")
    view.select_item(main)
    assert matrix.selected[0] == cells.members[main]
    scale = matrix.camera.scale
    qtbot.keyClick(matrix, Qt.Key.Key_Plus)
    assert matrix.camera.scale > scale
    qtbot.keyClick(matrix, Qt.Key.Key_F)
    assert matrix.camera.scale == pytest.approx(scale)
    qtbot.keyClick(matrix, Qt.Key.Key_Return)
    assert view.view == "focus"
    view.back()
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
        x, y = matrix.camera.to_pixel(row + 0.5, row + 0.5)
        assert image.pixelColor(round(x), round(y)).name() == colour


# -- menu -----------------------------------------------------------------------------------


def menu_at(qtbot: QtBot, view: GraphView, node: int) -> QMenu:
    """The menu that a right click on a node would bring; it is not opened, for off screen that warns."""
    where = view.canvas.pixel_of(node).toPoint()
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, where, view.canvas.mapToGlobal(where))
    with qtbot.waitSignal(view.canvas.menu_wanted) as told:
        QApplication.sendEvent(view.canvas, event)
    return view.menu.build(view, *told.args[1:])


def test_the_menu_offers_what_can_be_done(qtbot: QtBot, view: GraphView) -> None:
    view.canvas.menu_wanted.disconnect()
    words = {action.text(): action for action in menu_at(qtbot, view, card(view, "sample/text")).actions()}
    assert "Close sample.*" in words
    words["Open text"].trigger()
    assert "sample/text" in frames(view)
    still(qtbot, view)
    words = {action.text(): action for action in menu_at(qtbot, view, node_of(view, "sample.text.Scanner")).actions()}
    assert not words["Path to here"].isEnabled()
    words["Path from here"].trigger()
    view.path_to(item(view, "sample.number.Rational"))
    assert "Scanner → " in view.path_bar.line.text()
    words["Focus on Scanner"].trigger()
    assert view.view == "focus"
    view.folding.show_in_package(item(view, "sample.number.Rational"))
    assert view.view == "packages"
    assert "sample/number" in frames(view)
    assert view.canvas.selected == node_of(view, "sample.number.Rational")


# -- the whole window -----------------------------------------------------------------------


def test_all_views_come_from_the_real_engine(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    graph, jar = window.parts.graph, window.controller.state.jar
    assert jar is not None
    graph.select_item(jar.full.index("sample.Main"))
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
