"""Nothing jumps, nothing is cut off, and the screen speaks plainly."""

from __future__ import annotations

import re
from copy import copy
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QAbstractItemView, QApplication, QComboBox, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app import words
from app.bug.dialogs import SourceDialog, VersionsDialog
from app.engine.run_state import ItemState, RunState
from app.engine.runs import StepSummary
from app.graph.paint.picture import GraphPicture
from app.graph.scene.camera import fitting
from app.text import part_of_size
from app.widgets import Soon
from app.window.commands.leaving import KEPT_AS_STEP, ClosingDialog, LeavingDialog, StartingDialog
from app.window.main_window import MainWindow
from tests.support.gui_helpers import fill, open_jar, wait_idle
from tests.support.rows import rows

FAILS = "sh -c 'test -f {classes}/sample/number/Rational.class'"


def scene_of(canvas: GraphPicture) -> tuple[float, float, float, float]:
    """Return where the scene begins and ends, in pixels of the canvas."""
    x, y, wide, high = canvas.scene.bounds()
    return (*canvas.camera.to_pixel(x, y), *canvas.camera.to_pixel(x + wide, y + high))


def whole(canvas: GraphPicture) -> bool:
    left, top, right, bottom = scene_of(canvas)
    return left >= 0 and top >= 0 and right <= canvas.width() and bottom <= canvas.height()


def open_and_settle(qtbot: QtBot, window: MainWindow, jar: Path) -> None:
    """Open a jar and wait until docks and graph have their places."""
    open_jar(qtbot, window, jar)
    timers = window.findChildren(Soon, options=Qt.FindChildOption.FindDirectChildrenOnly)
    flight = window.parts.graph.canvas.flight
    qtbot.waitUntil(lambda: not flight.flying and not any(timer.isActive() for timer in timers))


