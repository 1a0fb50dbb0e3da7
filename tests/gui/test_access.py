"""Everybody can use it: names, keys, contrast, and nothing cut off."""

from __future__ import annotations

import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAccessible, QAccessibleInterface, QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLabel,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from app.dialogs.help import PAGES, AboutDialog, HelpDialog, page
from app.dialogs.preferences_dialog import PreferencesDialog, load
from app.engine.run_state import ItemState
from app.graph.paint.graph_style import GraphStyle, ink_on
from app.graph.paint.matrix_picture import MatrixPicture
from app.panels.message_bar import MessageButton
from app.theme.theme import THEMES, Theme
from app.window.commands.leaving import ClosingDialog
from app.window.main_window import MainWindow
from app.window.preferences import apply as wear
from tests.support.gui_helpers import open_jar

ROOT = Path(__file__).resolve().parents[2]


def name_of(widget: QWidget) -> str:
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Name) if interface else ""


def test_everything_that_takes_the_focus_has_a_name(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    unnamed = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not isinstance(widget, QScrollBar)
        and widget.focusProxy() is None
        and not name_of(widget)
    ]
    described = [f"{type(w).__name__} in {type(w.parentWidget()).__name__}" for w in unnamed]
    inner = {"QLineEdit in QSpinBox", "QLineEdit in QDoubleSpinBox"}
    assert not [words for words in described if words not in inner]


def unnamed_in(widget: QWidget) -> list[str]:
    """What a screen reader meets that takes the focus and has no name, with the way to it: the whole tree."""
    found: list[str] = []

    def walk(interface: QAccessibleInterface | None, way: tuple[str, ...]) -> None:
        if interface is None or not interface.isValid() or len(way) > 25:
            return
        name, role = interface.text(QAccessible.Text.Name), interface.role().name
        state = interface.state()
        if state.focusable and not state.invisible and not name:  # type: ignore[attr-defined]
            found.append(" > ".join((*way, role)))
        for number in range(min(interface.childCount(), 80)):
            walk(interface.child(number), (*way, name[:30] or role))

    walk(QAccessible.queryAccessibleInterface(widget), ())
    return found


def everything_is_named(qtbot: QtBot, widget: QWidget) -> None:
    """Waits for it: a tree that the engine's answer is just filling has rows without a name for a moment."""

    def named() -> None:
        assert unnamed_in(widget) == []

    qtbot.waitUntil(named)


