"""Dialogs for files begin where the user is at work, and an export is told from its beginning to its end."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from app.bug.dialogs import SourceDialog
from app.engine.controller import Controller
from app.engine.opened_jar import NO_JAR
from app.graph.view import GraphView
from app.panels.message_bar import MessageBar
from app.user_settings import UserSettings
from app.window.commands.export_commands import ExportCommands
from app.window.commands.file_commands import FileCommands
from app.window.commands.named_files import FileChooser
from app.window.main_window import MainWindow
from core.protocol import events
from core.protocol.questions.exports import Export
from core.protocol.wire import Command


@pytest.fixture
def sent(controller: Controller, monkeypatch: pytest.MonkeyPatch) -> list[Command]:
    """Answers with the requests that the engine gets."""
    asked: list[Command] = []
    monkeypatch.setattr(controller.client, "send", asked.append)
    return asked


@pytest.fixture
def files(qtbot: QtBot, controller: Controller, messages: MessageBar, tmp_path: Path) -> FileCommands:
    """The commands of the file menu, for a small input."""
    parent = QWidget()
    qtbot.addWidget(parent)
    chooser = FileChooser(parent, UserSettings(str(tmp_path / "settings.ini")))
    made = FileCommands(controller, chooser, messages)
    controller.told.connect(messages.tell)
    return made


def test_a_dialog_begins_in_the_folder_used_last_else_beside_the_input_else_in_the_current_one(
    files: FileCommands, controller: Controller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "given", "last"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    begun: list[str] = []
    chosen: list[str] = []

    def choose(*words: object) -> tuple[list[str], str]:
        begun.append(str(words[2]))
        return chosen, ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose)
    monkeypatch.setattr(files, "open_paths", lambda _: None)
    given, controller.state.jar = controller.state.jar, NO_JAR
    files.choose_jar()
    assert given is not None
    controller.state.jar = given
    given.paths = [str(tmp_path / "given" / "a.jar")]
    files.choose_jar()
    chosen.append(str(tmp_path / "last" / "b.jar"))
    files.choose_jar()
    files.choose_jar()
    assert [Path(folder).name for folder in begun] == ["here", "given", "given", "last"]


def test_an_export_is_told_from_its_beginning_to_its_end(
    files: FileCommands,
    controller: Controller,
    messages: MessageBar,
    sent: list[Command],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exports = ExportCommands(controller, files._chooser, messages, GraphView())
    target = str(tmp_path / "small-bug.md")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (target, ""))
    exports.export_bug()
    assert messages.text.text() == f"Decompiling the result, and writing {target}…"
    assert not messages.busy.isHidden(), "something moves"
    assert not messages._timer.isActive(), "it stays until the file is there"
    assert sent == [Export("markdown", target, request=1)]
    controller.client.told.emit(events.Exported(target, 1200, "markdown", request=1))
    assert messages.text.text() == f"Written: {target} (1.2 kB)."
    assert messages.busy.isHidden()
    exports.export_bug()
    controller.client.told.emit(events.Failed("export", "The disk is full.", 2))
    assert (messages.text.text(), messages.kind, messages.busy.isHidden()) == ("The disk is full.", "error", True)


def test_a_test_is_offered_once_there_is_source_or_assembler_text(qtbot: QtBot) -> None:
    dialog = SourceDialog()
    qtbot.addWidget(dialog)
    projects = [["cfr", "CFR"]]
    for found, offered in (
        (events.SourceFound("No class is left.", projects=projects), False),
        (events.SourceFound("As assembler text.", ["A.jasm"], ["class A"], projects), True),
        (events.SourceFound("Choose a preset."), False),
    ):
        dialog.begin()
        dialog.show_found(found)
        assert dialog.test.isEnabled() is offered
        assert ("no Java source" in dialog.test.toolTip()) is not offered
        assert dialog.target.isHidden() is not offered


def test_a_new_folder_is_suggested_by_a_free_name(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, suggested = QWidget(), []
    qtbot.addWidget(parent)
    chooser = FileChooser(parent, UserSettings(str(tmp_path / "settings.ini")))
    chooser.given = lambda: str(tmp_path)

    def choose(*words: object) -> tuple[str, str]:
        suggested.append(Path(str(words[2])).name)
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    for name in ("oro-bugs", "oro-bugs-2"):
        chooser.new_folder("New folder for the reduced jars", "oro-bugs")
        (tmp_path / name).mkdir()
    chooser.new_folder("New folder for the reduced jars", "oro-bugs")
    assert suggested == ["oro-bugs", "oro-bugs-2", "oro-bugs-3"]


def test_files_of_the_form_are_looked_for_where_the_last_one_was_libraries_beside_the_input(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("here", "one", "two", "scripts"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    begun: list[str] = []
    chosen = ""

    def choose(*words: object) -> tuple[str, str]:
        begun.append(Path(str(words[2])).name)
        return chosen, ""

    def choose_several(*words: object) -> tuple[list[str], str]:
        return [found] if (found := choose(*words)[0]) else [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", choose)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", choose_several)
    form, fill = window.parts.run.form, window.commands.fill
    folder = tmp_path / "one"
    monkeypatch.setattr(fill._chooser, "given", lambda: str(folder))
    form.what.browse.click()
    chosen = str(tmp_path / "scripts" / "check.sh")
    form.what.browse.click()
    form.what.browse.click()
    assert begun == ["one", "one", "scripts"], "beside the input, then where the last one was"
    assert form.settings().predicate == f"sh {chosen} {{jar}}"
    begun.clear()
    chosen = str(tmp_path / "here" / "lib.jar")
    form.library.button.click()
    form.library.button.click()
    folder = tmp_path / "two"
    chosen = ""
    form.library.button.click()
    assert begun == ["one", "here", "two"], "another input has other libraries"
    assert form.library.paths == [str(tmp_path / "here" / "lib.jar")]
    begun.clear()
    window.results.known_wanted.emit()
    assert begun == ["two"]


def test_a_script_that_cannot_be_written_is_told_and_changes_nothing(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "none" / "check.sh"), ""))
    window.parts.run.form.what.template.click()
    assert window.parts.messages.text.text().endswith("check.sh: cannot be written (No such file or directory).")
    assert window.parts.run.form.what.command.toPlainText() == ""


def test_nothing_is_suggested_where_the_user_may_not_write(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, begun = QWidget(), []
    qtbot.addWidget(parent)
    for name in ("here", "closed"):
        (tmp_path / name).mkdir()
    monkeypatch.chdir(tmp_path / "here")
    chooser = FileChooser(parent, UserSettings(str(tmp_path / "settings.ini")))
    chooser.given = lambda: str(tmp_path / "closed")
    # root may write everywhere
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK or Path(path).name != "closed")

    def choose(*words: object) -> tuple[str, str]:
        begun.append(str(words[2]))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", choose)
    chooser.new_folder("New folder for the reduced jars", "bugs")
    chooser.target("export/a.jar", "Export", "a.jar", "Jar (*.jar)", chooser.given())
    assert [Path(place).relative_to(tmp_path).as_posix() for place in begun] == ["here/bugs", "here/a.jar"]
