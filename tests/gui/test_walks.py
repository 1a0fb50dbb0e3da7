"""A person's ways through the window: exploring, reducing one bug, one jar a bug, going on after a crash."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QTreeWidget, QTreeWidgetItem, QTreeWidgetItemIterator
from pytestqt.qtbot import QtBot

from app.engine.run_state import EngineState
from app.window.main_window import MainWindow
from tests.support.gui_helpers import after_a_crash, best_jar, fill, open_jar, wait_idle

SLOW = "sh -c 'sleep 0.08; test -f {classes}/sample/Main.class'"
TWO_BUGS = (
    "sh -c 'test -f {classes}/fji/I.class && echo BUG one; "
    "test -f {classes}/sample/number/Rational.class && echo BUG two; exit 0'"
)


@pytest.mark.slow
def test_exploring(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    tree, model = window.parts.tree.tree, window.parts.tree.model
    item = model.item_of("sample/number/Rational")
    tree.setCurrentIndex(model.index_of(item))
    assert window.parts.graph.stage.item == item
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_Right)  # unfolds
    qtbot.waitUntil(lambda: model.members_loaded(item))
    above = model.index_of(item)
    names = [model.data(model.index(row, 0, above)) for row in range(model.rowCount(above))]
    assert "reciprocal()" in names
    member = model.index(names.index("reciprocal()"), 0, above)
    tree.setCurrentIndex(member)
    assert window.parts.selection.text() == "sample.number.Rational.reciprocal()"
    assert window.parts.graph.stage.item == item, "the graph shows the member's class"
    window.commands.edit.copy_name()
    assert QGuiApplication.clipboard().text() == "sample.number.Rational.reciprocal()"

    window.actions_by_id["inspect"].trigger()
    inspector = window.parts.inspector
    assert inspector.title.text() == "sample.number.Rational.reciprocal()"

    def needed_by() -> list[str]:
        return [row.text(column) for row in tied(inspector.needed_by) for column in (0, 1)]

    qtbot.waitUntil(lambda: any("calls" in words for words in needed_by()))
    assert any(words.startswith("Scale") for words in needed_by())
    window.selection.select(-1, None)
    assert inspector.needed_by.topLevelItemCount() == 0
    window.selection.select(item, window.parts.tree)
    window.selection.look_at(item, "sample/number/Rational.reciprocal:()Lsample/number/Rational;")
    qtbot.waitUntil(lambda: any("calls" in words for words in needed_by()))

    row = tied(inspector.needed_by)[0]
    other = str(row.data(0, Qt.ItemDataRole.UserRole))
    inspector.needed_by.itemActivated.emit(row, 0)
    assert window.selection.name == other
    window.selection.select_name("sample/Main.main:([Ljava/lang/String;)V")
    qtbot.waitUntil(lambda: model.name_at(tree.currentIndex()).startswith("sample/Main.main"))


@pytest.mark.slow
def test_reducing_one_bug(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    qtbot.waitUntil(lambda: window.parts.run.form.algorithm.count() > 0)
    state, model = window.controller.state, window.parts.tree.model
    fill(window, SLOW, algorithm="gbr", granularity="member", evidence=False)  # else it is over at once
    window.actions_by_id["check"].trigger()
    wait_idle(qtbot, window)
    assert "The whole jar fails" in window.parts.messages.text.text()

    main, kept = model.item_of("sample/Main"), model.item_of("sample/number/Interval")
    window.parts.tree.tree.expand(model.index_of(main))
    qtbot.waitUntil(lambda: model.members_loaded(main))
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: state.executed >= 4)
    window.actions_by_id["pause"].trigger()
    assert state.phase is EngineState.PAUSED
    window.parts.tree.tree.setCurrentIndex(model.index_of(kept))
    window.actions_by_id["pin"].trigger()
    assert "when the reduction is resumed" in window.parts.messages.text.text()
    window.actions_by_id["undo"].trigger()
    window.actions_by_id["pause"].trigger()
    assert len(state.runs) == 1, "nothing has changed in the end: the run goes on"
    window.pins.toggle([window.controller.state.jar.names[kept]])  # type: ignore[union-attr]
    assert window.parts.messages.action_button.text() == "Apply the pins now"
    qtbot.waitUntil(lambda: bool(state.phases) and state.phases[-1].level == "items")
    window.actions_by_id["stop"].trigger()
    wait_idle(qtbot, window)

    probes = state.executed
    window.actions_by_id["start"].trigger()
    question = window.commands.reduce.question
    if question is not None:  # a result that holds the pinned class
        question.over_button.click()
    qtbot.waitUntil(lambda: state.finished is None)
    wait_idle(qtbot, window)
    assert probes
    finished = state.finished
    assert finished is not None
    assert finished.reason == "done"
    assert "Pinned, but not" not in window.parts.messages.text.text()
    assert state.states[kept] != 3, "what is pinned stays"
    assert state.cached or finished.probes, "answers of the run before are used again"

    above = model.index_of(main)
    method = next(i for i in range(model.rowCount(above)) if model.data(model.index(i, 0, above)).startswith("main("))

    def gone() -> bool:
        row = model.row(model.index(method, 0, above))
        return row.state is not None and row.state.name == "GONE"

    qtbot.waitUntil(gone)  # the file must stay, what is in it need not

    window.parts.log_tabs.setCurrentWidget(window.parts.steps)
    steps = window.parts.steps
    assert steps.model.rowCount() == sum(len(run.steps) for run in state.runs)
    steps.table.selectRow(0)
    assert window.parts.graph.legend is not None
    assert window.states.looked[0] is state.runs[0].steps[0]
    assert "Ctrl+click a second step" in steps.words.toPlainText()
    last = steps.model.index(steps.model.rowCount() - 1, 2)
    steps.table.scrollTo(last)
    place, keys = steps.table.visualRect(last).center(), Qt.KeyboardModifier.ControlModifier
    qtbot.mouseClick(steps.table.viewport(), Qt.MouseButton.LeftButton, keys, place)
    qtbot.waitUntil(lambda: "entries removed" in steps.words.toPlainText())
    assert steps.words.toPlainText().startswith("From the input of reduction 1 to "), "the two that are compared"
    steps.now.click()
    assert window.states.looked == (None, None)


@pytest.mark.guarded
def test_dropping_first_and_what_stands_in_the_way(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, "sh -c 'test -f {classes}/sample/number/Rational.class'", algorithm="gbr", granularity="member")
    tree, model, state = window.parts.tree.tree, window.parts.tree.model, window.controller.state
    unit, rational = model.item_of("sample/unit/Unit"), model.item_of("sample/number/Rational")
    tree.setCurrentIndex(model.index_of(unit))
    tree.setFocus()
    qtbot.keyClick(tree, Qt.Key.Key_D)
    assert window.pins.first == ["sample/unit/Unit"]
    assert model.row(model.index_of(unit)).first
    assert "to be dropped first" in model.data(model.index_of(unit), Qt.ItemDataRole.AccessibleDescriptionRole)
    assert "1 to drop first" in window.parts.tree.count.text()

    window.pins.toggle(["sample/unit/Units.get:(Ljava/lang/String;)Lsample/unit/Unit;"])
    qtbot.waitUntil(lambda: "cannot be dropped" in window.parts.messages.text.text())
    words = window.parts.messages.text.text()
    assert words == (
        "Unit cannot be dropped: Units.get(String) is kept; it needs Unit "
        "(a method needs the classes of its parameters and result, or has Object there)."
    )
    window.actions_by_id["undo"].trigger()
    assert window.pins.names == []

    window.selection.select(rational, None)
    tree.expand(model.index_of(rational))
    window.parts.show_inspector()
    qtbot.waitUntil(lambda: len(tied(window.parts.inspector.needed_by)) > 3)
    assert window.parts.inspector.state.text() == "", "before a run there is no state"
    window.actions_by_id["start"].trigger()
    qtbot.waitUntil(lambda: bool(state.phases))
    assert state.phases[0].phase == "first"
    wait_idle(qtbot, window)
    assert state.states[unit] == 3
    assert state.finished is not None
    assert state.finished.report["settings"]["drop_first"] == ["sample/unit/Unit"]
    window.parts.show_inspector()  # the start has brought the progress to the front
    qtbot.waitUntil(lambda: window.parts.inspector.state.text() in ("kept", "needed"))
    row = tied(window.parts.inspector.needed_by)[0]
    qtbot.waitUntil(lambda: row.data(0, Qt.ItemDataRole.AccessibleDescriptionRole) == "gone")
    assert not row.icon(0).isNull()


@pytest.mark.guarded
def test_members_tell_what_is_needed(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    has = "grep -q reciprocal {classes}/sample/number/Rational.class"
    fill(window, f"sh -c '{has}'", algorithm="auto", granularity="member")
    model = window.parts.tree.model
    item = model.item_of("sample/number/Rational")
    window.parts.tree.tree.expand(model.index_of(item))
    qtbot.waitUntil(lambda: model.members_loaded(item))
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: bool(window.controller.state.steps))
    wait_idle(qtbot, window)

    def states() -> dict[str, str]:
        above = model.index_of(item)
        rows = [model.row(model.index(number, 0, above)) for number in range(model.rowCount(above))]
        return {row.name: row.state.name for row in rows if row.state is not None}

    qtbot.waitUntil(lambda: {"NEEDED", "GONE"} <= set(states().values()))


@pytest.mark.slow
def test_one_jar_a_bug(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, TWO_BUGS, failures_as="BUG .*", algorithm="binary")
    window.commands.reduce.check()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: window.parts.failures.each.isEnabled())
    assert window.parts.log_tabs.tabText(3) == "Failures (2)"
    window.parts.failures.table.selectRow(0)
    window.parts.failures.keep.click()
    assert window.parts.run.form.settings().failures == "chosen BUG one"

    folder = tmp_path / "bugs"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder), ""))
    window.parts.failures.each.click()
    qtbot.waitUntil(lambda: "2 reduced jars written" in window.parts.messages.text.text())
    assert sorted(path.name for path in folder.iterdir()) == [
        f"{number}.{ending}" for number in (1, 2) for ending in ("jar", "json", "md")
    ]
    for number, needed in ((1, "fji/I.class"), (2, "sample/number/Rational.class")):
        with zipfile.ZipFile(folder / f"{number}.jar") as jar:
            assert needed in jar.namelist()
            assert len(jar.namelist()) <= 2
    rows = [window.parts.failures.model.words(row, 2) for row in range(2)]
    assert rows[0].endswith(": 1.jar")
    assert rows[1].endswith(": 2.jar")


@pytest.mark.guarded
def test_an_interrupted_reduction_goes_on(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, SLOW, algorithm="ddmin", max_probes=400)
    window.pins.toggle(["sample/number/Rational"])
    window.commands.reduce.start()
    state = window.controller.state
    qtbot.waitUntil(lambda: len(state.steps) > 2 and best_jar(window).exists())
    asked = state.executed
    again = after_a_crash(qtbot, window)
    again.parts.messages.action_button.click()  # nothing of a session runs before
    qtbot.waitUntil(lambda: len(again.controller.state.steps) > 2)
    assert again.parts.run.form.settings().predicate == SLOW
    assert again.parts.run.form.settings().max_probes == 400
    assert again.pins.names == ["sample/number/Rational"]
    # what was run before is not run again
    qtbot.waitUntil(lambda: again.controller.state.cached >= asked // 2)
    again.commands.reduce.stop()
    wait_idle(qtbot, again)


@pytest.mark.guarded
def test_good_enough_stops_and_asks_where_to(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, SLOW, algorithm="ddmin")
    target = tmp_path / "enough.jar"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    window.commands.reduce.start()
    qtbot.waitUntil(lambda: window.controller.state.reduced)
    window.actions_by_id["enough"].trigger()
    qtbot.waitUntil(target.exists)
    wait_idle(qtbot, window)
    with zipfile.ZipFile(target) as jar:
        assert "sample/Main.class" in jar.namelist()


OTHER = "sh -c 'grep -q sample/number/Rational {jar} && exit 0; grep -q sample/ {jar} && exit 101; exit 1'"


@pytest.mark.guarded
def test_another_failure_gets_a_jar_but_no_reduction(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    fill(window, OTHER, also_interesting=101, algorithm="binary")
    window.commands.reduce.start()
    wait_idle(qtbot, window)
    qtbot.waitUntil(lambda: window.parts.failures.model.rowCount() == 1)
    failures = window.parts.failures
    qtbot.waitUntil(lambda: failures.model.words(0, 2).endswith(".jar"))
    assert failures.model.words(0, 0) == "exit code 101"
    assert zipfile.is_zipfile(failures.model.words(0, 2))
    failures.table.selectRow(0)
    assert not window.parts.failures.too.isEnabled(), "the input does not show it"
    assert not window.parts.failures.each.isEnabled()


def tied(tree: QTreeWidget) -> list[QTreeWidgetItem]:
    """Return the rows that name an item, in whatever group."""
    found, rows = QTreeWidgetItemIterator(tree), []
    while (row := found.value()) is not None:
        if row.data(0, Qt.ItemDataRole.UserRole):
            rows.append(row)
        found += 1
    return rows
