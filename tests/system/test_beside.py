"""What goes on beside the search: a reduction begins after one run, and what the others find does not change it."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from core.archive.packer import write_jar
from core.check import as_given, beside
from core.errors import NotInterestingError
from core.predicate import presets
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.process import Stream
from core.protocol import events
from core.protocol.settings import Settings
from core.service import preparation
from core.service.workspace import Workspace
from core.system.processes.measures import cpu_seconds, descendants
from core.system.processors import Busy
from core.system.stopwatch import Stopwatch, process_began
from tests.support.own_tools import tool
from tests.support.patience import patience

pytestmark = pytest.mark.usefixtures("decompilers")

RATIONAL = "sample/number/Rational"
GREP = f"unzip -p $1 {RATIONAL}.class | grep -q reciprocal"
QUICK = {"algorithm": "binary", "granularity": "class", "allow_missing": True}
PARTS = ("start", "reading", "check", "model", "search", "confirmation")


@pytest.fixture
def reduce(sample_jar, tmp_path):
    """``reduce(settings, jar, heard)``: the bytes that came out, the events (each of which ``heard`` gets) and the
    report."""

    def run(settings: Settings, jar: Path = sample_jar, heard=lambda event: None) -> tuple[bytes, list, dict]:
        told: list[events.Event] = []

        def listen(event: events.Event) -> None:
            told.append(event)
            heard(event)

        session = Workspace(listen, tmp_path / "work")
        try:
            session.open([str(jar)])
            output = tmp_path / "out.jar"
            session.reduce(settings, output)
            assert session.last_report is not None
            return output.read_bytes(), told, session.last_report
        finally:
            session.close()

    return run


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_the_search_begins_after_one_run_and_the_rest_is_told(script, reduce, tmp_path, jobs):
    log = tmp_path / "log"
    command = f"{script(f'echo >>{log}; {GREP}')} {{jar}}"
    _, told, report = reduce(Settings(predicate=command, jobs=jobs, **QUICK))
    kinds = [type(event) for event in told]
    assert kinds.index(events.Checked) < kinds.index(events.Started)
    (checked,) = [event for event in told if isinstance(event, events.Checked)]
    (vouched,) = [event for event in told if isinstance(event, events.Vouched)]
    assert checked.runs == 1
    assert vouched.runs >= 2
    probes = report["probes"]
    assert probes["check"] == 1 + vouched.probes
    begun, runs = len(log.read_text().splitlines()), probes["total"] + probes["speculated"]
    # what nobody wants any more may be ended before its first line
    assert probes["total"] <= begun <= runs if probes["speculated"] else begun == runs


def test_whoever_waits_for_the_rest_is_told_that_it_goes_on(script, reduce, tmp_path, monkeypatch):
    monkeypatch.setattr(beside, "_REMIND_EVERY", 0.05)
    searched: list[events.Counted] = []

    def heard(event: events.Event) -> None:
        if isinstance(event, events.Counted) and event.searched:
            searched.append(event)
            if len(searched) > 5:
                (tmp_path / "enough").touch()

    full = f"size=$(stat -c %s $1); [ -e {tmp_path}/full ] || {{ echo $size >{tmp_path}/full; whole=1; }}"
    waits = f"until [ -e {tmp_path}/enough ]; do sleep 0.05; done"
    slow = f'{full}; [ -n "$whole" ] || [ $size != $(cat {tmp_path}/full) ] || {waits}; {GREP}'
    reduce(Settings(predicate=f"{script(slow)} {{jar}}", jobs=2, **QUICK), heard=heard)
    moments = [event.at for event in searched]
    assert moments == sorted(moments)
    assert 0 < searched[-1].most_left < searched[0].most_left


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_answer_that_changes_ends_the_reduction_and_nothing_is_written(script, reduce, tmp_path, jobs):
    write_jar(tmp_path / "out.jar", [("before.txt", b"")])
    before = (tmp_path / "out.jar").read_bytes()
    once = f"mkdir {tmp_path}/seen 2>/dev/null || exit 1"
    with pytest.raises(NotInterestingError, match="not stable"):
        reduce(Settings(predicate=f"{script(once)} {{jar}}", jobs=jobs, **QUICK))
    assert (tmp_path / "out.jar").read_bytes() == before


def test_a_command_that_bears_no_other_run_beside_it_is_run_alone(script, reduce, tmp_path, monkeypatch):
    monkeypatch.setattr(Busy, "automatic", 2)
    # the second run of the full input holds the lock until the third one has met it, however late that begins
    body = f"""cd {tmp_path}
