"""Code in the inspector: colours of long texts as far as they are in sight; words that lead to declarations."""

from __future__ import annotations

from PySide6.QtGui import QTextBlock
from pytestqt.qtbot import QtBot

from app.panels.code_view import CodeLinks, CodeView, declaration_line
from app.theme.theme import DARK, LIGHT

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


def test_a_long_text_is_coloured_where_it_is_seen(qtbot: QtBot) -> None:
    view = CodeView("Code", "code")
    qtbot.addWidget(view)
    view.resize(400, 1200)
    view.set_theme(LIGHT)
    view.show()
    view.show_text("\n".join(f"return {number};" for number in range(4000)))

    def coloured(line: int) -> bool:
        block: QTextBlock = view.text.document().findBlockByNumber(line)
        return bool(block.layout().formats())

    qtbot.waitUntil(lambda: coloured(0))
    assert not coloured(3000)
    view.text.go_to_line(3000)
    qtbot.waitUntil(lambda: coloured(3000))

    def ink() -> str:
        ranges = view.text.document().findBlockByNumber(3000).layout().formats()
        form = ranges[0].format
        return form.foreground().color().name()

    asked: list[object] = []
    view.text.updateRequest.connect(lambda *_: asked.append(1))
    view.text.go_to_line(2000)
    qtbot.waitUntil(lambda: coloured(2000))
    first, last = view.text.lines_in_sight()
    assert len(asked) < (last - first) / 2, "the page is painted once for all of its lines"
    view.text.go_to_line(3000)

    before = ink()
    view.set_theme(DARK)
    qtbot.waitUntil(lambda: ink() != before)
    view.show_text("return 1;")
    qtbot.waitUntil(lambda: coloured(0))


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
