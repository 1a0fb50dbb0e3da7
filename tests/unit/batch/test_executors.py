"""Executors: real processes here, and on the workers of a real Dask cluster on this machine."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.batch.batch_file import Batch, load
from core.batch.executors import Cluster, Executor, Local, executor_of
from core.batch.tasks import INTERRUPTED, Done, Task
from core.errors import UsageError
from tests.support.dask_cluster import loopback_cluster, needs_dask
from tests.support.patience import patience

ROOT = Path(__file__).resolve().parents[3]
ECHO = """
import json, os, sys
for line in sys.stdin:
    values = json.loads(line)
    told = f'{os.getcwd()} {values["say"]}'
    if values.get("wait"):
        open(values["wait"], "w").close()
        told += f" gentle {sys.stdin.read()!r}"
    print(json.dumps({"exit": values["exit"], "message": told}), flush=True)
"""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A path for Python with the module ``echo_task``, which tasks can run."""
    folder = tmp_path_factory.mktemp("modules")
    (folder / "echo_task.py").write_text(ECHO)
    return os.pathsep.join([str(folder), str(ROOT)])


@pytest.fixture
def folder(tmp_path: Path, modules: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for tasks to run in; its ``json.py`` must not be taken for Python's."""
    monkeypatch.setenv("PYTHONPATH", modules)
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')")
    return tmp_path


def task(folder: Path, name: str, **values: object) -> Task:
    return Task(name, json.dumps({"say": name, "exit": 0, **values}), folder, "echo_task")


@pytest.mark.parametrize("lanes", [1, 3])
def test_each_task_has_its_own_end(folder: Path, lanes: int) -> None:
    tasks = [task(folder, f"t{number}", exit=number) for number in range(4)]
    with Local(lanes) as executor:
        ends = {ended.name: ended for ended in executor.run(tasks)}
    assert {name: ended.exit for name, ended in ends.items()} == {"t0": 0, "t1": 1, "t2": 2, "t3": 3}
    assert all(ended.message == f"{folder} {name}" for name, ended in ends.items())


def test_tasks_are_asked_for_when_a_lane_is_free(folder: Path) -> None:
    asked: list[int] = []

    def tasks() -> Iterator[Task]:
        for number in range(4):
            asked.append(number)
            yield task(folder, str(number))

    with Local(1) as executor:
        ends = executor.run(tasks())
        next(ends)
        assert asked == [0]
        assert [ended.name for ended in ends] == ["1", "2", "3"]


def test_a_stop_closes_the_input_and_nothing_else_begins(folder: Path) -> None:
    flag = folder / "waiting"
    with Local(1) as executor:
        thread = threading.Thread(target=lambda: (_appears(flag), executor.stop()))
        thread.start()
        first, second = executor.run([task(folder, "long", wait=str(flag), exit=7), task(folder, "never")])
        thread.join()
    assert first.exit == 7
    assert first.message.endswith("gentle ''")
    assert second == Done("never", INTERRUPTED)


def test_what_cannot_be_run_says_so(folder: Path) -> None:
    with Local(1) as executor:
        (ended,) = executor.run([task(folder / "gone", "x")])
    assert ended.exit == 2
    assert "gone" in ended.message
    with pytest.raises(UsageError, match="it is 0"):
        executor_of(None, 0)


def _appears(path: Path) -> None:
    end = time.monotonic() + patience()
    while not path.exists():
        assert time.monotonic() < end, f"{path} did not appear"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def cluster(modules: str) -> Iterator[str]:
    """The address of a cluster of two workers."""
    with loopback_cluster(2, modules) as made:
        yield made.address


def _lanes(address: str, wanted: int) -> Cluster:
    """The executor, once the workers have come."""
    end = time.monotonic() + patience()
    while True:
        try:
            executor = Cluster(address, None)
        except UsageError as error:
            if "no workers" not in str(error):
                raise
        else:
            if executor.lanes == wanted:
                return executor
            executor.close()
        assert time.monotonic() < end, "the workers did not come"
        time.sleep(0.2)


JOBS = """
predicate = "grep -q Rational.class {{jar}}"
granularity = "class"
algorithm = "{algorithm}"
[[job]]
input = "{sample}"
output = "{place}/binary.jar"
algorithm = "binary"
[[job]]
input = "{sample}"
output = "{place}/ddmin.jar"
[[job]]
input = "missing.jar"
output = "{place}/missing.jar"
"""


def _batch(folder: Path, sample: Path, place: str) -> Batch:
    file = folder / f"{place}.toml"
    file.write_text(JOBS.format(sample=sample, place=place, algorithm="closure"))
    return load(file)


def _ran(batch: Batch, executor: Executor) -> list[Done]:
    with executor:
        return batch.run(executor, lambda number, done: None)


@pytest.mark.slow
@needs_dask
def test_a_cluster_finds_what_this_machine_finds(cluster: str, folder: Path, sample_jar: Path) -> None:
    here = _ran(_batch(folder, sample_jar, "here"), Local(2))
    there = _ran(_batch(folder, sample_jar, "there"), _lanes(cluster, 2))
    assert [done.exit for done in here] == [done.exit for done in there] == [0, 0, 2]
    assert "missing.jar" in there[2].message
    for name in ("binary.jar", "ddmin.jar"):
        assert (folder / "here" / name).read_bytes() == (folder / "there" / name).read_bytes()
    for one, other in zip(here[:2], there[:2], strict=True):
        assert one.report is not None
        assert other.report is not None
        assert [one.report[key] for key in ("output", "kept")] == [other.report[key] for key in ("output", "kept")]
        assert one.report["probes"]["run"] == other.report["probes"]["run"], "the check's runs go on beside the search"


@pytest.mark.slow
@needs_dask
def test_a_stop_reaches_the_workers(cluster: str, folder: Path) -> None:
    flag = folder / "waiting"
    with _lanes(cluster, 2) as executor:
        executor.lanes = 1
        thread = threading.Thread(target=lambda: (_appears(flag), executor.stop()))
        thread.start()
        first, second = executor.run([task(folder, "long", wait=str(flag), exit=7), task(folder, "never")])
        thread.join()
    assert (first.exit, second.exit) == (7, INTERRUPTED)
    assert "gentle" in first.message


@needs_dask
def test_a_scheduler_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.cluster.connection._PATIENCE", 0.5)
    with pytest.raises(UsageError, match="No Dask scheduler answers at"):
        Cluster("tcp://127.0.0.1:9", None)
    with pytest.raises(UsageError, match="No Dask scheduler answers at"):
        Cluster("no address", None)