def test_a_screen_reader_finds_a_name_everywhere(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    item = window.parts.tree.model.item_of("sample/number/Rational")
    window.parts.tree.tree.expand(window.parts.tree.model.index_of(item))
    qtbot.waitUntil(lambda: window.parts.tree.model.members_loaded(item))
    for tab in range(window.parts.log_tabs.count()):
        window.parts.log_tabs.setCurrentIndex(tab)
        everything_is_named(qtbot, window)
    window.parts.show_inspector()
    everything_is_named(qtbot, window)
    window.actions_by_id["source"].trigger()
    everything_is_named(qtbot, window)
    window.parts.centre.show_graph()
    for view in ("focus", "matrix"):
        window.selection.select(item, None)
        window.parts.graph.show_view(view)
        qtbot.waitUntil(lambda view=view: window.parts.graph.view == view)  # type: ignore[misc]
        everything_is_named(qtbot, window)
    window.parts.run.form.what.choose("run")
    fit = window.parts.graph.fit
    window.parts.messages.tell("Words", "warning", MessageButton("One", fit), MessageButton("Other", fit))
    everything_is_named(qtbot, window)
    for dialog in (
        window.preferences.dialog(),
        HelpDialog(window.actions_by_id.values(), window),
        AboutDialog(window),
        ClosingDialog("12 classes", True, window),
    ):
        dialog.show()
        everything_is_named(qtbot, dialog)
        dialog.close()


def test_tab_reaches_everything_in_sight_as_it_is_read(qtbot: QtBot, window: MainWindow, sample_jar: Path) -> None:
    open_jar(qtbot, window, sample_jar)
    window.parts.show_form()
    window.parts.inspector_dock.show()
    window.parts.messages.tell("Something that can be closed.", "warning")
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    for dock, tab in (
        (window.parts.progress_dock, 0),
        (window.parts.progress_dock, 2),
        (window.parts.inspector_dock, 1),
    ):
        dock.raise_()
        if dock is window.parts.progress_dock:
            window.parts.show_log(window.parts.log_tabs.widget(tab).focusProxy() or window.parts.log_tabs.widget(tab))
        QApplication.processEvents()
        window.parts.search.field.setFocus()
        reached: list[QWidget] = []
        for _ in range(250):
            focus = QApplication.focusWidget()
            assert focus is not None
            if focus in reached and focus is window.parts.search.field:
                break
            reached.append(focus)
            qtbot.keyClick(focus, Qt.Key.Key_Tab)
        qtbot.keyClick(focus, Qt.Key.Key_Backtab)
        assert QApplication.focusWidget() is reached[-1], "the same way back"
        panels = [next((part for part in window.panels if part.isAncestorOf(widget)), None) for widget in reached]
        parts = window.parts
        assert [part for part, _ in groupby(filter(None, panels))] == [
            parts.toolbar, parts.tree_dock, parts.pages, parts.run_dock, dock, parts.status_bar, parts.toolbar,
        ], "as they are read; what lies behind another dock is passed by"  # fmt: skip
        wanted = {
            widget
            for widget in window.findChildren(QWidget)
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and widget.isVisible()
            and widget.isEnabled()
            and widget.focusProxy() is None
            and not isinstance(widget, QScrollBar)
            and not isinstance(widget.parentWidget(), QAbstractSpinBox | QComboBox)
            and not (isinstance(widget, QAbstractButton) and widget.group() and not widget.isChecked())
        }
        hidden = [one for one in window.parts.docks if one.visibleRegion().isEmpty()]
        wanted = {widget for widget in wanted if not any(one.isAncestorOf(widget) for one in hidden)}
        missed = [f"{type(widget).__name__} {name_of(widget)!r}" for widget in wanted.difference(reached)]
        assert missed == []


def test_no_shortcut_and_no_letter_is_given_twice(window: MainWindow) -> None:
    shortcuts = [key.toString() for a in window.actions_by_id.values() for key in a.shortcuts()]
    assert not [key for key, number in Counter(shortcuts).items() if number > 1]
    for menu in window.menus.values():
        letters = [letter(action.text()) for action in menu.actions() if letter(action.text())]
        assert len(letters) == len(set(letters)), menu.title()
    texts = [menu.title() for menu in window.menus.values()]
    texts += [w.text() for w in window.findChildren(QAbstractButton) if not w.isHidden()]
    texts += [w.text() for w in window.findChildren(QLabel) if w.buddy()]
    letters = [letter(words) for words in texts if letter(words)]
    assert not [key for key, number in Counter(letters).items() if number > 1]


def letter(words: str) -> str:
    at = words.replace("&&", "").find("&")
    return words.replace("&&", "")[at + 1].lower() if at >= 0 else ""


def test_every_button_says_what_it_does(window: MainWindow) -> None:
    for name in ("check", "start", "pause", "stop"):
        key = window.actions_by_id[name].shortcut().toString()
        assert key in getattr(window.parts.run, name).toolTip()
        assert key in window.actions_by_id[name].toolTip()


def luminance(colour: QColor) -> float:
    parts = [colour.redF(), colour.greenF(), colour.blueF()]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: QColor, other: QColor) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_text_can_be_read(theme: Theme) -> None:
    pairs = [(ink, ground) for ink in (theme.text, theme.muted) for ground in (theme.window, theme.surface)]
    pairs += [(theme.text, theme.selected), (theme.on_accent, theme.accent), (theme.text, theme.canvas)]
    pairs += [(theme.on_kept, theme.kept), (theme.on_needed, theme.needed), (theme.on_trying, theme.trying)]
    pairs += [(theme.on_gone, theme.gone), (theme.good, theme.surface), (theme.warn, theme.surface)]
    pairs += [(theme.bad, theme.surface), (theme.accent, theme.surface), (theme.accent, theme.window)]
    pairs += [(theme.warn, theme.window), (theme.muted, theme.selected)]
    pairs += [(theme.needed_by, theme.surface)]  # numbers in code
    assert [(ink.name(), ground.name()) for ink, ground in pairs if contrast(ink, ground) < 4.5] == []
    if theme.contrast:  # WCAG 2.2, level AAA; and what parts fields and boxes is seen
        assert [(ink.name(), ground.name()) for ink, ground in pairs[:7] if contrast(ink, ground) < 7] == []
        borders = (theme.line, theme.gone_line, theme.hull_line, theme.edge)
        assert [line for line in borders if contrast(line, theme.surface) < 3] == []
    lines = (theme.needs, theme.needed_by, theme.found)
    assert [line for line in lines if contrast(line, theme.canvas) < 3] == []
    assert contrast(theme.disabled, theme.window) >= 2.5, "a button that cannot be pressed can still be read"
    look = GraphStyle(theme)
    marks = [theme.kept, theme.needed, look.border[ItemState.TRYING].color(), theme.muted, theme.warn]
    assert [mark for mark in (*marks, theme.accent) if contrast(mark, theme.surface) < 3] == [], "marks in lists"


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_the_digits_in_the_matrix_can_be_read(qtbot: QtBot, qapp: QApplication, theme: Theme) -> None:
    matrix = MatrixPicture()
    qtbot.addWidget(matrix)
    wear(qapp, theme)
    grounds = [matrix.colour(ink) for ink in range(matrix.inks)]
    assert len({ground.name() for ground in grounds}) == matrix.inks
    assert [ground.name() for ground in grounds if contrast(ink_on(ground), ground) < 4.5] == []


