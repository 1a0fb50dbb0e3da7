"""What is cleaned up where a window keeps its reductions."""

from __future__ import annotations

import os
import time
import zipfile
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.store import retention
from core.store.session import Session
from core.store.session_folder import SETTINGS
from core.user_folders import inputs_folder


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def made(name: str, days: float) -> Path:
    """An input that "go on from here" wrote so many days ago."""
    path = inputs_folder() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as jar:
        jar.writestr("A.class", name)
    os.utime(path, (time.time() - days * 86400,) * 2)
    return path


def session_about(path: Path, *, best: bool) -> Path:
    with Session.create(retention.fresh_place(path.name), read_jar([path]), {}) as folder:
        if best:
            (folder.path / "best.jar").write_bytes(b"x")
        return folder.path


def test_inputs_of_branches_go_once_nobody_needs_them() -> None:
    young, old, used, open_now = made("young.jar", 1), made("old.jar", 9), made("used.jar", 30), made("open.jar", 30)
    session = session_about(used, best=True)
    retention.sweep(inputs=[open_now])
    assert [young.exists(), old.exists(), used.exists(), open_now.exists()] == [True, False, True, True]
    retention.discard(session)
    retention.sweep()
    assert [young.exists(), used.exists(), open_now.exists()] == [True, False, False]


def test_an_input_goes_with_the_session_that_never_found_anything() -> None:
    path = made("tried.jar", 30)
    session = session_about(path, best=False)
    retention.sweep()
    assert not session.exists()
    assert not path.exists()


def test_nothing_goes_while_a_session_cannot_be_read() -> None:
    path = made("unknown.jar", 30)
    session = session_about(path, best=True)
    (session / SETTINGS).write_text("{")
    retention.sweep()
    assert path.exists()