def test_the_graph_is_seen_whole_in_the_room_of_another_situation(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    canvas = window.parts.graph.canvas
    wide = canvas.width()
    qtbot.keyClick(window, Qt.Key.Key_F6)
    qtbot.waitUntil(lambda: canvas.width() < wide and not canvas.flight.flying and whole(canvas))


def test_a_bar_that_opens_leaves_the_graph_where_it_is(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_and_settle(qtbot, window, sample_jar)
    canvas = window.parts.graph.canvas
    assert whole(canvas)
    camera, size = canvas.camera, canvas.size()
    window.parts.messages.tell("Something was found.", "warning")
    qtbot.waitUntil(window.parts.messages.isVisible)
    QApplication.processEvents()
    assert (canvas.camera, canvas.size()) == (camera, size), "nothing moves under the mouse"


def centre_of(canvas: GraphPicture) -> tuple[float, float]:
    return canvas.camera.to_scene(canvas.width() / 2, canvas.height() / 2)


def test_docks_and_bars_keep_scale_and_centre_of_a_fitted_graph(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_and_settle(qtbot, window, sample_jar)
    graph = window.parts.graph
    assert whole(graph.canvas)
    height, scale, centre = graph.canvas.height(), graph.canvas.camera.scale, centre_of(graph.canvas)
    window.resizeDocks([window.parts.inspector_dock], [420], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: graph.canvas.height() < height - 80)
    assert graph.canvas.camera.scale == scale
    assert centre_of(graph.canvas) == pytest.approx(centre)
    window.parts.inspector_dock.close()
    qtbot.waitUntil(lambda: graph.canvas.height() > height + 80)
    assert graph.canvas.camera.scale == scale
    assert centre_of(graph.canvas) == pytest.approx(centre)
    window.parts.inspector_dock.show()
    graph.canvas.fit(animate=False)
    QTest.keyClick(graph.canvas, Qt.Key.Key_Plus)
    scale = graph.canvas.camera.scale
    window.parts.messages.tell("Something was found.", "warning")
    qtbot.waitUntil(lambda: window.parts.messages.isVisible())
    assert graph.canvas.camera.scale == scale, "what the user has chosen to see stays"


def test_the_class_that_is_chosen_stays_in_sight_when_a_dock_grows(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    graph, item = window.parts.graph, window.parts.tree.model.item_of("sample/number/Rational")
    graph.navigation.focus(item)
    canvas = graph.canvas
    qtbot.waitUntil(lambda: graph.view == "focus" and not canvas.flight.flying)

    def seen(around: float = 0) -> bool:
        x, y, wide, high = canvas.camera.rects(canvas.scene.rects[[canvas.marks.selected]])[0]
        room = canvas.width() - around, canvas.height() - around
        return bool(min(x, y) >= around and x + wide <= room[0] and y + high <= room[1])

    qtbot.waitUntil(seen)
    height, scale = canvas.height(), canvas.camera.scale
    window.resizeDocks([window.parts.inspector_dock], [400], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: canvas.height() < height - 80)
    assert seen(5.9), "with its outline"
    assert canvas.camera.scale == scale
    canvas.centre_on(0, 9999)
    camera, height = canvas.camera, canvas.height()
    window.resizeDocks([window.parts.inspector_dock], [320], Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: canvas.height() > height + 40)
    assert canvas.camera.x == camera.x, "what the user moved out of sight does not come back"
    assert not seen()


@rows("wide", [1500, 1900])
def test_a_larger_window_fits_the_graph_anew(qtbot: QtBot, window: MainWindow, sample_jar: Path, wide: int) -> None:
    if not window.controller.state.jar.opened:
        open_jar(qtbot, window, sample_jar)
    canvas = window.parts.graph.canvas
    window.resize(wide, 1000)

    def fitted() -> bool:
        return canvas.camera == fitting(canvas.scene.bounds(), canvas.width(), canvas.height())

    QApplication.processEvents()
    qtbot.waitUntil(lambda: window.width() == wide and fitted())


@pytest.mark.guarded
def test_start_stays_in_the_view_and_shows_the_progress(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    assert window.parts.graph.view == "packages"
    window.parts.show_inspector()
    qtbot.waitUntil(lambda: window.parts.log_tabs.visibleRegion().isEmpty())
    fill(window, FAILS)
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: not window.parts.log_tabs.visibleRegion().isEmpty())
    assert window.parts.graph.view == "packages"
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)


@pytest.mark.guarded
def test_rows_of_packages_say_what_is_left(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, FAILS, max_probes=40)
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: window.controller.state.finished is not None)
    wait_idle(qtbot, window)
    model, state = window.parts.tree.model, window.controller.state
    jar = state.jar

    def rows() -> dict[str, str]:
        return {model.index(row, 0).data(): model.index(row, 1).data() for row in range(model.rowCount())}

    qtbot.waitUntil(lambda: "/" in rows()["sample.number"])
    left, whole_size = rows()["sample.number"].split(" / ")
    assert float(left) < float(whole_size.split(" ")[0])
    there = {jar.packages[item].replace("/", ".") for item in range(jar.items) if state.states[item] != ItemState.GONE}
    gone = [name for name in rows() if name.startswith("sample.") and name not in there]
    assert gone
    assert not [name for name in gone if "/" in rows()[name]], "they are struck through, and say what they had"


@pytest.mark.parametrize(
    ("part", "of", "said"),
    [
        (209, 1700, "0.2 / 1.7 kB"),
        (1800, 2100, "1.8 / 2.1 kB"),
        (195, 346, "195 / 346 B"),
        (0, 1700, "0.0 / 1.7 kB"),
        (20, 5_300_000, "< 0.1 / 5.3 MB"),
    ],
)
def test_what_is_left_has_the_unit_of_the_whole(part: int, of: int, said: str) -> None:
    assert part_of_size(part, of) == said


def test_more_conditions_are_folded_and_counted(window: MainWindow) -> None:
    window.parts.show_form()
    counts = window.parts.run.form.counts
    assert not counts.no_match.isVisible()
    assert counts.more.head.text() == "More conditions"
    QTest.mouseClick(counts.more.head, Qt.MouseButton.LeftButton)
    assert counts.no_match.isVisible()
    QTest.keyClicks(counts.no_match, "OutOfMemory")
    counts.also.setValue(3)
    QTest.mouseClick(counts.more.head, Qt.MouseButton.LeftButton)
    assert not counts.no_match.isVisible()
    assert counts.more.head.text() == "More conditions (2 set)"
    assert window.parts.run.form.settings().no_match == "OutOfMemory", "folded conditions hold"


def test_an_error_has_one_x_alone(window: MainWindow) -> None:
    bar = window.parts.messages
    bar.tell("The command does not exist.", "error")
    shown = [label.text() for label in bar.findChildren(QLabel)] + [
        one.text() for one in bar.findChildren(QAbstractButton)
    ]
    assert shown.count("✕") == 1


@rows(
    ("engine", "screen"),
    [
        ("The full input is interesting (exit code 1): once.", "The whole jar fails (exit code 1): once."),
        ("The full input is not interesting: exit code 0.", "The whole jar does not fail: exit code 0."),
        ("run 1 on the full input was interesting, run 2 was not", "run 1 on the whole jar failed, run 2 did not"),
        ("The limit of probes is reached: the best so far", "The limit of runs is reached: the smallest so far"),
        ("The result is one that was interesting both times", "The result is one that failed both times"),
        ("Probe 12 was not interesting.", "Run 12 did not fail."),
        ("The predicate does not end on the full input: the predicate is not stable.",
         "The command does not end on the whole jar: the command is not stable."),
        ("The predicate command does not exist: there is no file /x.sh.",
         "The command does not exist: there is no file /x.sh."),
        ("Decompiles the candidate; every candidate is valid.", "Decompiles the jar; every jar is valid."),
        ("Let Jarlet fetch it (--fetch, in the window Download).", "Let Jarlet fetch it (Download)."),
        ("A trace: auto and gbr begin where that points (not with --failures-as none).",
         "A trace: the search begins where that points."),
        ("Set a longer --timeout. Set a --timeout that is long enough.",
         "Set a longer timeout per run. Set a timeout per run that is long enough."),
        ("run it by a command: --predicate 'java -cp {jar} MAIN ARGUMENTS' --preserve exit,out.",
         "run it by a command: “java -cp {jar} MAIN ARGUMENTS” with “Same exit code” and “Same output”."),
        ("Print it no more, or use --match.", "Print it no more, or use “Output matches”."),
        ("name that with --classpath, and in the command", "name that under Libraries, and in the command"),
        ("That is the exit code of --also-interesting: name it with --expect-exit.",
         "That is the exit code of another failure: choose it under Condition."),
        ("Use --failures-as traces.", "Use “Java stack traces” under “More conditions”."),
        ("It fails with “a.probe: an interesting probe”.", "It fails with “a.probe: an interesting probe”."),
        ("/home/probe/best.jar: there is no such file; Probe.run() and “probe” stay, a.probe too",
         "/home/probe/best.jar: there is no such file; Probe.run() and “probe” stay, a.probe too"),
    ],
)  # fmt: skip
def test_sentences_of_the_engine_are_told_in_plain_words(engine: str, screen: str) -> None:
    assert words.plain(engine) == screen


def test_no_label_of_the_window_has_a_term_of_the_engine(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, FAILS, max_probes=30)
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: window.controller.state.finished is not None)
    wait_idle(qtbot, window)
    shown = texts(window)
    for box in (window.parts.run.form.what.kind, window.parts.run.form.algorithm):
        for row in range(box.count()):
            box.setCurrentIndex(row)
            shown += texts(window.parts.run)
    dialogs = (
        window.preferences.dialog(), StartingDialog("step 4", "12 classes", window), ClosingDialog("12", True, window),
        LeavingDialog("12 classes", "&Close", KEPT_AS_STEP, window), VersionsDialog(window), SourceDialog(window),
    )  # fmt: skip
    for dialog in dialogs:
        shown += texts(dialog)
    terms = re.compile(
        r"\b(?:un)?interesting\b|\bprobes?\b|best so far|sub-input|\bcandidates?\b(?!\.jar)"
        r"|evidence|1-minimal|(?<!=\")predicate"
    )
    assert [words for words in shown if terms.search(words.lower())] == []


def texts(top: QWidget) -> list[str]:
    """Return all texts of a window that can be read without pointing at anything."""
    found: list[str] = [action.text() for action in top.findChildren(QAction)]
    for part in [top, *top.findChildren(QWidget)]:
        found.append(part.accessibleName())
        for what in ("text", "placeholderText", "title", "windowTitle"):
            value = getattr(part, what, "")
            found.append(str(value() if callable(value) else value))
        if isinstance(part, QComboBox):
            found += [part.itemText(row) for row in range(part.count())]
        if isinstance(part, QTabWidget):
            found += [part.tabText(at) for at in range(part.count())]
        if isinstance(part, QAbstractItemView):
            found += cells(part.model())
    return found


def cells(model: QAbstractItemModel) -> list[str]:
    """Return the texts of a list: its heads and rows."""
    columns = range(1 if isinstance(model, QAbstractListModel) else model.columnCount())
    heads = [str(model.headerData(at, Qt.Orientation.Horizontal) or "") for at in columns]
    return heads + [str(model.index(row, at).data() or "") for row in range(model.rowCount()) for at in columns]


def test_a_command_is_tried_on_one_class(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    what, messages = window.parts.run.form.what, window.parts.messages
    QTest.mouseClick(what.trial, Qt.MouseButton.LeftButton)
    assert messages.text.text().startswith("Open a jar first")
    open_jar(qtbot, window, sample_jar)
    QTest.mouseClick(what.trial, Qt.MouseButton.LeftButton)
    assert messages.text.text().startswith("Write the command")
    what.command.setPlainText("sh -c 'cd {classes}; find . -name Rational.class; exit 0'")
    window.selection.select(window.parts.tree.model.item_of("sample/number/Rational"))
    QTest.mouseClick(what.trial, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "run once: fails (exit code 0)" in messages.text.text())
    assert messages.text.text().startswith("sample.number.Rational")
    QTest.mouseClick(messages.action_button, Qt.MouseButton.LeftButton)
    assert "sample/number/Rational.class" in window.parts.probes.output.toPlainText()
    assert window.parts.probes.output.isVisible()


def test_the_card_is_no_higher_for_a_jar_of_many_classes(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    card, jar = window.parts.run.best, window.controller.state.jar
    height = card.figure.heightForWidth(card.figure.width())
    large = RunState(jar=copy(jar), steps=[StepSummary(0.0, 1, 14_739, jar.bytes // 2, jar.items)])
    large.jar.classes = 27_745
    card.show_state(large)
    assert card.figure.text() == "14,739 of 27,745 classes"
    assert card.figure.heightForWidth(card.figure.width()) <= height


@pytest.mark.guarded
def test_the_keyboard_stays_at_the_buttons_of_the_run(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, FAILS)
    run = window.parts.run
    window.activateWindow()
    run.start.setFocus()
    qtbot.waitUntil(run.start.hasFocus)
    QTest.keyClick(run.start, Qt.Key.Key_Space)
    assert run.pause.hasFocus(), "the button that was pressed is gone"
    wait_idle(qtbot, window)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert window.isAncestorOf(focus), "the page of the result has it where the buttons are gone"
