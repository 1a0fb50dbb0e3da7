"""Room for the picture: the docks of each situation, and the share of the window that the page has."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget, QPushButton, QTabBar
from pytestqt.qtbot import QtBot

from app.bug.source_page import SourcePage
from app.engine.run_state import ItemState
from app.window.main_window import MainWindow
from core.protocol.java_names import item_title, split
from tests.support.gui_helpers import NEEDS_MAIN, fill, open_jar, wait_idle

KEYS = {"explore": Qt.Key.Key_F5, "reduce": Qt.Key.Key_F6, "bug": Qt.Key.Key_F7}


def shown(window: MainWindow) -> set[str]:
    return {dock.objectName() for dock in window.findChildren(QDockWidget) if not dock.isHidden()}


@pytest.mark.parametrize(
    ("width", "height", "share"),
    [
        (960, 1080, 0.5),
        *(pytest.param(*each, marks=pytest.mark.guarded) for each in ((1440, 900, 0.55), (1280, 800, 0.5))),
    ],
)
def test_the_page_has_most_of_the_window_in_each_situation(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, width: int, height: int, share: float
) -> None:
    window.resize(width, height)
    open_jar(qtbot, window, sample_jar)
    page = window.parts.centre
    for name, key in KEYS.items():
        qtbot.keyClick(window, key)
        assert window.parts.situation == name
        qtbot.waitUntil(lambda: page.width() * page.height() >= share * width * height)
    assert (window.width(), window.height()) == (width, height)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    qtbot.waitUntil(lambda: page.width() == width)
    assert not shown(window)
    qtbot.keyClick(window, Qt.Key.Key_F11)
    assert shown(window) == {"progress"}
    tabs = page.tabBar()
    qtbot.mouseDClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(0).center())
    assert not shown(window), "a double click on a tab"


def bars_on_the_page(window: MainWindow) -> list[QTabBar]:
    """Return the bars of tabs of docks that cover a part of the page."""
    bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
    return [bar for bar in bars if bar.isVisible() and bar.geometry().intersects(window.parts.pages.geometry())]


def test_900_pixels_of_width_are_enough(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    assert window.minimumSizeHint().width() <= 900
    open_jar(qtbot, window, sample_jar)
    for key in KEYS.values():
        window.resize(1280, 800)
        qtbot.keyClick(window, key)
        assert window.minimumSizeHint().width() <= 900
        window.parts.centre.setCurrentWidget(window.parts.graph)
        window.resize(900, 700)
        views = window.parts.graph.head.findChildren(QPushButton)
        qtbot.wait(100)
        assert all(one.width() >= one.minimumSizeHint().width() for one in views if one.isVisible()), "words are cut"


def test_docks_follow_what_happens_and_keep_what_a_person_changes(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    assert not shown(window), "the first page has all the room"
    qtbot.waitUntil(lambda: not bars_on_the_page(window))
    open_jar(qtbot, window, sample_jar)
    assert shown(window) == {"tree", "components", "inspector"}
    window.parts.inspector_dock.close()
    window.commands.reduce.check()  # nothing is filled in
    assert window.parts.situation == "reduce"
    assert window.parts.run.start.isVisible()
    qtbot.keyClick(window, Qt.Key.Key_F5)
    assert shown(window) == {"tree", "components"}, "as it was left"
    for key in (*KEYS.values(), Qt.Key.Key_F5):
        qtbot.keyClick(window, key)
    qtbot.waitUntil(lambda: not bars_on_the_page(window))
    window.close()
    again = MainWindow(window.settings)
    qtbot.addWidget(again, before_close_func=lambda _: again.controller.shut_down())
    again.show()
    open_jar(qtbot, again, sample_jar)
    assert shown(again) == {"tree", "components"}, "after a new start too"


def test_the_log_is_a_strip_that_a_click_on_a_tab_opens(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    qtbot.keyClick(window, Qt.Key.Key_F6)
    log = window.parts.log_tabs
    qtbot.waitUntil(lambda: log.height() == log.minimumHeight())
    for high in (True, False):
        qtbot.mouseClick(log.tabBar(), Qt.MouseButton.LeftButton, pos=log.tabBar().tabRect(1).center())
        qtbot.waitUntil(lambda high=high: (log.height() > 2 * log.minimumHeight()) is high)
    window.parts.show_log(window.parts.failures)
    qtbot.waitUntil(lambda: window.parts.failures.height() > 50)


@pytest.mark.guarded
def test_the_source_page_has_line_numbers_and_strikes_out_what_goes_while_it_goes(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    window.selection.select_name("sample/number/Rational.reciprocal:()Lsample/number/Rational;")
    page = window.parts.centre.source
    window.actions_by_id["source"].trigger()
    page.findChildren(QPushButton)[1].click()  # bytecode: there is no decompiler here
    view = page.view
    qtbot.waitUntil(lambda: " reciprocal();" in view.textCursor().block().text())
    row = view.textCursor().blockNumber()
    assert not struck(page)
    assert view.viewportMargins().left() > 0, "a column of line numbers"
    fill(window, NEEDS_MAIN)
    window.commands.reduce.start()
    wait_idle(qtbot, window)  # the bug is shown at the end
    window.actions_by_id["source"].trigger()
    qtbot.waitUntil(lambda: row in struck(page))
    page.look_at("")
    assert not view.toPlainText()


def struck(page: SourcePage) -> set[int]:
    """Return the rows that are seen struck out."""
    block, found = page.view.document().firstBlock(), set()
    while block.isValid():
        if any(one.format.fontStrikeOut() for one in block.layout().formats()):  # type: ignore[attr-defined]
            found.add(block.blockNumber())
        block = block.next()
    return found


def test_the_method_whose_code_is_tried_is_named_and_its_class_marked(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'sleep 0.03; grep -q reciprocal {classes}/sample/number/Rational.class'", jobs=1)
    state, seen = window.controller.state, set[str]()

    def look() -> None:
        trial = state.trial
        if trial is not None and "(" in trial.without and state.lanes[0].trial is trial:
            item = window.parts.tree.model.item_of(split(trial.without)[0])
            title = item_title(trial.without, True)
            if title in window.parts.run.status.text() and state.states[item] == ItemState.TRYING:
                seen.add(title)

    window.controller.progressed.connect(look)
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: state.finished is not None or bool(seen))
    assert seen, "in the card and in the graph"
    window.commands.reduce.stop()
    wait_idle(qtbot, window)
