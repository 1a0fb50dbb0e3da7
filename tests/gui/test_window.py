"""The whole job in the window: open, reduce, look, export; and what can go wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QPushButton, QScrollArea, QStyle, QWidget
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState, ItemState
from app.panels.message_bar import MessageButton
from app.user_settings import UserSettings
from app.window.commands.leaving import ClosingDialog
from app.window.main_window import MainWindow
from core.protocol import events
from tests.support.gui_helpers import NEEDS_MAIN, best_jar, fill, open_jar, wait_idle, width_of_states


def slow(seconds: float) -> str:
    return f"sh -c 'sleep {seconds}; test -f {{classes}}/sample/Main.class'"


def test_the_sample_from_open_to_export(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.sample.jar", lambda: sample_jar)
    seen: set[ItemState] = set()
    state = window.controller.state
    window.controller.progressed.connect(lambda: seen.update(ItemState(int(s)) for s in state.states))
    qtbot.mouseClick(window.parts.empty.sample_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.parts.graph.view == "packages")
    assert window.parts.tree.model.rowCount() > 5
    assert window.parts.components.model.rowCount() == state.jar.component_count
    qtbot.waitUntil(lambda: window.parts.run.form.algorithm.count() >= 4)
    window.parts.run.form.search.choose_algorithm("binary")
    assert "binary search" in window.parts.run.form.explanation.text()

    qtbot.mouseClick(window.parts.run.start, Qt.MouseButton.LeftButton)
    assert not window.parts.run.start.isEnabled()
    qtbot.waitUntil(lambda: state.finished is not None)
    assert window.parts.graph.view == "packages", "the view stays"
    wait_idle(qtbot, window)
    finished = state.finished
    assert finished is not None
    assert finished.reason == "done"
    assert ItemState.TRYING in seen
    counts = state.counts()
    assert counts[ItemState.KEPT] + counts[ItemState.NEEDED] == finished.classes < state.jar.classes / 2
    assert counts[ItemState.GONE] == state.jar.classes - finished.classes
    assert (counts[ItemState.NEEDED] > 0) is state.proved, "the strong mark is for what is proved"
    assert counts[ItemState.TRYING] == 0
    assert f"{finished.classes} of {state.jar.classes} classes" in window.parts.run.best.figure.text()
    assert window.parts.probes.model.rowCount() == len(state.probes) >= finished.probes
    total = finished.report["probes"]["total"]
    assert total > finished.probes, "check and confirmation are probes too"
    assert f"{total}\u00a0runs" in window.parts.run.best.facts.text()
    assert "1-minimal: classes: " in window.parts.run.best.facts.toolTip()
    area = window.parts.progress.chart.rect()
    words = window.parts.progress.chart.value_at(QPointF(area.width() * 0.5, area.height() * 0.5))
    assert words.startswith("run ")

    window.parts.probes.table.selectRow(window.parts.probes.model.rowCount() - 1)
    assert "zero has no reciprocal" in window.parts.probes.output.toPlainText()

    target = tmp_path / "reduced.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.actions_by_id["export_jar"].trigger()
    qtbot.waitUntil(lambda: window.parts.messages.text.text().startswith("Written: "))
    with zipfile.ZipFile(target) as jar:
        assert sum(name.endswith(".class") for name in jar.namelist()) == finished.classes
    run = subprocess.run(["java", "-cp", str(target), "sample.Main"], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "ArithmeticException: zero has no reciprocal" in run.stderr + run.stdout


@pytest.mark.guarded
def test_report_and_graph_are_exported(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    assert not window.actions_by_id["export_report"].isEnabled()
    fill(window, NEEDS_MAIN, algorithm="binary")
    window.commands.reduce.start()
    wait_idle(qtbot, window)
    for what, start in (("export_report", b"{"), ("export_graph", b"<?xml")):
        target = tmp_path / what
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, target=target: (str(target), "SVG (*.svg)"))
        window.parts.messages.hide()
        window.actions_by_id[what].trigger()
        qtbot.waitUntil(lambda target=target: f"Written: {target}" in window.parts.messages.text.text())
        assert next(tmp_path.glob(f"{what}.*")).read_bytes().startswith(start)


def test_bad_jars_are_told_in_a_sentence(qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path) -> None:
    text = tmp_path / "text.jar"
    text.write_text("hello")
    window.commands.file.open_paths([str(text)])
    qtbot.waitUntil(window.parts.messages.isVisible)
    assert window.parts.messages.kind == "error"
    assert "text.jar" in window.parts.messages.text.text()
    assert window.parts.pages.currentWidget() is window.parts.empty
    assert window.parts.empty.open_button.isEnabled()
    window.commands.file.open_paths([str(tmp_path / "nowhere.jar")])
    assert "nowhere.jar" in window.parts.messages.text.text()

    open_jar(qtbot, window, sample_jar)
    window.commands.file.open_paths([str(text)])
    qtbot.waitUntil(lambda: window.parts.messages.isVisible() and "text.jar" in window.parts.messages.text.text())
    assert window.parts.pages.currentWidget() is window.parts.centre, "the jar that was open stays"
    assert window.controller.state.phase is EngineState.READY


def test_commands_that_cannot_work_are_told(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    window.parts.run.form.command.clear()
    window.commands.reduce.start()
    assert "Write the command" in window.parts.messages.text.text()
    assert window.controller.state.phase is EngineState.READY
    fill(window, "no-such-program {jar}")
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: "no-such-program" in window.parts.messages.text.text())
    wait_idle(qtbot, window)
    assert window.parts.messages.kind == "error"
    fill(window, "false {jar}")
    window.commands.reduce.check()
    assert window.controller.state.phase is EngineState.CHECKING
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: window.parts.messages.isVisible() and "does not fail" in window.parts.messages.text.text())
    assert "To repeat it by hand" in window.parts.probes.output.toPlainText()
    fill(window, "sh -c 'exit 0'", match="(")
    window.commands.reduce.check()
    qtbot.waitUntil(lambda: "regular expression" in window.parts.messages.text.text())
    wait_idle(qtbot, window)


def test_pause_resume_stop(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    state = window.controller.state
    fill(window, slow(0.2), algorithm="ddmin")
    qtbot.waitUntil(lambda: window.parts.run.form.algorithm.count() > 0)
    window.parts.run.form.search.choose_algorithm("ddmin")
    window.actions_by_id["components"].trigger()
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: state.executed >= 3)
    # it is told once the probes that had begun have ended
    with qtbot.waitSignal(window.controller.client.told, check_params_cb=lambda told: isinstance(told, events.Paused)):
        qtbot.mouseClick(window.parts.run.pause, Qt.MouseButton.LeftButton)
        assert state.phase is EngineState.PAUSED
        assert window.parts.run.pause.text() == "Resume"
    done = state.executed
    qtbot.wait(500)  # long enough for two more, had they gone on
    assert state.executed == done
    window.actions_by_id["pause"].trigger()
    qtbot.waitUntil(lambda: state.executed >= done + 3)
    assert "of 64 classes" in window.windowTitle()
    key = window.parts.progress.key
    assert key.isVisible()
    assert key.width() >= key.sizeHint().width(), "the key to the marks is whole"
    legend = window.parts.graph.legend
    assert legend.width() >= width_of_states(legend), "the states are explained"
    qtbot.mouseClick(window.parts.run.stop, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    assert state.finished is not None
    assert state.finished.reason == "stopped"
    assert window.parts.run.start.isEnabled()


def test_a_dead_engine_is_told_and_started_again(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    pid = window.controller.client.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.DEAD)
    assert "killed by signal 9" in window.parts.messages.text.text()
    assert not window.parts.run.start.isEnabled()
    qtbot.mouseClick(window.parts.messages.action_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.controller.state.phase is EngineState.READY)
    assert window.controller.client.pid != pid
    fill(window, NEEDS_MAIN)
    window.commands.reduce.start()
    wait_idle(qtbot, window)
    assert window.controller.state.finished is not None


@pytest.mark.slow
def test_the_best_so_far_outlives_the_engine(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    state = window.controller.state
    fill(window, slow(0.1))
    window.commands.reduce.start()
    # until the rest of the check has vouched for the input, nothing is written
    qtbot.waitUntil(lambda: len(state.steps) > 1 and best_jar(window).exists())
    assert window.controller.client.pid is not None
    os.kill(window.controller.client.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: state.phase is EngineState.DEAD)
    session = Path(window.parts.messages.text.text().split(" is kept in ")[1].removesuffix(" and can go on."))
    with zipfile.ZipFile(session / "best.jar") as jar:
        assert "sample/Main.class" in jar.namelist()
    window.parts.messages.other_button.click()  # open its session again
    qtbot.waitUntil(lambda: window.parts.messages.action_button.text() == "Start")
    assert slow(0.1) in window.parts.messages.text.text(), "what is run is shown before it runs"
    assert state.phase is EngineState.READY
    window.parts.messages.action_button.click()
    qtbot.waitUntil(lambda: len(state.steps) > 1)  # a busy machine may have come to the end by then
    assert window.controller.session == str(session)
    window.commands.reduce.stop()
    wait_idle(qtbot, window)


def test_closing_asks_while_a_reduction_runs(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, slow(0.3))
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: bool(window.controller.state.steps))

    def press(stop: bool) -> None:
        dialog = QApplication.activeModalWidget()
        if isinstance(dialog, ClosingDialog):
            (dialog.stop_button if stop else dialog.keep_button).click()
        else:
            QTimer.singleShot(50, lambda: press(stop))

    QTimer.singleShot(50, lambda: press(False))
    assert not window.close()
    assert window.controller.state.phase.reducing
    QTimer.singleShot(50, lambda: press(True))
    assert window.close()
    assert not window.controller.client.running


def test_selection_is_in_step(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    jar = window.controller.state.jar
    item = jar.full.index("sample.number.Rational")
    window.parts.search.focus()
    qtbot.keyClicks(window.parts.search.field, "rational")
    qtbot.keyClick(window.parts.search.field, Qt.Key.Key_Return)
    assert window.parts.graph.view == "components"
    assert window.parts.graph.canvas.marks.selected == item
    assert window.parts.tree.model.item_at(window.parts.tree.tree.currentIndex()) == item
    assert "sample.number.Rational" in window.parts.selection.text()
    other = jar.full.index("sample.Main")
    window.parts.tree.tree.setCurrentIndex(window.parts.tree.model.index_of(other))
    assert window.parts.graph.canvas.marks.selected == other
    window.parts.components.table.selectRow(0)
    assert window.parts.graph.canvas.marks.box >= 0
    window.parts.tree.filter.setText("Rational")
    qtbot.waitUntil(lambda: window.parts.tree.model.rowCount() == 1)


@pytest.mark.guarded
def test_window_remembers_its_theme_and_docks(qtbot: QtBot, window: MainWindow) -> None:
    window.actions_by_id["dark"].setChecked(True)
    window.parts.show_form()
    window.parts.progress_dock.hide()
    window.close()
    again = MainWindow(window.settings)
    qtbot.addWidget(again)
    assert again.actions_by_id["dark"].isChecked()
    again.parts.show_form()
    assert again.parts.progress_dock.isHidden()
    assert not again.parts.run_dock.isHidden()
    again.controller.shut_down()


def test_the_window_fits_a_small_screen(qtbot: QtBot, tmp_path: Path) -> None:
    made = MainWindow(UserSettings(str(tmp_path / "new.ini")))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    assert made.height() <= made.screen().availableSize().height() - 40, "the title bar has its room"
    least = made.minimumSizeHint()
    assert least.height() <= 700, "a task bar too, at 800 pixels"
    assert least.width() <= 900, "half of a screen of 1920 pixels"
    made.resize(1280, 760)
    made.parts.show_form()
    run = made.parts.run
    areas = [one for one in run.findChildren(QScrollArea) if one.isAncestorOf(run.form)]
    qtbot.waitUntil(lambda: made.height() == 760 and areas[0].verticalScrollBar().maximum() == 0)


def test_the_tools_of_a_view_stand_below_the_views_where_there_is_no_room(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    window.actions_by_id["reduce"].trigger()
    head = window.parts.graph.head
    buttons = {button.text(): button for button in head.findChildren(QPushButton)}
    cycles, force = buttons["Cycles"], buttons["Force"]
    for width, below in ((900, True), (1500, False)):
        window.resize(width, 760)
        qtbot.waitUntil(lambda wanted=below: (_top(head, cycles) > _top(head, force)) is wanted)
        for title in ("&Packages", "Sizes", "Open all", "Cycles"):
            button = buttons[title]
            shown = QRect(button.mapTo(head, QPoint()), button.size())
            assert head.rect().contains(shown), f"{title} is whole at {width}"
            assert button.width() >= button.sizeHint().width(), f"{title} is whole at {width}"
        if below:
            tall = head.height()
            force.click()
            qtbot.waitUntil(lambda tall=tall: head.height() < tall)  # this view has no tools
            buttons["&Packages"].click()


def _top(head: QWidget, button: QWidget) -> int:
    return button.mapTo(head, QPoint()).y()


@pytest.mark.guarded
def test_the_keyboard_stays_in_the_row_of_buttons_when_a_reduction_is_stopped(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, slow(0.2))
    run = window.parts.run
    qtbot.mouseClick(run.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: bool(window.controller.state.steps))
    run.stop.setFocus()
    qtbot.mouseClick(run.stop, Qt.MouseButton.LeftButton)
    wait_idle(qtbot, window)
    assert run.start.hasFocus()
    assert "was stopped" in run.status.text()
    fill(window, NEEDS_MAIN)
    run.check.click()
    wait_idle(qtbot, window)
    assert run.status.text().startswith("Checked:"), "what was said of the reduction is over"


def test_no_message_and_no_list_pushes_the_status_bar_off_the_screen(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    page, messages, names = window.parts.empty, window.parts.messages, [f"jar {number}" for number in range(9)]
    page.show_recent([[str(sample_jar)]] * 9)
    kept = [events.KeptSession(name, name, 9, 0.0, over) for over in (False, True) for name in names]
    page.show_sessions(events.Sessions(kept))
    for opened in (False, True):
        if opened:
            open_jar(qtbot, window, sample_jar)
        buttons = [MessageButton(words, list) for words in ("Add 12 jars", "Export jar…")]
        messages.tell("A sentence of some words that is said again. " * 14, "warning", *buttons, about="result")
        qtbot.waitUntil(messages.isVisible)
        QApplication.processEvents()
        assert (window.width(), window.height()) == (1280, 800)
        assert window.rect().contains(window.parts.status_bar.geometry())
        place = messages.mapTo(window, QPoint()), messages.size()
        messages.details.click()
        assert messages.text.isVisible()
        assert messages.text.height() >= messages.text.heightForWidth(messages.text.width()), "all of it can be read"
        messages.tell("Short.", "warning")
        QApplication.processEvents()
        assert (messages.mapTo(window, QPoint()), messages.size()) == place, "one place for all sentences"


def test_a_menu_that_is_higher_than_the_screen_scrolls(window: MainWindow) -> None:
    for menu in window.menuBar().findChildren(QMenu):
        assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu), menu.title()


def test_no_page_makes_the_window_wider(qtbot: QtBot, window: MainWindow) -> None:
    parts = window.parts
    for page in range(parts.centre.count()):
        parts.centre.setCurrentIndex(page)
        qtbot.wait(20)
        assert window.width() == 1280, "no page makes the window wider"
