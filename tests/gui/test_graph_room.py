"""The graph in the room that a window has for it: names are read, and what opens beside it does not fit it anew."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.assembled import Maker
from tests.support.gui_helpers import open_jar


@pytest.fixture
def wide_jar(tmp_path: Path) -> Path:
    """81 packages in nine groups; each needs the next."""
    names = [f"com/group{group}/package{one}/Thing" for group in range(9) for one in range(9)]
    with zipfile.ZipFile(tmp_path / "wide.jar", "w") as jar:
        for number, name in enumerate(names):
            made = Maker(name=name, parent=names[number - 1] if number % 9 else "java/lang/Object")
            jar.writestr(name + ".class", made.build())
    return tmp_path / "wide.jar"


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_names_of_packages_are_read_when_a_jar_opens(
    qtbot: QtBot, window: MainWindow, wide_jar: Path, size: tuple[int, int]
) -> None:
    window.resize(*size)
    open_jar(qtbot, window, wide_jar)
    canvas = window.parts.graph.canvas
    qtbot.waitUntil(lambda: canvas.isVisible() and not canvas.flight.flying)
    scene = canvas.scene
    shown = canvas.camera.rects(scene.rects[: scene.cards].copy())
    for title, (_, _, wide, high) in zip(scene.titles, shown.tolist(), strict=False):
        assert wide > 5 * len(title), f"{title}: its letters have less than five pixels each"
        assert high > 10, title