@pytest.mark.parametrize("dark", [False, True])
def test_no_text_is_cut_off_at_1280_by_800(qtbot: QtBot, window: MainWindow, sample_jar: Path, dark: bool) -> None:
    def nothing_is() -> None:
        assert cut_off(window) == []

    window.actions_by_id["dark"].setChecked(dark)
    qtbot.waitUntil(nothing_is)  # what has just been written is laid out a moment later
    open_jar(qtbot, window, sample_jar)
    qtbot.waitUntil(nothing_is)
    assert (window.width(), window.height()) == (1280, 800)


def cut_off(window: MainWindow) -> list[str]:
    return [
        f"{type(widget).__name__} {widget.text()!r}"
        for widget in window.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QLabel)
        and widget.isVisible()
        and widget.text()
        and (
            widget.width() < widget.minimumSizeHint().width()
            or widget.height() < widget.minimumSizeHint().height()
            or (isinstance(widget, QLabel) and widget.wordWrap() and widget.height() < needed_height(widget))
        )
    ]


def needed_height(label: QLabel) -> int:
    return label.heightForWidth(label.width())


def test_every_field_of_the_preferences_and_the_help_has_a_name(qtbot: QtBot, window: MainWindow) -> None:
    dialogs = [
        PreferencesDialog(load(window.settings), None, None, window),
        HelpDialog(window.actions_by_id.values(), window),
    ]
    for dialog in dialogs:
        unnamed = [
            f"{type(widget).__name__} in {type(widget.parentWidget()).__name__}"
            for widget in dialog.findChildren(QWidget)
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus
            and not isinstance(widget, QScrollBar)
            and not isinstance(widget.parentWidget(), QAbstractSpinBox)
            and not name_of(widget)
        ]
        assert unnamed == []


def test_every_help_page_is_there_and_its_links_lead_somewhere(qtbot: QtBot, window: MainWindow) -> None:
    for name in PAGES:
        for link in re.findall(r"\]\(([^)]+)\)", re.sub(r"(?m)^    .*$", "", page(name))):
            assert link.removesuffix(".md") in PAGES, (name, link)
    assert {f"{name}.md" for name in PAGES} == {file.name for file in (ROOT / "resources" / "help").iterdir()}
    window.commands.help.show_page("shortcuts")
    assert window.commands.help.pages is not None
    assert "Ctrl+E" in window.commands.help.pages.text.toPlainText()
    window.commands.help.pages.text.anchorClicked.emit(QUrl("predicate.md"))
    assert "A command of your own" in window.commands.help.pages.text.toPlainText()
    window.commands.help.pages.close()


def test_the_guide_is_searched(qtbot: QtBot, window: MainWindow) -> None:
    window.commands.help.show_page("start")
    dialog = window.commands.help.pages
    assert dialog is not None

    def shown() -> list[str]:
        return [name for row, name in enumerate(PAGES) if not dialog.pages.item(row).isHidden()]

    qtbot.keyClicks(dialog.search, "dask CLUSTER")
    assert "cluster" in shown()
    assert "start" not in shown()
    assert "Dask" in dialog.text.toPlainText()
    assert dialog.text.textCursor().selectedText().lower() == "dask"
    before = dialog.text.textCursor().position()
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    assert dialog.text.textCursor().position() != before
    dialog.search.setText("no page has qxzv")
    assert shown() == []
    assert not dialog.none.isHidden()
    dialog.search.clear()
    assert shown() == list(PAGES)
    assert dialog.none.isHidden()
    dialog.close()


def test_dialogs_open_with_versions_and_keys(qtbot: QtBot, window: MainWindow) -> None:
    about = AboutDialog(window)
    words = " ".join(label.text() for label in about.findChildren(QLabel))
    assert "PySide6 6." in words
    assert "LGPL" in words
    window.actions_by_id["shortcuts"].trigger()
    assert "Ctrl+O" in window.commands.help.pages.text.toPlainText()
