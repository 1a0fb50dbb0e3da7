"""Packages that open and close in the graph, on the sample's real model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.engine.run_state import ItemState
from app.graph.canvas import GraphCanvas
from app.graph.paint import package_painting
from app.graph.paint.drawing import Painting
from app.graph.paint.graph_style import worn_style
from app.graph.scene.camera import Camera
from app.graph.view import GraphView
from app.theme.theme import DARK, LIGHT
from app.window.main_window import MainWindow
from app.window.preferences import apply as wear
from tests.support.files import jar_of as written_jar
from tests.support.gui_helpers import open_jar
from tests.support.java import CompileJava
from tests.support.sample_graph import card, frames, item, jar_of, node_of, still


def test_a_package_opens_in_place_and_closes_by_its_title(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    node = card(view, "sample/number")
    qtbot.mouseDClick(canvas, Qt.MouseButton.LeftButton, pos=canvas.pixel_of(node).toPoint())
    assert "sample/number" in frames(view)
    assert view.caption.text().startswith("9 packages, 1 open, ")
    scene = canvas.scene
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
    assert sorted(scene.names) == ["fji", "sample/*"]
    group = card(view, "sample/*")
    assert scene.members.degree(group) == sum(name.startswith("sample.") for name in jar_of(view).full)
    view.folding.open_all()
    scene = view.canvas.scene
    assert scene.cards == 0
    assert len(scene.rects) == jar_of(view).classes
    view.folding.close_all()
    assert view.canvas.scene.cards == 9
    assert view.canvas.scene.nodes == 9


def test_an_opened_package_stays_where_it_was_looked_at(qtbot: QtBot, view: GraphView) -> None:
    canvas = view.canvas
    canvas.zoom(1.4)
    before = canvas.camera.to_pixel(*canvas.scene.rects[card(view, "sample/number"), :2].tolist())
    view.folding.open_folder("sample/number")
    at = canvas.scene.frame_names.index("sample/number")
    x, y, w, h = canvas.scene.frames[at].tolist()
    after = canvas.camera.to_pixel(x, y)
    assert after == pytest.approx(before, abs=1.5)
    still(qtbot, view)
    right, bottom = canvas.camera.to_pixel(x + w, y + h)
    assert right <= canvas.width() + 1
    assert bottom <= canvas.height() + 1


def test_states_are_painted_in_cards_and_opened_packages(qtbot: QtBot, qapp: QApplication, view: GraphView) -> None:
    view.folding.open_folder("sample/number")
    still(qtbot, view)
    states = np.full(jar_of(view).items, ItemState.GONE, np.uint8)
    states[item(view, "sample.number.Rational")] = ItemState.NEEDED
    for theme in (LIGHT, DARK):
        wear(qapp, theme)
        view.set_states(states, dict.fromkeys(ItemState, 1))
        canvas = view.canvas
        x, y, _, h = canvas.camera.rects(canvas.scene.rects[[node_of(view, "sample.number.Rational")]])[0].tolist()
        colour = canvas.grab().toImage().pixelColor(round(x + 4), round(y + h / 2)).name()
        assert colour == theme.needed
    assert "needed" in view.canvas.describer(node_of(view, "sample.number.Rational"))
    assert view.canvas.describer(card(view, "sample/text"))[0] == "sample.text"


PARTS = ("storage", "transport", "expression", "security", "scheduler", "rendering", "console", "calendar")


@pytest.fixture
def many_packages(compile_java: CompileJava, tmp_path: Path) -> Path:
    """A jar of 64 packages in 8 groups, all of which need each other."""
    source = {}
    for at, group in enumerate(PARTS):
        for to, part in enumerate(PARTS):
            near, far = PARTS[to - 1], PARTS[at - 1]
            needs = f"Object near = new m.{group}.{near}.Main(), far = new m.{far}.{part}.Main();"
            more = "".join(f"class More{number} {{}} " for number in range(40 * (at == to == 0)))
            source[f"m/{group}/{part}/Main.java"] = (
                f"package m.{group}.{part}; public class Main {{ void run() {{ {needs} }} }} {more}"
            )
    return written_jar(compile_java(source), tmp_path / "many.jar")


def names_drawn(canvas: GraphCanvas) -> list[tuple[str, int]]:
    """Return the names in a picture of the canvas, each with the pixels of its letters."""
    drawn: list[tuple[str, int]] = []
    fitted = package_painting.fitted

    def spy(title: str, pixels: int, *more: Any, **named: Any) -> tuple[str, float]:
        made = fitted(title, pixels, *more, **named)
        drawn.append((made[0], pixels))
        return made

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(package_painting, "fitted", spy)
        canvas.grab()
    return drawn


def test_names_of_packages_have_letters_of_about_one_size(view: GraphView) -> None:
    view.resize(740, 460)
    view.canvas.fit(animate=False)
    assert {pixels for _, pixels in names_drawn(view.canvas)} == {13, 14}


class Written(QPainter):
    """Draws, and lists texts with the room in height that they lack, and so lose what is outside their place."""

    def __init__(self, ground: QImage) -> None:
        super().__init__(ground)
        self.lacking: dict[str, float] = {}

    def drawText(self, place: QRectF, flags: Qt.AlignmentFlag, text: str) -> None:  # type: ignore[override]
        clipped = Qt.TextFlag.TextDontClip.value & int(flags) == 0
        self.lacking[text] = clipped * (QFontMetricsF(self.font()).height() - place.height())
        super().drawText(place, flags, text)


def test_no_letter_of_a_card_is_cut_at_any_zoom(view: GraphView) -> None:
    canvas, ground = view.canvas, QImage(1200, 800, QImage.Format.Format_RGB32)
    size, cards = (ground.width(), ground.height()), set()
    for scale in np.linspace(0.55, 1.3, 76):
        painter = Written(ground)
        package_painting.draw_cards(
            Painting(painter, canvas.scene, Camera(float(scale)), worn_style(), size, canvas.states), None
        )
        painter.end()
        facts = {text for text in painter.lacking if text.endswith((" class", " classes"))}
        cards |= facts
        if facts:
            assert max(painter.lacking.values()) <= 0, scale
    assert cards, "at some of these scales the cards have numbers"


def test_every_name_of_the_first_picture_can_be_read(qtbot: QtBot, window: MainWindow, many_packages: Path) -> None:
    open_jar(qtbot, window, many_packages)
    canvas = window.parts.graph.canvas
    scene = canvas.scene
    assert (window.width(), window.height()) == (1280, 800)
    cards = [(name, pixels) for name, pixels in names_drawn(canvas) if name in scene.titles]
    assert len(cards) >= scene.cards, "no card is without its whole name"
    assert min(pixels for _, pixels in cards) >= 8
    groups = [name for name in scene.names if name.endswith("/*")]
    assert 0 < len(groups) < scene.cards <= 60
    caption = window.parts.graph.caption
    assert caption.text().startswith(f"{scene.cards - len(groups)} packages, {len(groups)} group")
