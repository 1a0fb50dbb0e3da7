"""The command line as a user meets it: within this process, and as a program where a process is what is tested."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from app.cli import main
from tests.support import files
from tests.support.class_path_jars import jars as jars
from tests.support.decompilers import decompilers as decompilers
from tests.support.decompilers import no_decompiler as no_decompiler

ROOT = Path(__file__).resolve().parents[2]
Finished = subprocess.CompletedProcess[str]


@pytest.fixture
def temporary(tmp_path: Path) -> Path:
    """The folder that the program under test has for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    return folder


@pytest.fixture
def jarlet(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Finished]:
    """``jarlet("reduce", ...)``: the command in ``tmp_path``, within this process; exit code and what it printed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setenv("TMPDIR", str(temporary))
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)

    def run(*arguments: object) -> Finished:
        words = list(map(str, arguments))
        capsys.readouterr()
        done = Finished(words, main(words), *capsys.readouterr())
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


@pytest.fixture
def program(tmp_path: Path, temporary: Path) -> Callable[..., subprocess.Popen[str]]:
    """``program("reduce", ...)``: the same as a process of its own, which is not waited for."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)}
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        environment.pop(name, None)

    def start(*arguments: object) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "app", *map(str, arguments)]
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen(command, cwd=tmp_path, env=environment, **streams)  # type: ignore[call-overload,no-any-return]

    return start


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Path]:
    """``script(text, name="check.sh")``: the path of a shell script in ``tmp_path``."""
    return partial(files.script, tmp_path)
