"""Each dialog that stands beside the window can be closed in every way that a user knows."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QDialogButtonBox
from pytestqt.qtbot import QtBot

from app.bug.dialogs import BugsDialog, SourceDialog, VersionsDialog
from app.bug.report import ReportDialog
from app.dialogs.help import AboutDialog, HelpDialog
from core.protocol import events
from tests.support.rows import rows

MADE: tuple[Callable[[], QDialog], ...] = (
    SourceDialog, VersionsDialog, ReportDialog, AboutDialog, lambda: HelpDialog([]),
    lambda: BugsDialog("1 failure.", [["bug"], ["1"]]),
)  # fmt: skip


def press_close(dialog: QDialog) -> None:
    button = dialog.findChildren(QDialogButtonBox)[0].button(QDialogButtonBox.StandardButton.Close)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


WAYS = {
    "its button": press_close,
    "Escape": lambda dialog: QTest.keyClick(dialog, Qt.Key.Key_Escape),
    "its frame": lambda dialog: dialog.close(),
}


@rows("way", WAYS)
@rows("made", MADE)
def test_dialogs_can_be_closed(qtbot: QtBot, made: Callable[[], QDialog], way: str) -> None:
    dialog = made()
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    WAYS[way](dialog)
    assert not dialog.isVisible()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("made", [SourceDialog, VersionsDialog])
def test_what_a_closed_dialog_waits_for_is_stopped(
    qtbot: QtBot, made: type[SourceDialog] | type[VersionsDialog], way: str
) -> None:
    dialog = made()
    qtbot.addWidget(dialog)
    dialog.begin()
    dialog.show()
    qtbot.waitExposed(dialog)
    with qtbot.waitSignal(dialog.stop_wanted):
        WAYS[way](dialog)
    assert not dialog.isVisible()


def test_projects_of_a_test_are_offered_once_there_are_some(qtbot: QtBot) -> None:
    dialog = SourceDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.begin()
    assert not dialog.projects.isVisible(), "an empty box says nothing"
    dialog.show_found(events.SourceFound("It shows it.", ["A.java"], ["class A { }\n"], [["cfr", "CFR"]]))
    assert dialog.projects.isVisible()
    dialog.begin()
    dialog.end("No decompiler was found.")
    assert (dialog.projects.isVisible(), dialog.test.isEnabled()) == (False, False)
