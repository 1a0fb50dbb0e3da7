"""The jars inside an input, opened from the menu."""

from __future__ import annotations

import zipfile
from pathlib import Path

from pytestqt.qtbot import QtBot

from app.window.main_window import MainWindow
from tests.support.gui_helpers import open_jar


def test_the_jars_inside_are_told_and_opened_on_request(
    qtbot: QtBot, window: MainWindow, sample_jar: Path, tmp_path: Path
) -> None:
    with zipfile.ZipFile(sample_jar) as sample, zipfile.ZipFile(tmp_path / "boot.jar", "w") as boot:
        names = [name for name in sample.namelist() if name.endswith(".class")]
        boot.writestr(f"BOOT-INF/classes/{names[0]}", sample.read(names[0]))
        boot.writestr("BOOT-INF/lib/sample.jar", sample_jar.read_bytes())
    told: list[str] = []
    window.controller.told.connect(lambda words, kind: told.append(words))
    open_jar(qtbot, window, tmp_path / "boot.jar")
    jar = window.controller.state.jar
    assert jar.classes == 1
    assert any("BOOT-INF/lib/sample.jar" in words and "Open nested jars" in words for words in told)
    window.actions_by_id["open_nested"].trigger()

    def opened() -> bool:
        now = window.controller.state.jar
        return now is not None and now.classes == len(names) + 1

    qtbot.waitUntil(opened)
