"""Probes of one reduction on the workers of a real Dask cluster on this machine."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.archive.jar import read_jar
from core.cluster.cluster_predicate import ClusterPredicate
from core.cluster.connection import connected
from core.errors import PredicateError, UsageError
from core.predicate import presets
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.predicate import Predicate
from core.predicate.verdict import Verdict
from core.protocol import events
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.workspace import Workspace
from core.system.processes import process_table
from tests.support.dask_cluster import LoopbackCluster, loopback_cluster, needs_dask, wait_for_workers
from tests.support.patience import patience

pytestmark = needs_dask


@pytest.fixture
def cluster() -> Iterator[LoopbackCluster]:
    with loopback_cluster(2) as made:
        wait_for_workers(made.address, 2)
        yield made


def reduced(sample: Path, settings: Settings, heard: list[events.Event]) -> tuple[bytes, dict[str, int]]:
    """What is left, as one text, and the probes of the search."""
    workspace = Workspace(heard.append)
    try:
        workspace.open([str(sample)])
        reduction = workspace.reduce(settings)
        left = repr(sorted(reduction.best.entries)).encode()
        assert workspace.last_report is not None
        return left, workspace.last_report["probes"]
    finally:
        workspace.close()


SETTINGS = Settings(predicate="grep -aq sample/number/Rational {jar}", algorithm="ddmin", granularity="class")


def test_a_reduction_on_the_cluster_is_that_of_this_machine(cluster: LoopbackCluster, sample_jar: Path) -> None:
    here, _ = reduced(sample_jar, SETTINGS, [])
    heard: list[events.Event] = []
    there, _ = reduced(sample_jar, Settings.from_json({**SETTINGS.to_json(), "cluster": cluster.address}), heard)
    assert there == here
    assert not [event for event in heard if isinstance(event, events.Warned) and "cluster" in event.message]
    lanes = {event.lane for event in heard if isinstance(event, events.Trying)}
    assert lanes == {0, 1}


@pytest.mark.slow
def test_a_worker_that_is_lost_costs_its_probe_only(cluster: LoopbackCluster, sample_jar: Path, tmp_path: Path) -> None:
    settings = Settings(predicate=f"sh -c 'echo >> {tmp_path}/ran; sleep 2; test -s {{jar}}'", timeout=60)
    local = aim_of(settings).predicate(None)
    jar = read_jar([sample_jar])
    entries = jar.contents
    heard: list[str] = []
    predicate = ClusterPredicate(local, connected(cluster.address), heard.append)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(predicate.probe(entries, tmp_path / f"p{n}").verdict))  # type: ignore[misc]
        for n in range(2)
    ]
    for thread in threads:
        thread.start()
    end = time.monotonic() + patience()
    while not (tmp_path / "ran").exists() or len((tmp_path / "ran").read_text().splitlines()) < 2:
        assert time.monotonic() < end
        time.sleep(0.05)
    cluster.lose(0)
    for thread in threads:
        thread.join(patience())
    predicate.close()
    assert found == [Verdict.INTERESTING] * 2
    assert not heard
    assert len((tmp_path / "ran").read_text().splitlines()) == 3


@pytest.mark.guarded
@pytest.mark.parametrize("lie", ["exit 1", pytest.param("exit 0", marks=pytest.mark.slow)])
def test_a_worker_that_judges_otherwise_gets_no_probes(sample_jar: Path, tmp_path: Path, lie: str) -> None:
    """It would say no to all, or yes to all: as where a tool is missing, or the JDK is another one."""
    command = f"sh -c 'test -n \"$LIES\" && echo >> {tmp_path}/lies && {lie}; grep -aq sample/number/Rational {{jar}}'"
    with loopback_cluster(1) as cluster:
        cluster.join(LIES="yes")
        wait_for_workers(cluster.address, 2)
        here, _ = reduced(sample_jar, SETTINGS, [])
        heard: list[events.Event] = []
        settings = {**SETTINGS.to_json(), "predicate": command, "cluster": cluster.address}
        there, _ = reduced(sample_jar, Settings.from_json(settings), heard)
    said = [event.message for event in heard if isinstance(event, events.Warned)]
    assert there == here
    assert len((tmp_path / "lies").read_text().splitlines()) == 2, said
    assert [text for text in said if "gets no probes" in text], said


@pytest.mark.slow
def test_a_worker_that_hangs_costs_one_probe(sample_jar: Path, tmp_path: Path) -> None:
    """It is stopped by the first probe after the runs with a known outcome."""
    ran = tmp_path / "ran"
    command = (
        f'sh -c \'if test -n "$HANGS"; then echo >> {ran}; test $(wc -l < {ran}) -gt 2 && kill -STOP $PPID; fi; '
        "grep -aq sample/number/Rational {jar}'"
    )
    with loopback_cluster(1) as cluster:
        cluster.join(HANGS="yes")
        wait_for_workers(cluster.address, 2)
        here, _ = reduced(sample_jar, SETTINGS, [])
        heard: list[events.Event] = []
        settings = {**SETTINGS.to_json(), "predicate": command, "cluster": cluster.address, "timeout": 1.0}
        there, _ = reduced(sample_jar, Settings.from_json(settings), heard)
    said = [event.message for event in heard if isinstance(event, events.Warned)]
    assert there == here
    assert len(ran.read_text().splitlines()) == 3, said
    assert [text for text in said if "does not answer" in text], said


@pytest.mark.slow
@pytest.mark.parametrize("when", ["at once", "too late"])
def test_a_worker_that_is_stopped_in_a_probe_and_goes_on(sample_jar: Path, tmp_path: Path, when: str) -> None:
    """Its answer counts, unless it was given up: then it gets no probe any more."""
    ran = tmp_path / "ran"
    command = (
        f'sh -c \'if test -n "$STOPS"; then echo >> {ran}; test $(wc -l < {ran}) -eq 3 && kill -STOP $PPID; fi; '
        "grep -aq sample/number/Rational {jar}'"
    )
    heard: list[events.Event] = []
    over = threading.Event()

    def said() -> list[str]:
        return [event.message for event in heard if isinstance(event, events.Warned)]

    def go_on(pid: int) -> None:
        while process_table.row(pid).state != "T":
            assert not over.wait(0.05), "it was never stopped"
        while when == "too late" and not [text for text in said() if "does not answer" in text]:
            assert not over.wait(0.05), "it was never given up"
        os.kill(pid, signal.SIGCONT)

    with loopback_cluster(0) as cluster, ThreadPoolExecutor(1) as threads:
        worker = cluster.join(STOPS="yes")
        wait_for_workers(cluster.address, 1)
        here, _ = reduced(sample_jar, SETTINGS, [])
        gone_on = threads.submit(go_on, worker.pid)
        settings = {**SETTINGS.to_json(), "predicate": command, "cluster": cluster.address, "timeout": 1.0}
        there, _ = reduced(sample_jar, Settings.from_json(settings), heard)
        over.set()
        gone_on.result()
    assert there == here
    if when == "at once":
        assert said() == []
        assert len(ran.read_text().splitlines()) > 3
    else:
        assert len(ran.read_text().splitlines()) == 3, said()


@pytest.mark.slow
def test_what_no_worker_can_run_is_run_here(cluster: LoopbackCluster, sample_jar: Path, tmp_path: Path) -> None:
    local = aim_of(Settings(predicate="test -s {jar}")).predicate(30.0)
    heard: list[str] = []
    predicate = ClusterPredicate(local, connected(cluster.address), heard.append)
    for number in range(2):
        cluster.lose(number)
    outcome = predicate.probe([("a.txt", b"a")], tmp_path / "p")
    predicate.close()
    assert outcome.interesting
    assert len(heard) == 1
    assert "run on this machine" in heard[0]


@pytest.mark.guarded
def test_a_probe_that_nobody_wants_any_more_is_killed_on_its_worker(cluster: LoopbackCluster, tmp_path: Path) -> None:
    local = aim_of(Settings(predicate=f"sh -c 'echo $$ > {tmp_path}/pid; sleep 300'")).predicate(400.0)
    predicate = ClusterPredicate(local, connected(cluster.address), lambda text: None)
    cancel = threading.Event()
    found: list[Verdict] = []
    thread = threading.Thread(
        target=lambda: found.append(predicate.probe([("a.txt", b"a")], tmp_path / "p", cancel).verdict)
    )
    thread.start()
    end = time.monotonic() + patience()
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
        assert time.monotonic() < end
        time.sleep(0.05)
    cancel.set()
    thread.join(patience())
    assert found == [Verdict.UNRESOLVED]
    process = Path("/proc") / (tmp_path / "pid").read_text().strip()
    while process.exists():
        assert time.monotonic() < end
        time.sleep(0.1)
    predicate.close()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("procyon", marks=pytest.mark.guarded),
        "verify",
        "jdeps",
        "run",
        "crash",
        "differ",
        "command",
        "jvms",
    ],
)
def test_what_a_preset_makes_can_be_sent(name: str) -> None:
    options = {
        "run": {"main": "a.A"},
        "crash": {"main": "a.A"},
        "jvms": {"main": "a.A"},
        "command": {"command": "true"},
        "differ": {"first": "true {jar}", "second": "false {jar}"},
    }
    preset = presets.find(name)
    values = {setting.name: options.get(name, {}).get(setting.name, "") for setting in preset.settings}
    try:
        predicate = preset.predicate(values={key: text for key, text in values.items() if text})
    except (PredicateError, UsageError) as error:
        pytest.skip(str(error))
    try:
        sent = pickle.loads(pickle.dumps(predicate.portable()))
        assert sent.shell_line(Path("work")) == predicate.shell_line(Path("work"))
        sent.close()
    finally:
        predicate.close()


@pytest.mark.slow
def test_resident_processes_of_a_preset_start_on_the_workers(
    cluster: LoopbackCluster, compile_java: Callable[..., Path], tmp_path: Path
) -> None:
    folder = compile_java(
        {
            "a/Uses.java": "package a; class Uses { int g() { return new Gone().h(); } }",
            "a/Gone.java": "package a; class Gone { int h() { return 1; } }",
        }
    )
    broken = [("a/Uses.class", (folder / "a/Uses.class").read_bytes())]
    whole = [*broken, ("a/Gone.class", (folder / "a/Gone.class").read_bytes())]
    local = aim_of(Settings(preset="procyon")).predicate(300.0)
    heard: list[str] = []
    predicate: Predicate = local
    try:
        calibrated, outcome = local.calibrated(broken, tmp_path / "first")
        assert isinstance(calibrated, WarmPredicate)
        assert outcome.interesting
        assert calibrated.warm
        predicate = ClusterPredicate(calibrated, connected(cluster.address), heard.append)
        calibrated._hosts.shelf.close()  # what answers now is elsewhere
        again = predicate.probe(broken, tmp_path / "p1")
        assert again.interesting
        assert again.failures == outcome.failures
        assert hosts_below(cluster), "the worker ran it cold"
        assert predicate.probe(whole, tmp_path / "p2").verdict is Verdict.NOT_INTERESTING
        assert not heard
    finally:
        predicate.close()
    end = time.monotonic() + patience()
    while hosts_below(cluster):
        assert time.monotonic() < end, "hosts outlive the reduction"
        time.sleep(0.1)


def hosts_below(cluster: LoopbackCluster) -> list[int]:
    """Process numbers of the resident Java processes that workers have started."""
    workers = {process.pid for process in cluster.workers}
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            above = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            words = (path / "cmdline").read_bytes()
        except (OSError, ValueError, IndexError):
            continue
        if above in workers and b"Host" in words:
            found.append(int(path.name))
    return found
