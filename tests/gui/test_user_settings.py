"""The settings of the user: they hold at once, and no disk keeps the window waiting."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QLockFile, QSettings
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.user_settings import UserSettings
from app.window.bookmarks import Recent


def test_a_change_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = str(tmp_path / "settings.ini")
    first = UserSettings(path)
    assert first.value("theme") is None
    assert first.value("theme", "system") == "system"
    first.set_value("theme", "light")
    first.set_value("theme", "dark")
    first.set_value("input/recent", ["a.jar", "b.jar"])
    assert first.value("theme", "system") == "dark"
    first.wait()
    again = UserSettings(path)
    assert again.value("theme", "system") == "dark", "the last change counts"
    assert again.value("input/recent") == ["a.jar", "b.jar"]


def test_a_disk_that_takes_long_does_not_stop_the_event_loop(qtbot: QtBot, tmp_path: Path) -> None:
    path = str(tmp_path / "settings.ini")
    slow = QLockFile(f"{path}.lock")  # whoever writes the file waits for this
    assert slow.lock()
    settings = UserSettings(path)
    settings.set_value("theme", "dark")
    QCoreApplication.processEvents()
    assert settings.value("theme") == "dark"
    assert not Path(path).exists()
    slow.unlock()
    settings.wait()
    assert QSettings(path, QSettings.Format.IniFormat).value("theme") == "dark"


def test_the_list_of_recent_inputs_can_be_cleared(qtbot: QtBot, tmp_path: Path) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    opened: list[list[str]] = []
    recent = Recent(UserSettings(str(tmp_path / "settings.ini")), menu, opened.append)
    for name in ("a.jar", "b.jar", "a.jar"):
        (tmp_path / name).touch()
        recent.add([str(tmp_path / name)])
    menu.aboutToShow.emit()
    first, second, _, clear = menu.actions()
    assert [first.text(), second.text()] == ["&1 a.jar", "&2 b.jar"]
    second.trigger()
    assert opened == [[str(tmp_path / "b.jar")]]
    clear.trigger()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == ["(empty)"]
    assert recent.inputs == []