size=$(stat -c %s "$1")
[ -e full ] || {{ echo $size >full; first=1; }}
[ $size = $(cat full) ] && whole=1
exec 9>lock
flock -n 9 || {{ [ -z "$whole" ] || touch met; exit 9; }}
[ -n "$first" ] || [ -z "$whole" ] || until [ -e met ]; do sleep 0.01; done
{GREP}"""
    command = f"{script(body)} {{jar}}"
    found, told, report = reduce(Settings(predicate=command, **QUICK))
    assert any("two runs of it" in event.message for event in told if isinstance(event, events.Warned))
    assert report["jobs"] == 1
    alone, _, _ = reduce(Settings(predicate=f"{script(GREP, 'plain.sh')} {{jar}}", jobs=1, **QUICK))
    assert found == alone


@pytest.fixture(scope="module")
def broken_jar(compile_java, tmp_path_factory):
    """Two classes, one of which uses a third that is not there: what a decompiler makes of it does not compile."""
    folder = compile_java(
        {
            "a/Good.java": "package a; public class Good { int f(int x) { return x + 1; } }",
            "a/Uses.java": "package a; class Uses { int g() { return new Gone().h(); } }",
            "a/Gone.java": "package a; class Gone { int h() { return 1; } }",
        }
    )
    path = tmp_path_factory.mktemp("broken") / "broken.jar"
    with zipfile.ZipFile(path, "w") as jar:
        for name in ("a/Good.class", "a/Uses.class"):
            jar.write(folder / name, name)
    return path


@pytest.fixture(scope="module")
def jar_of_nothing_wrong(compile_java, tmp_path_factory):
    folder = compile_java({"a/Good.java": "package a; public class Good { int f(int x) { return x + 1; } }"})
    path = tmp_path_factory.mktemp("good") / "good.jar"
    with zipfile.ZipFile(path, "w") as jar:
        jar.write(folder / "a/Good.class", "a/Good.class")
    return path


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, None])
def test_a_host_that_finds_other_failures_in_the_full_input_is_not_believed(reduce, broken_jar, monkeypatch, jobs):
    cold, _, _ = reduce(Settings(preset="procyon", warm=False, **QUICK), broken_jar)
    ask, asked, calibrated, runs = WarmPredicate.ask, [], WarmPredicate.calibrated, []

    def wrong_at_first(self, *words):
        found = ask(self, *words)
        asked.append(found)
        if len(asked) > 1:
            return found
        other = Stream()
        other.add(found.stderr.text.replace("class Gone", "class Other").encode())
        assert other.data != found.stderr.data
        return replace(found, stderr=other)

    monkeypatch.setattr(WarmPredicate, "ask", wrong_at_first)
    monkeypatch.setattr(WarmPredicate, "calibrated", lambda *args: runs.append(args) or calibrated(*args))
    found, told, report = reduce(Settings(preset="procyon", jobs=jobs, **QUICK), broken_jar)
    assert found == cold
    assert any("begins anew" in event.message for event in told if isinstance(event, events.Warned))
    checked = [event.failures for event in told if isinstance(event, events.Checked)]
    assert len(checked) == 2
    assert checked[0] != checked[1]
    assert not runs, "the cold run that shows the lie is not made again"
    assert report["reason"] == "done"
    assert report["seconds"]["total"] == pytest.approx(sum(report["seconds"][name] for name in PARTS), abs=0.01)
    assert len(zipfile.ZipFile(io.BytesIO(found)).namelist()) == 1


@pytest.fixture
def resident(monkeypatch):
    """A preset of which the check believes that resident processes answer: it bears other runs beside it."""
    (presets.user_folder()).mkdir(parents=True)
    text = tool("grep", "unzip -l candidate.jar | grep -q a/Uses.class && echo FAIL Uses")
    (presets.user_folder() / "grep.toml").write_text(text)
    monkeypatch.setattr(preparation.Preparation, "_bears_others", lambda self: True)
    return "grep"


@pytest.mark.parametrize(
    ("after", "preset"), [(0.0, "grep"), (3600.0, "grep"), pytest.param(0.0, "procyon", marks=pytest.mark.slow)]
)
def test_the_run_as_given_may_begin_before_the_first_one_is_over(
    request, reduce, broken_jar, monkeypatch, after, preset
):
    if preset == "grep":
        request.getfixturevalue("resident")
    began = []
    given = as_given.given_predicate
    began_in = lambda *args: began.append(threading.current_thread().name) or given(*args)  # noqa: E731
    monkeypatch.setattr(as_given, "given_predicate", began_in)
    monkeypatch.setattr(as_given, "AFTER", after)
    monkeypatch.setattr(preparation, "cores", lambda: 2)
    _, told, report = reduce(Settings(preset=preset, jobs=2, **QUICK), broken_jar)
    assert began == ["beside" if after else "early"]
    (vouched,) = [event for event in told if isinstance(event, events.Vouched)]
    assert (vouched.runs, vouched.probes) == (2, 2)
    assert "The file as given is interesting too" in vouched.message
    assert report["probes"]["check"] == 3, "the third is that of an empty jar"
    assert report["seconds"]["total"] == pytest.approx(sum(report["seconds"][name] for name in PARTS), abs=0.01)


def test_what_began_early_ends_with_a_check_that_finds_nothing(reduce, resident, jar_of_nothing_wrong, monkeypatch):
    monkeypatch.setattr(as_given, "AFTER", 0.0)
    monkeypatch.setattr(preparation, "cores", lambda: 2)
    with pytest.raises(NotInterestingError):
        reduce(Settings(preset=resident, **QUICK), jar_of_nothing_wrong)
    assert not [thread for thread in threading.enumerate() if thread.name == "early"]


def test_parts_add_up_to_what_the_user_waits(script, reduce):
    _, told, report = reduce(Settings(predicate=f"{script(GREP)} {{jar}}", **QUICK))
    took = report["seconds"]
    assert took["total"] == pytest.approx(sum(took[name] for name in PARTS), abs=0.01)
    assert took["own"] < took["total"]
    assert took["reading"] > 0
    finished = told[-1]
    assert isinstance(finished, events.Finished)
    assert finished.seconds == took["total"]
    moments = [event.at for event in told if isinstance(event, events.Probed)]
    assert moments == sorted(moments)
    checked = next(event for event in told if isinstance(event, events.Checked))
    assert moments[0] > checked.spent, "the rest of the check may come later"
    json.dumps(report)


def test_a_stopwatch_gives_each_moment_to_one_part():
    watch = Stopwatch("one")
    with watch.during("two"), watch.during("three"):
        pass
    spent = watch.spent
    assert set(spent) == {"one", "two", "three"}
    assert watch.elapsed >= sum(spent.values())
    assert process_began() < watch.began


def test_what_a_machine_is_good_for_is_at_least_one_and_at_most_its_cores():
    busy = Busy()
    assert busy.automatic == 1
    busy.during(lambda: os.system("sleep 0.05"))
    assert 1 <= busy.automatic <= len(os.sched_getaffinity(0))


def has_used(pid: int, seconds: float) -> None:
    """Wait until a process and its descendants have used that much of a processor."""
    deadline = time.monotonic() + patience()
    while sum(cpu_seconds([pid, *descendants(pid)]).values()) < seconds:
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_what_goes_on_beside_a_run_is_nobody_elses_load(monkeypatch):
    loops = "import time\nwhile time.process_time() < 30: pass"
    shell = ["sh", "-c", f'"$0" -c "{loops}"; :', sys.executable]
    with subprocess.Popen(shell, start_new_session=True) as beside:
        try:
            busy = Busy()
            busy.during(lambda: has_used(beside.pid, 0.5))
        finally:
            os.killpg(beside.pid, signal.SIGKILL)
    assert 0 < busy.beside <= 1.1 * busy.wall
    for cores, idle, jobs in ((4, 1.0, 3), (4, 0.0, 1)):
        monkeypatch.setattr("core.system.processors.cores", lambda cores=cores: cores)
        monkeypatch.setattr(os, "cpu_count", lambda cores=cores: cores)
        assert Busy(1.0, 1.6, 0.0, 1.4, cores - idle).automatic == jobs
