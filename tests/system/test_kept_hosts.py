"""Resident Java processes that stay from one reduction to the next: of a batch, and of ``--each``."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.jar import write_jar
from core.batch.job import Job
from core.batch.tasks import Done, TaskLane
from core.predicate import presets
from core.predicate.jvm.process_pool import ProcessPool
from core.predicate.jvm.tool_process import ToolCommand
from core.predicate.preset import ToolRuns
from core.protocol import events
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.patience import patience

pytestmark = pytest.mark.usefixtures("decompilers")

SOURCES = {
    "a/Gone.java": "package a; class Gone { int h() { return 1; } }",
    "a/Lost.java": "package a; class Lost { int h() { return 1; } }",
    "a/Uses.java": "package a; class Uses { int g() { return new Gone().h(); } int n() { return 1; } }",
    "a/Asks.java": "package a; class Asks { int g() { return new Lost().h(); } int n() { return 1; } }",
    "a/Good.java": "package a; public class Good { int f(int x) { return x + 1; } }",
}
EMPTIED = {f"a/{name}.java": f"package a; class {name} {{ }}" for name in ("Gone", "Lost")}
Processes = Callable[[str], list[int]]
_REHEARSAL = "ArchiveClassesAtExit"
"""In the command line of a host that only makes an archive."""


@pytest.fixture
def jars(compile_java, tmp_path: Path) -> tuple[Path, Path]:  # type: ignore[no-untyped-def]
    """An input with two failures of javac, and a library that no other process names."""
    lacking = presets.find("procyon").missing()
    if lacking:
        pytest.skip(lacking)
    folder, emptied = compile_java(SOURCES), compile_java(EMPTIED)
    places = [*((folder, name) for name in ("Asks", "Good", "Uses")), *((emptied, name) for name in ("Gone", "Lost"))]
    classes = [(f"a/{name}.class", (place / "a" / f"{name}.class").read_bytes()) for place, name in places]
    write_jar(tmp_path / "in.jar", classes)
    write_jar(tmp_path / "library.jar", [("note.txt", b"")])
    return tmp_path / "in.jar", tmp_path / "library.jar"


def settings_of(library: Path) -> Settings:
    return Settings(preset="procyon", classpath=(str(library),), algorithm="gbr", validity="src")


def job_of(name: str, source: Path, settings: Settings) -> Job:
    output = source.with_name(f"{name}.jar")
    return Job(name, (source,), output, output.with_suffix(".json"), settings)


def hosts_of(library: Path, processes: Processes) -> set[int]:
    return set(processes(str(library))) - set(processes(_REHEARSAL))


def gone(pids: set[int]) -> bool:
    end = time.monotonic() + patience()
    while time.monotonic() < end and any(os.path.exists(f"/proc/{pid}") for pid in pids):
        time.sleep(0.05)
    return not any(os.path.exists(f"/proc/{pid}") for pid in pids)


@pytest.mark.slow
def test_the_jobs_of_a_batch_share_a_host_which_ends_with_them(jars: tuple[Path, Path], processes: Processes) -> None:
    source, library = jars
    settings = settings_of(library)
    lane = TaskLane()

    def run(name: str) -> tuple[Done, set[int]]:
        done = lane.run(job_of(name, source, settings).task(source.parent), lambda: False)
        assert done.exit == 0, done
        return done, hosts_of(library, processes)

    try:
        first, hosts = run("first")
        assert hosts
        second, same = run("second")
        assert same >= hosts
        for pid in same:
            os.kill(pid, signal.SIGKILL)
        third, others = run("third")
        assert others
        assert not others & same
    finally:
        lane.close()
    assert gone(others)
    read = [source.with_name(f"{name}.jar").read_bytes() for name in ("first", "second", "third")]
    assert read[0] == read[1] == read[2] != source.read_bytes()
    assert first.report
    assert second.report
    assert third.report
    assert first.report["probes"]["run"] == second.report["probes"]["run"] == third.report["probes"]["run"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_no_host_outlives_the_process_of_its_jobs(
    jars: tuple[Path, Path], processes: Processes, number: signal.Signals
) -> None:
    source, library = jars
    lane = TaskLane()
    lane.run(job_of("one", source, settings_of(library)).task(source.parent), lambda: False)
    hosts = hosts_of(library, processes)
    assert hosts
    assert lane._process is not None
    os.kill(lane._process.pid, number)
    assert gone(hosts)
    lane.close()


@pytest.mark.slow
def test_the_reductions_for_each_failure_share_a_host(jars: tuple[Path, Path], processes: Processes) -> None:
    source, library = jars
    hosts: list[set[int]] = []

    def listen(event: events.Event) -> None:
        if isinstance(event, events.Finished):
            hosts.append(hosts_of(library, processes))

    workspace = Workspace(listen)
    try:
        workspace.open([str(source)])
        found, _ = workspace.reduce_each(replace(settings_of(library), failures="same"), source.with_name("each"))
    finally:
        workspace.close()
    assert len(found) == len(hosts) == 2
    assert hosts[0]
    assert hosts[0] <= hosts[1]
    assert gone(hosts[1])


@pytest.mark.guarded
def test_a_tool_that_was_built_anew_is_not_answered_for_by_its_hosts(jars: tuple[Path, Path]) -> None:
    _, library = jars
    shelf = ProcessPool()

    def command() -> ToolCommand:
        predicate = presets.find("procyon").predicate(runs=ToolRuns([library], shelf=shelf))
        return predicate.commands()[0]  # type: ignore[attr-defined, no-any-return]

    before = command()
    assert before == command()
    write_jar(library, [("note.txt", b"another content")])
    assert before != command()
    shelf.close()
