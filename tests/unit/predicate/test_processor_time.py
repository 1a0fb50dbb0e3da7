"""Limits of the processor time of a command: of all of it, of one thread, and of time without a processor."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from core.predicate import effort
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.effort import Haste
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate
from core.predicate.tool_chain import StepsPredicate, ToolStep
from core.predicate.verdict import Outcome, Verdict
from core.service.searching import testers
from core.system.processes import process_table
from core.system.processors import cores
from tests.support.files import script

ENTRIES = [("a/A.class", b"\xca\xfe\xba\xbe"), ("notes.txt", b"hello")]


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_command_that_only_waits_is_killed_sooner(tmp_path):
    def outcome(body: str, patience: float | None) -> Outcome:
        command = PredicateCommand.parse(str(script(tmp_path, body)), tmp_path)
        return (
            CommandPredicate(command, condition=Condition(), timeout=60.0)
            .hurried(Haste(30.0, None, patience))
            .probe(ENTRIES, tmp_path / f"work-{patience}-{len(body)}")
        )

    waits = outcome("sleep 50", 0.6)
    assert waits.verdict is Verdict.TIMED_OUT
    assert waits.detail.startswith("killed after")
    assert waits.detail.endswith("(nothing of it ran for 0.6 s)")
    assert waits.seconds < 30
    rests = outcome("sleep 0.2", 2.0)
    assert rests.interesting
    assert rests.idle > 0.1
    assert outcome("for turn in 1 2 3 4 5 6; do timeout 0.2 sh -c 'while :; do :; done'; done; true", 0.6).interesting
    assert outcome("sleep 1.2", None).interesting


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_waits_with_a_little_work_between_them_are_time_that_passes():
    """A look at the threads of a virtual machine is such work."""
    turn = "time.sleep(0.1); end = time.process_time() + 0.01\n while time.process_time() < end: pass"
    words = [sys.executable, "-c", f"import time\nwhile True:\n {turn}"]
    with subprocess.Popen(words, start_new_session=True) as child:
        watched, begun = effort.Effort(child.pid, Haste(), 0), time.monotonic()
        while (passed := time.monotonic() - begun) < 1.5:
            watched.exceeded()
            time.sleep(0.02)
        child.kill()
    assert 0.6 * (passed - watched.starved()) < watched.passed() < 1.3 * passed


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
@pytest.mark.parametrize("through", ["socket", "named pipe", "own session"])
def test_a_command_whose_work_another_process_does_is_not_ended_as_idle(tmp_path, through):
    works = "import time; end = time.monotonic() + 1.2\nwhile time.monotonic() < end: pass\n"
    server = socket.create_server(("127.0.0.1", 0))
    if through == "socket":
        subprocess.run([sys.executable, "-c", "import socket"], check=True)  # else the command waits for the disk first
        threading.Timer(1.2, lambda: server.accept()[0].close()).start()
        connects = f"import socket; socket.create_connection({server.getsockname()}).recv(1)"
        body = f'exec {sys.executable} -c "{connects}"'
    elif through == "named pipe":
        os.mkfifo(tmp_path / "answers")
        answers = os.open(tmp_path / "answers", os.O_RDWR)
        threading.Timer(1.2, lambda: os.write(answers, b"\n")).start()
        body = f"read answer <>{tmp_path}/answers"
    else:
        body = f"setsid -w {sys.executable} -c '{works}'"
    command = PredicateCommand.parse(str(script(tmp_path, body)), tmp_path)
    hurried = CommandPredicate(command, condition=Condition(), timeout=60.0).hurried(Haste(30.0, None, 0.5))
    with server:
        assert hurried.probe(ENTRIES, tmp_path / "work").interesting


@pytest.mark.guarded
@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_limit_that_the_user_set_is_one_on_a_watch(tmp_path):
    limits = ProbeLimits(seconds=0.5)
    endless = script(tmp_path, "while :; do :; done")
    others = [subprocess.Popen([str(endless)], start_new_session=True) for _ in range(2 * cores())]
    try:
        predicate = CommandPredicate(
            PredicateCommand.parse(str(endless)), condition=Condition(), timeout=0.5, limits=limits
        )
        outcome = predicate.probe(ENTRIES, tmp_path / "work")
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert outcome.verdict is Verdict.TIMED_OUT
    assert outcome.busiest < 0.5, "it had to share the processors, and got no more time for that"


def test_the_seconds_of_a_run_are_its_own_though_nobody_looked(tmp_path):
    class Busy(threading.Event):
        def is_set(self) -> bool:
            time.sleep(0.6)
            return False

    command = PredicateCommand.parse(str(script(tmp_path, "sleep 1")), tmp_path)
    assert (
        CommandPredicate(command, condition=Condition(), timeout=60.0).probe(ENTRIES, tmp_path / "work", Busy()).seconds
        >= 1
    )


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_command_that_takes_too_much_processor_time_is_killed(tmp_path):
    def outcome(body):
        command = PredicateCommand.parse(str(script(tmp_path, body)), tmp_path)
        work = tmp_path / f"work-{body[:5]}"
        return CommandPredicate(command, condition=Condition(), timeout=60.0).hurried(Haste(0.3)).probe(ENTRIES, work)

    busy = outcome("( while :; do :; done )")
    assert busy.verdict is Verdict.TIMED_OUT
    assert busy.seconds < 30
    assert busy.processor > 0.2
    idle = outcome("sleep 1")
    assert idle.interesting
    assert idle.processor < 0.3


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_preset_without_resident_processes_has_the_limits_of_a_command(tmp_path):
    endless = ToolStep(("sh", "-c", "while :; do :; done"))
    steps = StepsPredicate("two", (ToolStep(("true",)), endless), condition=Condition(), timeout=60.0)
    checked = Outcome(Verdict.INTERESTING, 1.0, 0, "", processor=0.2, busiest=0.2)
    busy = (
        testers.Testers(steps, checked, tmp_path, 1, 1, left=lambda: None, fixed=False)
        .hurried(steps)
        .probe(ENTRIES, tmp_path / "work")
    )
    assert busy.verdict is Verdict.TIMED_OUT
    assert 0.3 < busy.processor < 5
    assert "of processor time" in busy.detail


@pytest.mark.guarded
@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_command_of_which_one_thread_takes_too_much_is_killed(tmp_path):
    def outcome(body):
        command = PredicateCommand.parse(str(script(tmp_path, body)), tmp_path)
        work = tmp_path / f"work-{body[:5]}"
        return (
            CommandPredicate(command, condition=Condition(), timeout=60.0)
            .hurried(Haste(thread=0.3))
            .probe(ENTRIES, work)
        )

    busy = outcome("( while :; do :; done )")
    assert busy.verdict is Verdict.TIMED_OUT
    assert busy.busiest > 0.3
    assert outcome("for turn in 1 2 3 4 5 6; do timeout 0.1 sh -c 'while :; do :; done'; done; true").interesting
    counts = outcome("turn=0; while [ $turn -lt 100000 ]; do turn=$((turn + 1)); done")
    assert 0 < counts.busiest <= counts.processor + 0.02, "both are counted in ticks of 10 ms"


def _hurried(command):
    return CommandPredicate(PredicateCommand.parse(command), condition=Condition()).hurried(Haste(30.0, watch=1.5))


def _with_a_time_limit(command):
    return CommandPredicate(PredicateCommand.parse(command), condition=Condition(), timeout=1.5)


def _of_a_preset(command):
    return StepsPredicate("Tool", (ToolStep((command,)),), condition=Condition(), timeout=1.5)


@pytest.mark.guarded
@pytest.mark.parametrize("predicate", [_hurried, _with_a_time_limit, _of_a_preset])
@pytest.mark.skipif(not process_table.listed() or shutil.which("taskset") is None, reason="no list, or no taskset")
def test_time_without_a_processor_is_no_time_of_a_probe(tmp_path, monkeypatch, predicate):
    monkeypatch.setattr(effort, "_MOST_STARVED", 1e3)  # however busy the machine is
    core = min(os.sched_getaffinity(0))
    endless = [sys.executable, "-c", "while True: pass"]
    works = f"{sys.executable} -c 'import time\nwhile time.process_time() < 0.6: pass'"

    def outcome(body, name):
        command = script(tmp_path, f"exec taskset -c {core} {body}")
        return predicate(str(command)).probe(ENTRIES, tmp_path / name)

    others = [subprocess.Popen(["taskset", "-c", str(core), *endless], start_new_session=True) for _ in range(4)]
    try:
        starved = outcome(works, "starved")
    finally:
        for other in others:
            other.kill()
            other.wait()
    assert starved.interesting
    assert starved.seconds > 1.5
    assert outcome("sleep 50", "asleep").verdict is Verdict.TIMED_OUT


class _Process:
    """Process with one thread, as the system tells of it."""

    def __init__(self, proc: Path) -> None:
        self._folder = proc / "7" / "task" / "7"
        self._folder.mkdir(parents=True)
        self.tells(0, 0)

    def tells(self, processor: float, waited: float) -> None:
        ticks = round(processor * os.sysconf("SC_CLK_TCK"))
        (self._folder / "stat").write_text(f"7 (java) R {' '.join(['0'] * 10)} {ticks} 0 0 0")
        (self._folder / "schedstat").write_text(f"0 {round(waited * 1e9)} 0")


@pytest.mark.parametrize(
    ("processor", "waited", "late"), [(0, 0, True), (0.05, 0.1, True), (0.05, 60, False), (0.3, 60, True)]
)
def test_a_request_to_a_resident_process_has_its_time_without_that_without_a_processor(
    tmp_path, monkeypatch, processor, waited, late
):
    monkeypatch.setattr(process_table, "_PROC", str(tmp_path))
    process = _Process(tmp_path)
    process.tells(5, 50)  # of earlier requests
    limit = effort.RequestLimit(7, 0.2)
    assert not limit.passed() or limit.elapsed() > 0.2, "on a machine with much other work"
    process.tells(5 + processor, 50 + waited)
    while limit.elapsed() < 0.4:
        time.sleep(0.05)
    assert limit.passed() == late
    assert not effort.RequestLimit(7, None).passed()
