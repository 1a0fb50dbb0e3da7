"""The page of the bug, shown what an engine would send: lines, sizes, notes; and the text of the report."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.bug.bug_presenter import BugPresenter
from app.bug.bug_view import BugView
from app.bug.report import _readable
from app.bug.source_view import SourceView
from app.engine.controller import Controller
from app.window.main_window import MainWindow
from core.protocol import events
from core.protocol.settings import Settings


def page(classes: int = 2, row: int = 3, extra: bool = False) -> events.BugShown:
    lines = [f"int x{number};" for number in range(6)]
    code, numbers = "\n".join(lines), [1, 2, 3, 4, 5, 6]
    one = events.ShownFile("a/A.java", code, code, numbers, numbers, [row])
    failures = [events.ShownFailure("A.java: bad", "A.java:4: error: bad", 0, row)]
    files = [one]
    if extra:
        files.append(one._replace(name="a/B.java", marked=[1, 5]))
        failures += [events.ShownFailure(f"B.java: {at}", "", 1, at) for at in (1, 5)]
    choices = [["vineflower", "Vineflower 1"], ["input", "The input"]]
    return events.BugShown(classes, "CFR 1", "vineflower", "Vineflower 1", choices, failures, files)


def test_a_failure_leads_to_its_line(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    view.show_page(page(extra=True))
    assert view.failures.count() == 3
    assert view.failures.item(0).text() == "Line 4:  A.java: bad"
    assert sorted(view.left._marked) == [3]
    view.step(1)
    assert view.files.currentData() == "a/B.java"
    assert sorted(view.left._marked) == [1, 5]
    view.go_to_failure("B.java: 5")
    assert view.failures.currentRow() == 2
    assert view.heading.text() == "3 failures in 2 classes"
    assert view.right.toPlainText() == view.left.toPlainText()
    top = view.failures.mapTo(view, view.failures.rect().topLeft())
    view.wait(2)
    assert view.note.shown() == "Decompiling 2 classes…", "what is shown is of an earlier step"
    assert view.note.isVisible()
    view.layout().activate()
    assert view.failures.mapTo(view, view.failures.rect().topLeft()) == top, "nothing moves"
    view.show_page(page(classes=1))  # the next step: that failure's file is gone
    assert view.note.text() == ""
    assert not view.note.isVisible()
    assert view.files.currentData() == "a/A.java"
    assert "1 class" in view.heading.text()
    view.wait(0)  # the command does not look at the jar
    assert view.note.text() == "", "nothing is decompiled"
    view.clear("Nothing", "Nothing is open.")
    for classes, title in ((1, "Decompiling 1 class…"), (0, "No source")):
        view.wait(classes)
        assert view.blank.title.text() == title


def test_the_failing_line_stays_in_sight_in_a_lower_window(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.show()
    rows = "\n".join(f"int x{number};" for number in range(100))
    whole = page(row=60)
    view.left.resize(600, 2400)  # as large as the page never was: it is laid out once it is seen
    numbers = list(range(1, 101))
    long = whole.files[0]._replace(left=rows, right=rows, left_lines=numbers, right_lines=numbers)
    whole = replace(whole, files=[long, *whole.files[1:]])
    view.show_page(replace(whole, files=[whole.files[0]._replace(right="", right_lines=[])]))

    def seen() -> bool:
        top = view.left.verticalScrollBar().value()
        return top <= 60 < top + view.left.verticalScrollBar().pageStep()

    qtbot.waitUntil(seen)
    view.show_page(whole)  # the other decompiler is ready too
    qtbot.waitUntil(lambda: seen() and view.right.verticalScrollBar().value() == view.left.verticalScrollBar().value())
    view.resize(900, 260)  # a dock grows
    qtbot.waitUntil(seen)
    few, numbers = "\n".join("x" * 30 for _ in range(24)), [*range(1, 25)]
    short = whole.files[0]._replace(left=few, right=few, left_lines=numbers, right_lines=numbers)
    view.resize(900, 600)
    view.show_page(replace(whole, files=[short._replace(marked=[20])], failures=[whole.failures[0]._replace(row=20)]))
    qtbot.waitUntil(lambda: view.left.verticalScrollBar().maximum() == 0)
    view.resize(900, 300)
    bars = view.left.verticalScrollBar(), view.right.verticalScrollBar()
    qtbot.waitUntil(lambda: bars[0].value() > 0)
    qtbot.waitUntil(lambda: bars[0].value() == bars[1].value())


def test_steps_that_come_faster_than_pages_do_not_leave_the_page_empty(
    qtbot: QtBot, controller: Controller, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, asked = BugView(), []
    qtbot.addWidget(view)
    monkeypatch.setattr(controller.client, "send", asked.append)
    presenter = BugPresenter(controller, view, lambda: Settings(predicate="true {jar}"))
    view.show()
    presenter.run_started()
    presenter.checked(events.Checked(True, True, 2, 0.1, "interesting", "It fails.", "", "", "", 9.0))
    for number in (1, 2):
        presenter.refresh()
        assert view.blank.title.text() == "Decompiling 6 classes…"
        qtbot.waitUntil(lambda number=number: len(asked) == number)
    controller.client.told.emit(replace(page(classes=7), request=asked[0].request))
    assert "7 classes" in view.heading.text(), "the page of an earlier step is better than none"
    assert view.note.text() == "Decompiling 6 classes…", "and it says that a newer one is being made"
    controller.client.told.emit(replace(page(classes=8), request=asked[1].request))
    assert view.note.text() == ""
    presenter.run_started()
    assert view.page is None, "what is of the run before goes"
    assert view.blank.words.sizeHint().height() <= view.blank.words.height(), "all lines of it are seen"
    controller.client.told.emit(replace(page(classes=9), request=asked[1].request))
    assert view.page is None, "an answer about it is not shown any more"


def test_the_page_says_what_was_rewritten(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.show_page(page())
    assert view.rewritten.text() == "Nothing was rewritten, only removed."
    view.show_page(replace(page(), rewritten=["p.A is merged into p.B", "p.B.f() is native"]))
    assert not view.rewritten.isHidden()
    assert view.rewritten.text() == "Rewritten, 2 edits: p.A is merged into p.B; p.B.f() is native"
    assert view.rewritten.toolTip() == "p.A is merged into p.B\np.B.f() is native"
    assert view.none.isHidden()
    view.show_page(replace(page(), files=[], failures=[], problem="No decompiler is installed."))
    assert [part.isHidden() for part in (view.blank, view.sides, view.failures)] == [False, True, True]
    assert view.blank.words.text() == "No decompiler is installed."
    assert view.note.isHidden(), "it is said once"
    view.clear("Nothing", "Nothing is open.")
    assert view.rewritten.isHidden()
    assert view.top.isHidden(), "nothing can be done with it"


def test_a_page_of_many_failures_does_not_widen_the_window(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1280, 800)
    window.parts.pages.setCurrentWidget(window.parts.centre)
    window.parts.centre.show_bug()
    made = page(classes=123_456)
    first = made.files[0]._replace(name=f"{'package/' * 9}VeryLongNameOfAClass.java")
    failures = [made.failures[0]._replace(name=f"bad {number}") for number in range(1_234)]
    window.parts.centre.bug.show_page(replace(made, files=[first], failures=failures, decompiled=12_345))
    window.layout().activate()
    assert window.width() == 1280
    assert window.minimumSizeHint().width() <= 1280
    files = window.parts.centre.bug.files
    assert files.currentText().startswith("VeryLongNameOfAClass.java (1)  package/")
    assert files.shown().endswith("…"), "a cut is told"
    files.resize(1200, files.height())
    assert files.shown() == files.currentText()


def test_what_stands_beside_can_be_chosen(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.show_page(page())
    view.beside.setCurrentIndex(1)
    with qtbot.waitSignal(view.beside_wanted):
        view.beside.activated.emit(1)
    assert view.beside.currentData() == "input"


def test_rows_have_the_numbers_of_their_source(qtbot: QtBot) -> None:
    view = SourceView("x")
    qtbot.addWidget(view)
    view.resize(300, 200)
    view.show()
    view.show_rows(f"{'a' * 99}\n\nb", [7, 0, 8], [2])
    view.go_to(2)
    numbers = [part.height() for part in view.findChildren(QWidget) if type(part).__name__ == "_Gutter"]
    assert numbers == [view.viewport().height()]
    assert view.accessibleDescription() == "Failing lines: 8"
    assert len(view.extraSelections()) == 1
    view.grab()


def test_of_a_large_candidate_it_says_what_was_looked_at(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    made = page(classes=266, extra=True)
    failures = [*made.failures, made.failures[0]]
    empty = [one._replace(right="") for one in made.files]
    view.show_page(replace(made, failures=failures, files=empty, decompiled=12))
    assert view.heading.text() == "3 failures at 4 places in 12 of 266 classes"
    assert view.right.toPlainText() == ""
    assert view.right.placeholderText() == "Vineflower 1 is decompiling…"
    view.show_page(made)
    assert len(view.right.extraSelections()) == 1, "what comes later is marked too, though nothing is scrolled"
    view.show_page(replace(made, files=empty, beside_made=True))
    assert view.right.placeholderText() == "Vineflower 1: no such file."
    assert view.files.itemText(1) == "B.java (2)  a"


def test_the_report_shows_no_empty_heads_of_tables() -> None:
    told = _readable(
        "# X\n\n| | |\n|---|---|\n| Predicate | sh -c 'a \\| b' |\n| Exit code | 1 |\n\n```\n| | x |\n```\n"
    )
    assert told.splitlines()[2:6] == ["**Predicate**: sh -c 'a \\| b'", "", "**Exit code**: 1", ""]
    assert "| | x |" in told


def long_page() -> events.BugShown:
    """A failing line of 400 letters, and 300 lines that the input alone has."""
    gone = [f"void gone{number}();" for number in range(300)]
    failing = "throw new Error(" + "value + " * 48 + "1);"
    lefts = ["class A {", *[""] * 300, failing, "}"]
    rights = ["class A {", *gone, failing, "}"]
    numbers = ([1, *[0] * 300, 2, 3], list(range(1, 304)))
    one = events.ShownFile("a/A.java", "\n".join(lefts), "\n".join(rights), *numbers, [301])
    failures = [events.ShownFailure("A.java: bad", "A.java:2: error: bad", 0, 301)]
    choices = [["input", "The input"]]
    return events.BugShown(1, "CFR 1", "input", "The input", choices, failures, [one])


def test_where_two_runs_differ_is_read_below_the_failure(qtbot: QtBot) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.resize(900, 500)
    view.show()
    qtbot.waitUntil(lambda: view.blank.height() > 100)
    shown = page()
    told = "begin\nfirst:  at 12\nsecond: at 24\n"
    shown = replace(shown, failures=[events.ShownFailure("another standard output", told, 0)])
    view.show_page(shown)
    assert view.failures.item(0).text() == "another standard output\nfirst:  at 12\nsecond: at 24"
    qtbot.waitUntil(lambda: view.failures.height() >= 3 * view.failures.fontMetrics().height())


@pytest.mark.parametrize("width", [1400, 600])
def test_the_failing_line_is_read_whole_beside_folded_lines_that_are_gone(qtbot: QtBot, width: int) -> None:
    view = BugView()
    qtbot.addWidget(view)
    view.resize(width, 600)
    view.show()
    view.show_page(long_page())
    qtbot.waitUntil(lambda: view.left.top_row() == view.right.top_row() == 0)  # all that is left is in sight
    for side in (view.left, view.right):
        assert side.document().findBlockByNumber(1).text() == "… 300 lines gone"
        failing = side.document().findBlockByNumber(301)
        area = side.blockBoundingGeometry(failing).translated(side.contentOffset())
        assert area.width() <= side.viewport().width(), "wrapped"
        assert area.height() > 2 * side.fontMetrics().height()
        assert 0 < area.top() < area.bottom() < side.viewport().height(), "in sight as a whole"
        image, x = side.viewport().grab().toImage(), side.viewport().width() - 4
        first, last, below = (
            image.pixelColor(x, int(y)) for y in (area.top() + 3, area.bottom() - 3, area.bottom() + 3)
        )
        assert first == last != below, "marked as a whole"
    beside = view.right.mapTo(view, view.right.pos()).x() > view.left.width()
    assert beside is (width > 800), "one above the other where there is no width"
