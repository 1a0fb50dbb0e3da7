"""Code in the inspector: colours of long texts as far as they are in sight; words that lead to declarations."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.bug.source_view import SourceView
from app.panels.code_view import CodeLinks, declaration_line
from app.theme.theme import DARK
from app.window.preferences import apply as wear

LISTING = """public class a.B {
  int size;

  int run(int, java.lang.String);
    Code:
       4: invokevirtual #2 // Method run:(I)I

  int run(int);
    Code:
       0: iload_1
}
"""


def test_a_long_text_is_coloured_where_it_is_seen(qtbot: QtBot, qapp: QApplication) -> None:
    view = SourceView("code")
    qtbot.addWidget(view)
    view.resize(400, 1200)
    view.show()
    text = "\n".join(f"return {number};" for number in range(4000))
    view.show_rows(text, range(1, 4001), ())

    def look(line: int) -> tuple[str, bool] | None:
        block: QTextBlock = view.document().findBlockByNumber(line)
        for one in block.layout().formats():
            form = one.format  # type: ignore[attr-defined]
            return form.foreground().color().name(), form.fontStrikeOut()
        return None

    qtbot.waitUntil(lambda: look(0) is not None)
    assert look(3000) is None
    view.go_to(3000)
    qtbot.waitUntil(lambda: look(3000) is not None)
    before = look(3000)
    wear(qapp, DARK)
    qtbot.waitUntil(lambda: look(3000) != before)
    view.show_rows(text, range(1, 4001), (), gone=[3000])
    qtbot.waitUntil(lambda: (look(3000) or ("", False))[1])
    assert view.textCursor().blockNumber() == 3000, "what is seen stays when something goes"


def test_of_a_source_the_declaration_is_found_and_no_call() -> None:
    source = """class Node {
    Node copy = new Node(1);

    Node(int size) {
        run(size);
        return run(2);
    }

    private static int run(int size) {
    }
}
"""
    lines = source.splitlines()
    assert lines[declaration_line(source, ".Node:(I)V")] == "    Node(int size) {"
    assert lines[declaration_line(source, ".run:(I)I")] == "    private static int run(int size) {"
    assert lines[declaration_line(source, ".copy:LNode;")] == "    Node copy = new Node(1);"


def test_a_member_is_found_by_its_parameters() -> None:
    lines = LISTING.splitlines()
    assert lines[declaration_line(LISTING, ".run:(I)I")] == "  int run(int);"
    assert lines[declaration_line(LISTING, ".run:(ILjava/lang/String;)I!code")].startswith("  int run(int, java")
    assert lines[declaration_line(LISTING, ".size:I")] == "  int size;"
    assert declaration_line(LISTING, ".nothing:()V") == -1


def test_a_word_leads_to_what_it_names() -> None:
    links = CodeLinks(["a/B", "a/B$C", "b/C", "b/D"])

    def members(name: str) -> list[str]:
        return [f"{name}.run:(I)I"]

    def target(line: str, word: str, text: str = "") -> str:
        return links.target(line, word, text, "a/B", members)

    assert target("4: invokevirtual #2 // Method b/D.go:()V", "go") == "b/D.go:()V"
    assert target("4: invokevirtual #2 // Method run:(I)I", "run") == "a/B.run:(I)I"
    assert target("4: new #2 // class b/C", "new") == "b/C"
    assert target("C c = new C();", "C") == "a/B$C", "a nested class comes first"
    assert target("return run(2);", "run") == "a/B.run:(I)I"
    assert target("D d;", "D", "import b.D;\n") == "b/D"
    assert target("String s;", "String") == ""
