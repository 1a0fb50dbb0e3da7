"""Names in strings and bytecode: the search for them, their places in the code view, their edges."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.gui_helpers import open_jar
from tests.support.java import CompileJava

REFLECTING = {
    "lib/Loader.java": "package lib; public class Loader { /** x */ static final String NAME = \"lib.Hidden\";"
    " Object load() throws Exception { return Class.forName(\"lib.Hidden\").newInstance(); }"
    " int twice(int n) { return once(n) * 2; } int once(int n) { return n + new Plain().size(); } }",
    "lib/Hidden.java": "package lib; public class Hidden { }",
    "lib/Plain.java": "package lib; public class Plain { int size() { return 1; } }",
}  # fmt: skip


@pytest.fixture
def reflecting(qtbot: QtBot, window: MainWindow, compile_java: CompileJava) -> MainWindow:
    open_jar(qtbot, window, compile_java(REFLECTING))
    return window


def find(qtbot: QtBot, window: MainWindow, words: str, place: str) -> list[tuple[str, str]]:
    """Search as a user does; the places."""
    window.actions_by_id["find_code"].trigger()
    panel = window.parts.find
    panel.place.setCurrentIndex(panel.place.findData(place))
    panel.field.setText(words)
    QTest.keyClick(panel.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: " in " in panel.note.text())
    model = panel.table.model()
    return [(model.index(row, 0).data(), model.index(row, 1).data()) for row in range(model.rowCount())]


def test_a_text_is_found_in_strings_and_bytecode(qtbot: QtBot, reflecting: MainWindow) -> None:
    assert ("Loader.load()", "lib.Hidden") in find(qtbot, reflecting, "HIDDEN", "strings")
    found = find(qtbot, reflecting, "class.forname", "bytecode")
    assert [where for where, _ in found] == ["Loader.load()"]
    assert found[0][1].endswith("invokestatic java.lang.Class.forName(String)")
    assert find(qtbot, reflecting, "nowhere", "strings") == []
    assert "choose “Bytecode” or “Source”" in reflecting.parts.find.note.text()
    assert find(qtbot, reflecting, "nowhere", "bytecode") == []
    assert reflecting.parts.find.note.text() == "0 places in 3 classes"


@pytest.mark.slow
def test_a_place_opens_at_its_declaration_and_a_link_leads_on_and_back(qtbot: QtBot, reflecting: MainWindow) -> None:
    find(qtbot, reflecting, "Loader.once", "bytecode")
    table = reflecting.parts.find.table
    where = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
    view = reflecting.parts.centre.source.view
    qtbot.waitUntil(lambda: view.textCursor().block().text().startswith("       2: invokevirtual"))
    assert reflecting.selection.title == "lib.Loader.twice(int)"
    document = view.document()
    line = next(at for at in range(document.blockCount()) if "lib/Plain.size" in document.findBlockByNumber(at).text())
    cursor = view.textCursor()
    cursor.setPosition(document.findBlockByNumber(line).position() + 4)
    view.setTextCursor(cursor)
    QTest.keyClick(view, Qt.Key.Key_F12)
    assert reflecting.selection.title == "lib.Plain.size()"
    qtbot.waitUntil(lambda: view.textCursor().block().text().strip() == "int size();")
    reflecting.actions_by_id["back"].trigger()
    assert reflecting.selection.title == "lib.Loader"


@pytest.mark.slow
def test_a_string_opens_at_its_instruction(qtbot: QtBot, window: MainWindow, compile_java: CompileJava) -> None:
    code = (
        'package p; public class A { Object f() { new Wanted(); return "wanted \\"option\\""; }'
        ' String g() { return "\\n\\tlast: wanted"; } String h() { return "wünsch wanted"; } }'
    )
    open_jar(qtbot, window, compile_java({"p/A.java": code, "p/Wanted.java": "package p; class Wanted { }"}))
    table, view = window.parts.find.table, window.parts.centre.source.view
    for words, shown in (("WANTED", "// String wanted"), ("last", "last: wanted"), ("wünsch", "// String wünsch")):
        find(qtbot, window, words, "strings")
        where = table.visualRect(table.model().index(0, 0)).center()
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
        QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=where)
        qtbot.waitUntil(lambda shown=shown: shown in view.textCursor().block().text())  # type: ignore[misc]


def test_names_in_strings_are_dashed_edges_when_asked_for(qtbot: QtBot, reflecting: MainWindow) -> None:
    graph = reflecting.parts.graph
    graph.show_view("components")
    assert not len(graph.canvas.marks.named)
    graph.head.by_name.click()
    qtbot.waitUntil(lambda: len(graph.canvas.marks.named) == 1)
    scene = graph.canvas.scene
    assert [scene.titles[node] for node in graph.canvas.marks.named[0]] == ["Loader", "Hidden"]
    graph.head.by_name.click()
    assert not len(graph.canvas.marks.named)
