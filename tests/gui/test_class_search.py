"""Finding classes by name: the best match comes first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.engine.opened_jar import jar_from
from app.panels.class_search import ranked
from tests.support.gui_helpers import small_jar

NAMES = [
    "org/mvstore/Chunk$PositionComparator",
    "org/mvstore/MVStoreTool",
    "org/mvstore/MVStore",
    "org/engine/SessionLocal",
    "org/engine/Session",
    "org/mvstore/db/LobMVStore",
    "org/mvstore/readme.txt",
]


@pytest.mark.parametrize(
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
    jar = jar_from(replace(opened, names=NAMES))
    assert ranked(jar, wanted).tolist() == expected
