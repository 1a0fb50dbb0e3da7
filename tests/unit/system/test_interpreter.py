"""numpy's threads: none of ours, as many as the user says, and none of what we start is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.system.interpreter import one_numpy_thread

VARIABLE = "OPENBLAS_NUM_THREADS"
COUNT = (
    "import os; from core.system.interpreter import one_numpy_thread\n"
    "with one_numpy_thread(): import numpy\n"
    "print(len(os.listdir('/proc/self/task')))"
)


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="threads are counted in /proc")
def test_no_thread_is_started() -> None:
    said = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "1"


@pytest.mark.parametrize("users", [None, "3"])
def test_the_environment_is_the_users(users: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if users is None:
        monkeypatch.delenv(VARIABLE, raising=False)
    else:
        monkeypatch.setenv(VARIABLE, users)
    with one_numpy_thread():
        assert os.environ[VARIABLE] == (users or "1")
    assert os.environ.get(VARIABLE) == users
