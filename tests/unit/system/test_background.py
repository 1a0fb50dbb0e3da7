"""What runs behind a window steps back: sessions by their own value, processes by theirs."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from core.predicate.effort import Effort, Haste
from core.system.processes import background, process_table
from core.system.processes.python_child import python_child
from tests.support.patience import patience
from tests.support.session_value import session_value

pytestmark = pytest.mark.skipif(session_value(os.getpid()) is None, reason="sessions have no value here")

CHILD = """
import os, sys
from pathlib import Path
from core.system.processes import background
from core.system.processes.families import Family
from tests.support.session_value import session_value
background.is_crowded = lambda: sys.argv[1] == "crowded"
for turn in range(2):
    family = Family(["sleep", "60"], Path("/"))
    pid = family.process.pid
    print(session_value(pid), os.getpriority(os.PRIO_PROCESS, pid), os.getpriority(os.PRIO_PROCESS, 0))
    family.kill()
    family.wait()
    background.serve_window()
"""


@pytest.fixture
def spinning() -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [sys.executable, "-c", "print(flush=True)\nwhile True: pass"], stdout=subprocess.PIPE, start_new_session=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    yield process
    process.kill()
    process.wait()
    process.stdout.close()


@pytest.mark.parametrize(("machine", "value"), [("free", background.NICE), ("crowded", 0)])
def test_sessions_of_a_process_in_the_background_step_back(machine: str, value: int) -> None:
    command = [sys.executable, "-c", CHILD, machine]
    told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=patience()).stdout
    before, after = (tuple(map(int, line.split())) for line in told.splitlines())
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert before == (0, own, own)
    assert after == (value, min(19, own + value), own), "the process itself keeps its priority"


def test_the_engine_keeps_the_priority_of_the_window() -> None:
    engine = subprocess.Popen(
        python_child("core.command_loop"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert engine.stdin is not None
    assert engine.stdout is not None
    engine.stdout.readline()
    assert os.getpriority(os.PRIO_PROCESS, engine.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    engine.communicate(timeout=patience())


def test_a_value_is_written_as_soon_as_the_kernel_takes_it() -> None:
    source, target = os.pipe()
    os.set_blocking(target, False)
    filling = os.dup(target)
    with contextlib.suppress(BlockingIOError):
        while True:
            os.write(filling, b"x" * 4096)
    background._write(target)
    os.close(filling)
    taken = b""
    while chunk := os.read(source, 1 << 20):  # ends when the target is closed
        taken += chunk
    os.close(source)
    assert taken.strip(b"x") == str(background.NICE).encode()


def test_who_waits_for_a_processor_is_not_idle(spinning: subprocess.Popen[bytes]) -> None:
    with subprocess.Popen(["sleep", "600"], start_new_session=True) as asleep:
        spinner, sleeper = (Effort(process.pid, Haste(60.0, None, 0.004), mark=0) for process in (spinning, asleep))
        assert any(thread.ready for thread in process_table.threads(spinning.pid))
        while not sleeper.exceeded():
            assert not spinner.exceeded()
            time.sleep(0.002)
        asleep.kill()
    assert not any(thread.ready for thread in process_table.threads(asleep.pid))
