"""The guide names what is on the screen as the screen does."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QTabWidget, QWidget
from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow

_HELP = Path(__file__).resolve().parents[2] / "resources" / "help"
_NAME = re.compile(r"(?<!\*)\*([A-Z][^*\n]*[^*.\n])\*(?!\*)")


def plain(words: str) -> str:
    return words.replace("&", "").rstrip("….").strip()


def on_the_screen(window: MainWindow) -> set[str]:
    names = {plain(action.text()) for action in window.actions_by_id.values()}
    for widget in window.findChildren(QWidget):
        names.add(plain(widget.windowTitle()))
        names.add(plain(widget.accessibleName()))
        if isinstance(widget, QAbstractButton | QLabel):
            names.add(plain(widget.text()))
        if isinstance(widget, QComboBox):
            names |= {plain(widget.itemText(row)) for row in range(widget.count())}
        if isinstance(widget, QTabWidget):
            names |= {plain(widget.tabText(at)) for at in range(widget.count())}
    return names | {plain(menu.title()) for menu in window.menus.values()}


def test_the_guide_uses_the_words_of_the_window(qtbot: QtBot, window: MainWindow) -> None:
    form = window.parts.run.form
    qtbot.waitUntil(lambda: form.algorithm.count() > 1 and form.what.kind.count() > 1)
    known, unknown, found = on_the_screen(window), [], 0
    for page in sorted(_HELP.glob("*.md")):
        for italic in _NAME.findall(page.read_text(encoding="utf-8")):
            names = [plain(name) for name in italic.split(", ")]
            found += len(names)
            unknown += [f"{page.name}: {name}" for name in names if name not in known]
    assert found > 15
    assert unknown == []
