"""Processes that stay for one task after another."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.batch.executors import Local
from core.batch.job import Job
from core.batch.tasks import INTERRUPTED, Done, Task, TaskLane
from core.protocol.settings import Settings
from core.system.processes.python_child import python_child
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[3]
STAYING = """
import json, os, sys
for line in sys.stdin:
    values = json.loads(line)
    print(values["say"], file=sys.stderr, flush=True)
    if values.get("wait"):
        open(values["wait"], "w").close()
        values["left"] = sys.stdin.read()
    if "die" in values:
        os.kill(os.getpid(), values["die"])
    report = {"pid": os.getpid(), "left": values.get("left")}
    print(json.dumps({"exit": values.get("exit", 0), "report": report}), flush=True)
    if values.get("last"):
        break
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / "staying_task.py").write_text(STAYING)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "modules"), str(ROOT)]))
    return tmp_path


@pytest.fixture
def lane() -> Iterator[TaskLane]:
    made = TaskLane()
    yield made
    made.close()


def task(folder: Path, say: str, **values: object) -> Task:
    return Task(say, json.dumps({"say": say, **values}), folder, "staying_task")


def never() -> bool:
    return False


def pid_of(done: Done) -> int:
    assert done.report is not None
    return int(done.report["pid"])


def test_one_process_answers_task_after_task(folder: Path, lane: TaskLane) -> None:
    ends = [lane.run(task(folder, f"t{number}", exit=number), never) for number in range(3)]
    assert [(ended.name, ended.exit) for ended in ends] == [(f"t{n}", n) for n in range(3)]
    (pid,) = {pid_of(ended) for ended in ends}
    lane.close()
    assert not os.path.exists(f"/proc/{pid}")


def test_a_process_that_died_is_replaced_and_its_task_alone_is_lost(folder: Path, lane: TaskLane) -> None:
    first = lane.run(task(folder, "first"), never)
    died = lane.run(task(folder, "died", die=signal.SIGKILL), never)
    after = lane.run(task(folder, "after"), never)
    assert (died.exit, died.message, died.report) == (-signal.SIGKILL, "died", None)
    assert (after.exit, after.message) == (0, "")
    assert pid_of(after) != pid_of(first)


def test_a_process_that_made_way_loses_no_task(folder: Path, lane: TaskLane) -> None:
    ends = [lane.run(task(folder, f"t{number}", last=True), never) for number in range(4)]
    assert [ended.exit for ended in ends] == [0] * 4
    assert len({pid_of(ended) for ended in ends}) == 4


def test_a_process_of_jobs_that_ends_by_itself_ends_well_whatever_its_last_job_did(tmp_path: Path) -> None:
    """Else a task that comes as it makes way would be taken for one that ended like the last, and be lost."""
    job = Job("gone", (tmp_path / "gone.jar",), tmp_path / "out.jar", tmp_path / "out.json", Settings(predicate="true"))
    asked = job.task(tmp_path)
    done = subprocess.run(
        python_child(asked.module),
        input=f"{asked.line}\n",
        capture_output=True,
        text=True,
        timeout=patience(),
        cwd=ROOT,
    )
    assert json.loads(done.stdout)["exit"] == 2
    assert done.returncode == 0


def test_another_folder_is_another_process(folder: Path, lane: TaskLane) -> None:
    (folder / "other").mkdir()
    here, there = (lane.run(task(place, "x"), never) for place in (folder, folder / "other"))
    assert pid_of(here) != pid_of(there)


def test_a_stop_ends_the_task_gently_and_nothing_else_begins(folder: Path) -> None:
    flag = folder / "waiting"

    def stop() -> None:
        end = time.monotonic() + patience()
        while not flag.exists() and time.monotonic() < end:
            time.sleep(0.02)
        executor.stop()

    with Local(1) as executor:
        thread = threading.Thread(target=stop)
        thread.start()
        before, first, second = executor.run(
            [task(folder, "before"), task(folder, "long", wait=str(flag), exit=7), task(folder, "never")]
        )
        thread.join()
    assert before.exit == 0
    assert first.report is not None
    assert (first.exit, first.report["left"]) == (7, "")
    assert (second.exit, second.report) == (INTERRUPTED, None)
    assert not os.path.exists(f"/proc/{pid_of(first)}")
