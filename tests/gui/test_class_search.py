"""Finding classes by name: the best match comes first."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.engine.opened_jar import OpenedJar
from app.panels.search_box import ranked
from app.window.main_window import MainWindow
from tests.support.gui_helpers import open_jar, small_jar
from tests.support.rows import rows

NAMES = [
    "org/mvstore/Chunk$PositionComparator",
    "org/mvstore/MVStoreTool",
    "org/mvstore/MVStore",
    "org/engine/SessionLocal",
    "org/engine/Session",
    "org/mvstore/db/LobMVStore",
    "org/mvstore/readme.txt",
]


@rows(
    ("wanted", "expected"),
    [
        ("MVStore", [2, 1, 5, 0, 6]),
        ("mvstore", [2, 1, 5, 0, 6]),
        ("SessLoc", [3]),
        ("Session", [4, 3]),
        ("MVT", []),
        ("MT", []),
        ("PosComp", [0]),
        ("org.engine.Session", [4, 3]),
        ("readme", [6]),
        ("", []),
        ("*(", []),
    ],
)
def test_matches_are_ranked(wanted: str, expected: list[int]) -> None:
    opened, _ = small_jar()
    jar = OpenedJar(replace(opened, names=NAMES))
    assert ranked(jar, wanted).tolist() == expected


def test_the_list_of_hits_has_packages_and_members_and_enter_takes_the_best(
    qtbot: QtBot, window: MainWindow, sample_jar: Path
) -> None:
    open_jar(qtbot, window, sample_jar)
    search = window.parts.search
    window.activateWindow()
    search.focus()
    qtbot.waitUntil(search.field.hasFocus)
    qtbot.keyClicks(search.field, "rational")
    qtbot.waitUntil(lambda: bool(search.hits))
    assert (search.hits[0].title, search.hits[0].where) == ("Rational", "sample.number")
    assert search.list.isVisible()
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    assert window.selection.name == "sample/number/Rational"
    assert not search.list.isVisible()

    search.field.clear()
    qtbot.keyClicks(search.field, "reciprocal")
    qtbot.waitUntil(lambda: any(hit.member for hit in search.hits))
    best = next(hit for hit in search.hits if hit.title == "reciprocal()")
    row = search.hits.index(best)
    for _ in range(row):
        qtbot.keyClick(search.field, Qt.Key.Key_Down)
    qtbot.keyClick(search.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: window.selection.name == best.member)
    assert best.member.endswith(".reciprocal:()Lsample/number/Rational;")
    qtbot.keyClick(search.field, Qt.Key.Key_Escape)
    assert not search.hits
