"""Tables and texts on the page of a bug, from events alone: tools, their versions, Java source."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.bug.bug_presenter import BugPresenter
from app.bug.bug_view import BugView
from app.bug.dialogs import SourceDialog, VersionsDialog
from app.bug.tools_view import CellWish, ToolsView
from app.engine.controller import Controller
from core.evidence.kinds_of_failures import FoundKinds, KindCost
from core.predicate.failures import Wanted
from core.protocol import events
from core.protocol.settings import Settings
from core.protocol.wire import Command
from tests.support.run_events import packed


def test_a_cell_offers_a_difference_where_another_tool_does_not_fail(qtbot: QtBot) -> None:
    view = ToolsView()
    qtbot.addWidget(view)
    bad = events.ToolRan("cfr", "CFR", "1", ["A.java: x", "B.java: y"], ["p.A", "p.B"], 1, 1.0)
    other = events.ToolRan("procyon", "Procyon", "2", ["B.java: z"], ["p.B"], 1, 1.0)
    view.begin()
    view.hear(events.ToolsListed(["CFR", "Procyon"]))
    assert view.note.text() == "Running CFR, 1 of 2…"
    view.add(bad)
    assert view.note.text() == "Running Procyon, 2 of 2…"
    assert view.reduce.isEnabled(), "nobody needs to wait for the other tools"
    qtbot.waitUntil(lambda: view.note.text().startswith("Running Procyon, 2 of 2, for 1"))
    view.table.setCurrentIndex(view.model.index(view.model.places.index("p.A") + 1, 1))
    view.add(other)
    assert view.model.words(view.table.currentIndex().row(), 0) == "p.A", "what is selected stays"
    view.end(events.ToolsRan(False, [["Fernflower", "Get it."]]))
    assert "2 of 2 tools fail" in view.note.text()
    assert "Not installed: 1 other." in view.note.text()
    assert "Fernflower" in view.note.toolTip()
    row = view.model.places.index("p.A") + 1
    assert [view.model.words(row, column) for column in (1, 2)] == ["1", "·"]
    wishes = dict(view.wishes(row, 1))
    difference = wishes["CFR but not Procyon: A.java: x"]
    assert difference == CellWish("differ", (("first", "cfr"), ("second", "procyon")), "chosen A.java: CFR only: x")
    listed = [view.choices.item(at).text() for at in range(view.choices.count())]
    assert listed == ["A.java: x", "CFR but not Procyon: A.java: x"], "what the selected cell can begin"
    with qtbot.waitSignal(view.reduction_wanted) as begun:
        QTest.mouseClick(view.reduce, Qt.MouseButton.LeftButton)
    assert begun.args == [CellWish("cfr", (), "chosen A.java: x")]
    view.table.setCurrentIndex(view.model.index(row, 2))
    assert "Procyon does not fail here" in view.choices.item(0).text()
    assert not view.reduce.isEnabled()
    with qtbot.waitSignal(view.run_wanted) as fetched:
        QTest.mouseClick(view.get, Qt.MouseButton.LeftButton)
    assert fetched.args == ["input", True], "the others are downloaded first"
    assert view.wishes(row, 2) == []
    assert [wish.preset for _, wish in view.wishes(view.model.places.index("p.B") + 1, 2)] == ["procyon"]


def test_failures_are_counted_by_their_names_as_in_a_check(qtbot: QtBot) -> None:
    view = ToolsView()
    qtbot.addWidget(view)
    names = ["A.java: x", "A.java: x", "A.java: y", "B.java: x"]
    ran = events.ToolRan("cfr", "CFR", "1", names, ["p.A", "p.A", "p.A", "p.B"], 1, 1.0, kinds=2)
    view.add(ran)
    assert ran.counts == "3 failures of 2 kinds at 4 places"
    assert [view.model.words(row, 1) for row in range(3)] == ["3", "2", "1"]
    assert view.model.tip(0, 1).splitlines() == [f"{ran.counts}:", "A.java: x", "A.java: y", "B.java: x"]
    assert view.wishes(0, 1)[0][0] == f"Each kind of failure of CFR: {ran.counts}"
    assert (
        FoundKinds((KindCost(("A.java: x", "B.java: x"), "", 0), KindCost(("A.java: y",), "", 0)), 4, Wanted())
        .text(options=True)
        .startswith(f"{ran.counts}: ")
    ), "the check says it too"


def test_failures_that_are_new_or_of_missing_libraries_stand_apart(
    qtbot: QtBot, controller: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, state = BugView(), controller.state
    qtbot.addWidget(view)
    asked: list[Command] = []
    monkeypatch.setattr(controller.client, "send", asked.append)
    presenter = BugPresenter(controller, view, lambda: Settings(predicate="true {jar}"))
    view.show()
    presenter.checked(events.Checked(True, True, 2, 0.1, "interesting", "It fails.", "", "", "", 9.0))
    qtbot.waitUntil(lambda: len(asked) == 1)
    file = events.ShownFile("a/A.java", "a\nb", "a\nb", [1, 2], [1, 2], [0])
    names = {"A.java: made": 1, "A.java: lost": 0, "A.java: bug": 1, "A crash": -1}
    failures = [events.ShownFailure(name, "", min(row, 0), row) for name, row in names.items()]
    page = events.BugShown(1, failures=failures, files=[file], request=1)
    controller.client.told.emit(page)
    assert view.heading.text() == "4 failures in 1 class"
    final = {"new": ["A.java: made", "A crash"], "of_libraries": ["A.java: lost"]}
    state.finished = events.Finished("done", "It is over.", packed(0), 1, 9, 2, 0.4, {"final": final})
    controller.client.told.emit(page)
    assert [view.failures.item(row).text() for row in range(4)] == [
        "Line 2:  A.java: bug",
        "New in the result, line 2:  A.java: made",
        "Missing library, line 1:  A.java: lost",
        "New in the result:  A crash",
    ]
    assert view.heading.text() == "1 failure in 1 class, and 2 new in the result, and 1 of missing libraries"
    assert view.failures.item(1).toolTip().startswith("The full input shows no failure of this kind")
    assert view.failures.item(2).toolTip().startswith("It comes from a missing library")
    view.go_to_failure("A.java: lost")
    assert view.failures.currentRow() == 2


def test_every_tool_is_in_sight_where_there_is_little_room(qtbot: QtBot) -> None:
    view = ToolsView()
    qtbot.addWidget(view)
    view.show()
    for name in ("CFR", "Procyon", "Vineflower", "Fernflower", "JD-CLI", "javac", "ECJ", "ProGuard", "jdeps", "R8"):
        view.add(events.ToolRan(name, name, "1.10.20", ["A.java: x"], ["p.A"], 1, 1.0))
    header, model = view.table.horizontalHeader(), view.model
    tip = model.headerData(3, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    for wide, turned in ((1600, False), (620, True)):
        view.resize(wide, 300)
        qtbot.waitUntil(lambda turned=turned: view.table.heads.turned is turned)
        qtbot.waitUntil(lambda: view.table.horizontalScrollBar().maximum() == 0)
        assert header.length() <= view.table.viewport().width()
        assert tip == "Vineflower 1.10.20"
    longest = header.fontMetrics().horizontalAdvance("Vineflower")
    qtbot.waitUntil(lambda: header.height() > longest > header.sectionSize(3))  # turned, and whole
    view.add(events.ToolRan("ecj", "CFR, then ECJ", "1", [], [], 255, 1.0, "It does not start."))
    qtbot.waitUntil(lambda: model.words(0, 11) == "?")
    assert model.tip(0, 11) == "It does not start."
    view.resize(1600, 300)
    qtbot.waitUntil(lambda: model.words(0, 11) == "no answer")


def test_the_versions_that_fail_are_a_table_and_a_sentence(qtbot: QtBot) -> None:
    dialog = VersionsDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    assert (dialog.stop.isEnabled(), dialog.every.isEnabled()) == (True, False)
    assert (dialog.blank.isVisible(), dialog.table.isVisible()) == (True, False), "there is no empty table"
    dialog.hear(events.VersionsListed("Vineflower", ["1.9", "1.10", "1.11"], 1))
    assert [dialog.model.words(row, 2) for row in range(3)] == ["not run"] * 3
    assert (dialog.blank.isVisible(), dialog.table.isVisible()) == (False, True)
    dialog.hear(events.VersionRan("1.10", 1, "2024-06-01", "fails", "1 failure", ["x"], 1.25))
    dialog.hear(events.VersionRan("1.9", 0, "", "no answer", "does not start"))
    assert dialog.sentence.text() == "2 of 3 versions of Vineflower run…"
    assert [dialog.model.words(1, column) for column in range(4)] == ["1.10", "2024-06-01", "fails", "1.2 s"]
    assert dialog.model.words(0, 3) == "does not start"
    dialog.hear(events.VersionsRan("Vineflower fails in 1.10.", "1.10"))
    assert dialog.sentence.text() == "Vineflower fails in 1.10."
    with qtbot.waitSignal(dialog.run_wanted) as asked:
        QTest.mouseClick(dialog.every, Qt.MouseButton.LeftButton)
    assert asked.args == [True]
    dialog.begin()
    with qtbot.waitSignal(dialog.stop_wanted):
        dialog.close()


def test_java_source_is_shown_copied_and_exported_as_a_test(qtbot: QtBot) -> None:
    dialog = SourceDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    assert (dialog.stop.isEnabled(), dialog.test.isEnabled(), dialog.copy.isEnabled()) == (True, False, False)
    projects = [["cfr", "CFR"], ["jtreg", "OpenJDK (jtreg)"]]
    dialog.show_found(events.SourceFound("It shows it.", ["a/A.java"], ["class A { }\n"], projects))
    assert dialog.sentence.text() == "It shows it."
    assert dialog.page.toPlainText() == "// a/A.java\nclass A { }\n"
    QTest.mouseClick(dialog.copy, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == dialog.page.toPlainText()
    dialog.projects.setCurrentIndex(1)
    with qtbot.waitSignal(dialog.test_wanted) as asked:
        QTest.mouseClick(dialog.test, Qt.MouseButton.LeftButton)
    assert asked.args == ["jtreg"]
    dialog.begin()
    with qtbot.waitSignal(dialog.stop_wanted):
        dialog.close()
