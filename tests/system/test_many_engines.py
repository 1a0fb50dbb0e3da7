"""A hundred windows' engines at once, on one input and with the same folders: each reduces it: nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.store.session_folder import SUFFIX
from core.user_folders import state_folder
from tests.support.engine_client import Client

ENGINES = int(os.environ.get("JARLET_TEST_ENGINES", "100"))
SETTINGS = {"predicate": "grep -aq sample/Main {jar}", "algorithm": "binary", "granularity": "class", "jobs": 1}


@pytest.mark.slow
def test_a_hundred_engines_at_once(tmp_path: Path, sample_jar: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    engines = [Client(temporary, alone=1200) for _ in range(ENGINES)]
    try:
        for engine in engines:
            engine.send(command="open", paths=[str(sample_jar)])
        for engine in engines:
            engine.wait("opened")
        for engine in engines:
            engine.send(command="reduce", settings=SETTINGS)
        ends = [engine.wait("finished") for engine in engines]
    finally:
        for engine in engines:
            engine.close()
    assert {end["reason"] for end in ends} == {"done"}
    assert len({(end["classes"], end["bytes"]) for end in ends}) == 1
    names = {"warned", "failed", "crashed"}
    assert [event for engine in engines for event in engine.events if event["event"] in names] == []
    assert {engine.process.returncode for engine in engines} == {0}
    assert list(temporary.iterdir()) == []
    sessions = list((state_folder() / "sessions").glob(f"*{SUFFIX}"))
    assert 0 < len(sessions) <= ENGINES
    assert all((session / "report.json").exists() for session in sessions)
