"""Scenes, cameras and what is under the pointer, without Qt."""

from __future__ import annotations

import numpy as np
import pytest

from app.engine.opened_jar import OpenedJar
from app.graph.scene.camera import Camera, fitting, nearest_to, neighbour, node_at
from app.graph.scene.scene import Scene, border_lines, describe, scene_from
from app.panels.progress.chart import nice_ticks
from tests.support.gui_helpers import small_jar

opened, layouts = small_jar()
JAR = OpenedJar(opened)


@pytest.fixture
def scene() -> Scene:
    return scene_from(JAR, layouts[1])


def test_one_line_for_all_edges_between_two_components(scene: Scene) -> None:
    # A -> cycle and cycle -> E; the three edges inside the cycle are the box's affair
    assert len(scene.lines) == 2
    lines = {tuple(round(v) for v in line) for line in scene.lines.tolist()}
    assert (130, 20, 130, 90) in lines, "from A's lower border to the box's upper border"


def test_lines_end_at_borders() -> None:
    one = np.array([[0.0, 0, 10, 10]])
    right, apart = np.array([[100.0, 0, 20, 10]]), np.array([[2.0, 2, 4, 4]])
    assert border_lines(one, right).tolist() == [[10, 5, 100, 5]]
    assert np.isfinite(border_lines(one, apart)).all()
    assert np.isfinite(border_lines(one, one)).all()


def test_hit(scene: Scene) -> None:
    assert node_at(scene.rects, 101, 1) == 0
    assert node_at(scene.rects, 99, 1) == -1
    assert node_at(scene.rects, 99, 1, slack=2) == 0
    assert nearest_to(scene, 130, 215) == 4


@pytest.mark.parametrize(
    ("start", "way", "end"),
    [(0, "down", 1), (3, "down", 4), (4, "up", 3), (1, "right", 2), (3, "left", 2), (0, "up", 0), (0, "right", 5)],
)
def test_arrows_walk_along_dependencies(scene: Scene, start: int, way: str, end: int) -> None:
    assert neighbour(scene, start, way) == end


def test_zoom_keeps_the_point_under_the_pointer() -> None:
    camera = Camera(0.7, 31, -12)
    before = camera.to_scene(200, 150)
    assert camera.zoomed(1.9, 200, 150).to_scene(200, 150) == pytest.approx(before)
    assert camera.zoomed(1e9, 200, 150).to_scene(200, 150) == pytest.approx(before), "also at the limit"


def test_fit_shows_everything(scene: Scene) -> None:
    camera = fitting(scene.bounds(), 400, 300)
    shown = camera.rects(np.array([scene.bounds()]))[0]
    assert shown[0] >= 0
    assert shown[1] >= 0
    assert shown[0] + shown[2] <= 400
    assert shown[1] + shown[3] <= 300


def test_words(scene: Scene) -> None:
    assert describe(scene, 1, JAR) == [
        "p.B",
        "200 B",
        "needs 1 class, needed by 2",
        "in a cycle with 2 other classes",
    ]
    packages = scene_from(JAR, layouts[0])
    assert describe(packages, 1, JAR)[:2] == ["q", "3 classes, 1.5 kB"]


def test_ticks_are_round() -> None:
    assert nice_ticks(106, 4) == [0, 50, 100]
    assert nice_ticks(7, 3) == [0, 5]
    assert nice_ticks(0.3, 3) == pytest.approx([0, 0.1, 0.2, 0.3])
