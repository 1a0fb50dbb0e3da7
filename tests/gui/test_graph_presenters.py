"""What is done with the graph, each object alone: no view around it, no engine behind it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QStackedWidget
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import NO_JAR, OpenedJar
from app.graph.canvas import GraphCanvas
from app.graph.folding import PackageFolding
from app.graph.head import Head
from app.graph.matrix import MatrixPresenter, MatrixView
from app.graph.navigation import Navigation
from app.graph.path_presenter import PathBar, PathPresenter
from app.graph.scene.scene import scene_from
from app.graph.stage import GraphStage
from app.widgets import ElidedLabel
from core.protocol.commands import LayOut
from tests.support.gui_helpers import small_jar

A, B, C, D, E, F = range(6)


@pytest.fixture
def stage(qtbot: QtBot) -> GraphStage:
    pages, canvas = QStackedWidget(), GraphCanvas()
    pages.addWidget(canvas)
    qtbot.addWidget(pages)
    made = GraphStage(pages, canvas, Head(pages), ElidedLabel(pages))
    opened, layouts = small_jar()
    made.set_jar(OpenedJar(opened))
    for layout in layouts:
        made.set_scene(scene_from(OpenedJar(opened), layout))
    return made


@pytest.fixture
def requests(stage: GraphStage) -> list[LayOut]:
    told: list[LayOut] = []
    stage.layout_wanted.connect(told.append)
    return told


@pytest.fixture
def navigation(stage: GraphStage) -> Navigation:
    pages, head, caption, matrix = QStackedWidget(), Head(), ElidedLabel(), MatrixView()
    pages.addWidget(matrix)
    made = Navigation(stage, MatrixPresenter(stage, pages, matrix, head, caption), head, caption)
    made.widgets = (pages, head, caption)  # type: ignore[attr-defined]  # nobody else keeps them
    return made


def test_answers_to_earlier_requests_do_not_count(stage: GraphStage, requests: list[LayOut]) -> None:
    assert stage.awaits("packages", 0)
    stage.ask("packages")
    stage.ask("packages")
    first, second = (wish.request for wish in requests)
    kept = stage.scenes["packages"]
    stage.set_scene(replace(kept, request=first))
    assert stage.scenes["packages"] is kept
    newer = replace(kept, request=second)
    stage.set_scene(newer)
    assert stage.scenes["packages"] is newer
    assert stage.awaits("focus", 0)
    stage.set_jar(NO_JAR)
    assert not stage.awaits("packages", 0), "there is no jar"


def test_the_stage_shows_the_first_view_and_switches(stage: GraphStage) -> None:
    assert stage.view == "packages"
    stage.select_item(D)
    assert stage.canvas.marks.selected == 1, "its package"
    stage.show_view("components")
    assert stage.canvas.marks.selected == D
    stage.show_view("force")
    assert (stage.view, stage.wanted) == ("components", "force")


def test_the_way_back_leads_through_the_focus(
    stage: GraphStage, navigation: Navigation, requests: list[LayOut]
) -> None:
    navigation.show_view("components")
    navigation.focus(B)
    assert requests[-1].view == "focus"
    assert requests[-1].items == (B,)
    assert navigation.can_go_back
    navigation.back()
    assert stage.view == "components"
    navigation.back()
    assert stage.view == "packages"
    assert not navigation.can_go_back


def test_a_focus_on_nothing_is_advised_against(qtbot: QtBot, navigation: Navigation) -> None:
    with qtbot.waitSignal(navigation.advised) as told:
        navigation.show_view("focus")
    assert "Select a class first" in told.args[0]


def test_folding_asks_for_other_packages_open(
    stage: GraphStage, navigation: Navigation, requests: list[LayOut]
) -> None:
    folding = PackageFolding(stage, navigation)
    folding.open_folder("q")
    folding.show_in_package(A)
    assert [request.open for request in requests] == [("q",), ("/*", "p", "p/*")]


def test_a_path_is_marked_and_forgotten(qtbot: QtBot, stage: GraphStage, navigation: Navigation) -> None:
    bar = PathBar()
    qtbot.addWidget(bar)
    paths = PathPresenter(stage, navigation, bar)
    navigation.focus_moved.connect(paths.focus_moved)
    navigation.show_view("components")
    paths.begin(A)
    paths.end(E)
    assert paths.items == [A, B, C, D, E]
    assert stage.canvas.marks.path.tolist() == paths.items
    assert bar.line.text() == "4 steps: A → B → C → D → E.Inner"
    navigation.focus(F)
    assert paths.items == []
    assert not len(stage.canvas.marks.path)
