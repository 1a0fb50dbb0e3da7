"""Pages of Markdown have the colours of the theme, also after it was changed."""

from __future__ import annotations

from PySide6.QtGui import QPalette, QTextBlock, QTextTable
from pytestqt.qtbot import QtBot

from app.panels.markdown_page import MarkdownPage
from app.theme.theme import DARK, LIGHT
from app.window.preferences import palette


def test_tables_have_thin_lines_in_the_colour_of_the_theme(qtbot: QtBot) -> None:
    page = MarkdownPage()
    qtbot.addWidget(page)
    page.setPalette(palette(DARK))
    page.show_markdown("# Title\n\n```\ncode\n```\n\n## Next\n\n| a | b |\n| --- | --- |\n| `c` | d |\n")
    [table] = [frame for frame in page.document().rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert table.format().borderBrush().color() == page.palette().color(QPalette.ColorRole.Mid)
    assert (table.format().border(), table.format().borderCollapse()) == (1, True)
    assert table.format().borderBrush().color().name() == DARK.line.name()
    page.setPalette(palette(LIGHT))
    assert table.format().borderBrush().color().name() == LIGHT.line.name()
    headings = [block for block in _blocks(page) if block.blockFormat().headingLevel() == 2]
    assert [block.blockFormat().topMargin() for block in headings] == [16]


def _blocks(page: MarkdownPage) -> list[QTextBlock]:
    document = page.document()
    return [document.findBlockByNumber(number) for number in range(document.blockCount())]


def test_code_is_wrapped_in_a_low_page(qtbot: QtBot) -> None:
    page = MarkdownPage(low=True)
    qtbot.addWidget(page)
    page.resize(300, 100)
    page.show_markdown(f"Text.\n\n    {'jar xf small.jar ' * 40}\n")
    page.show()
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() > 0)
    assert not page.horizontalScrollBar().maximum()
