"""Names where there is little room: words stay whole, and nothing lies over them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from app.graph.minimap import HEIGHT, WIDTH
from app.graph.paint.drawing import overlaps
from app.graph.paint.sprites import SMALLEST_NAME, fitted, in_area, whole_in
from app.graph.view import GraphView
from app.painting import letters
from app.panels.inspector import Inspector
from app.panels.lists.failure_list import FailureList, FailureRow
from app.panels.lists.row_table import NameLook
from app.panels.tree.tree_delegate import TreeDelegate
from app.panels.tree.tree_rows import TreeRow
from app.shortening import TitleIndex
from app.window.main_window import MainWindow
from core.protocol import events
from tests.support.assembled import Maker
from tests.support.gui_helpers import open_jar
from tests.support.sample_graph import still


@pytest.mark.parametrize("title", ["UnitMismatchException", "DecimalScale", "Scanner.Cursor", "Differentiate", "A"])
def test_names_of_areas_are_broken_between_words_and_fit(qtbot: QtBot, title: str) -> None:
    words = set(re.findall(r"[A-Z][a-z]*\.?", title))
    for wide in range(4, 150, 5):
        for high in (6, 12, 24, 40):
            pixels, lines = in_area(title, wide, high)
            shown = [line for line, _ in lines]
            assert set(re.findall(r"[A-Z][a-z]*\.?", " ".join(shown))) <= words, "no word is cut"
            assert len(lines) * letters(pixels)[1].height() <= high or not lines
            assert all(letters(pixels)[1].horizontalAdvance(line) <= wide + 1 for line in shown)
            assert "".join(shown) == title or not lines or "…" in shown[0]
    assert in_area(title, 150, 12)[1][0][0] == title
    assert in_area("DecimalScale", 46, 24)[1][0][0] == "Decimal", "two lines before smaller letters"


def test_a_relation_keeps_its_word_where_the_name_behind_it_is_cut(qtbot: QtBot) -> None:
    metric = QFontMetrics(QApplication.font())
    row = TreeRow(0, "implements Comparable", "2 B", None, 0.0, member=True)
    delegate = TreeDelegate()
    shown = delegate._fitted(row, metric.horizontalAdvance("implements Compa…"), metric)
    assert shown.startswith("implements Com")
    assert shown.endswith("…")


def test_failures_are_cut_between_words(qtbot: QtBot) -> None:
    failures = FailureList()
    qtbot.addWidget(failures)
    name = "StringOptionHandler.java: incompatible types: Object cannot be converted to CAP"
    failures.show_rows([FailureRow(name, "in the input")], True)
    failures.resize(500, 200)
    failures.show()
    look = failures.table.itemDelegateForColumn(0)
    assert isinstance(look, NameLook)
    before, _, after = shown_in(failures, look, name).partition("…")
    assert after, "there is no room for all"
    assert re.match(r"$|[ .A-Z]", name[len(before) :])
    assert name.endswith(after)
    assert re.search(r"[ .:a-z]$", name[: -len(after)])


def shown_in(failures: FailureList, look: NameLook, name: str) -> str:
    """Return a name as the first cell of the list shows it."""
    option = QStyleOptionViewItem()
    option.rect = failures.table.visualRect(failures.model.index(0, 0))  # type: ignore[attr-defined]
    option.widget = failures.table  # type: ignore[attr-defined]
    option.features = QStyleOptionViewItem.ViewItemFeature.HasDisplay  # type: ignore[attr-defined]
    return look.cut(name, option)


def test_a_narrow_inspector_leaves_names_half_of_its_room_and_sentences_all_of_it(qtbot: QtBot) -> None:
    inspector = Inspector()
    qtbot.addWidget(inspector)
    inspector.resize(560, 240)
    inspector.show()
    inspector.look_at("p/A")
    rows = [["p/A", "q/B.run:(I)V!code", "code needs the classes it names"]]
    inspector.show_ties(events.Inspected("p/A", "ready", needs=[], needed_by=rows), ())
    for tree in (inspector.needs, inspector.needed_by):
        assert tree.columnWidth(0) >= tree.viewport().width() // 2
    nothing = inspector.needs.topLevelItem(0)
    assert nothing.text(0) == "Needs nothing else."
    assert nothing.isFirstColumnSpanned(), "a sentence has the room of the empty cell"
    inspector.resize(1600, 240)
    assert inspector.needed_by.columnWidth(1) < inspector.needed_by.columnWidth(0), "names need more than reasons"


def test_the_minimap_has_the_shape_of_the_graph_and_lies_over_no_box_where_it_can(
    qtbot: QtBot, view: GraphView
) -> None:
    view.show_view("components")
    still(qtbot, view)
    canvas, mini = view.canvas, view.minimap
    x, y, wide, high = canvas.scene.bounds()
    assert wide > 2 * high
    canvas.zoom(4)
    assert mini.width() == WIDTH
    assert mini.height() < 0.8 * HEIGHT, "a low map of a low graph"
    for corner in ((x, y), (x + wide, y), (x, y + high), (x + wide, y + high)):
        canvas.centre_on(*corner)
        boxes = canvas.camera.rects(np.concatenate([canvas.scene.boxes, canvas.scene.rects]))
        assert mini.isVisible()
        assert not overlaps(boxes, np.array(mini.geometry().getRect(), float)), "three corners are free"
        assert canvas.rect().contains(mini.geometry())


def test_the_frame_of_a_selection_does_not_cross_the_name_of_the_package(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    graph = window.parts.graph
    window.actions_by_id["treemap"].trigger()
    qtbot.waitUntil(lambda: graph.view == "treemap")
    still(qtbot, graph)
    canvas = graph.canvas
    scene, frame = canvas.scene, canvas.scene.frame_titles.index("eval")
    place = canvas.camera.rects(scene.frames)[frame]
    corner = scene.rects[:, :2] - scene.frames[frame, :2]
    there = (scene.rects[:, 2] > 0) & (corner >= 0).all(axis=1)
    first = int(np.argmin(np.where(there, corner.sum(axis=1), np.inf)))
    strip = round(float(corner[first, 1]) * canvas.camera.scale)

    def name() -> list[int]:
        area = QRect(round(place[0]) + 10, round(place[1]) + 2, 6, strip - 3)
        image = canvas.grab(area).toImage()
        return [image.pixelColor(x, y).lightness() for y in range(area.height()) for x in range(area.width())]

    before = name()
    window.selection.select(int(scene.item_of_node[first]), None)
    assert canvas.marks.selected == first
    assert name() == pytest.approx(before, abs=60), "its plate lets something through, but no dark line"


def test_a_name_in_the_tree_reaches_into_the_column_of_sizes(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    tree = window.parts.tree
    jar = tree.model.jar
    for left in (None, (jar.sizes // 3).tolist()):  # before a reduction, and in one
        tree.model.set_left(left, {})
        tree.delegate._names.clear()
        window.parts.tree_dock.grab()
        shown = {name: words for (name, _), words in tree.delegate._names.items()}
        assert shown["EvaluationException"] == "EvaluationException"
        assert [name for name, words in shown.items() if words != name] == []


def test_figures_of_the_input_are_whole_beside_a_run_in_the_background(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    window.resize(960, 800)
    open_jar(qtbot, window, sample_jar)
    window.selection.select_name("sample/number/Rational")
    parts = window.parts
    parts.background.show_runs(
        events.BackgroundRuns([events.BackgroundRun("listing", "Source of the selected class", 0.0, 60.0)])
    )
    qtbot.waitUntil(lambda: parts.selection.shown() != parts.selection.text())
    assert parts.facts.width() >= parts.facts.sizeHint().width()
    assert parts.selection.shown().startswith("sample.number.Rational"), "and the cut says so"


@pytest.mark.parametrize("letters_high", [8, 13])
def test_a_name_that_is_too_long_for_its_box_has_smaller_letters_first(qtbot: QtBot, letters_high: int) -> None:
    title = "CollisionProofHashMap"
    room = letters(letters_high)[1].horizontalAdvance(title) + 1
    assert whole_in(title, 13, room) == letters_high
    assert whole_in("List", 13, room) == 13
    assert whole_in(title, 13, room / 3) == SMALLEST_NAME


def test_a_cut_name_says_more_than_its_number(qtbot: QtBot) -> None:
    titles = [f"TokeniserState.{number}" for number in range(10, 30)]
    room = letters(SMALLEST_NAME)[1].horizontalAdvance("Tokeniser…28") + 6
    assert fitted(titles[18], SMALLEST_NAME, room, index=TitleIndex(titles))[0] == "Tokeniser…28"


def test_components_with_names_of_the_same_first_and_last_words_are_told_apart(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    names = ["TDoubleLongHashMapDecorator", "TFloatShortHashMapDecorator"]
    with zipfile.ZipFile(tmp_path / "alike.jar", "w") as jar:
        for name in names:
            jar.writestr(f"a/{name}.class", Maker(name=f"a/{name}").build())
    open_jar(qtbot, window, tmp_path / "alike.jar")
    window.actions_by_id["go_components"].trigger()
    table = window.parts.components.table
    qtbot.waitUntil(table.isVisible)
    cells = [table.visualRect(table.model().index(row, 0)) for row in range(2)]
    first, second = (table.viewport().grab(cell).toImage() for cell in cells)
    assert QFontMetrics(table.font()).horizontalAdvance(names[0]) > cells[0].width(), "there is too little room"
    assert first != second
