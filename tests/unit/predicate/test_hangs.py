"""Runs that do not end: where they are stuck is their name, and a known hang ends its run."""

import itertools
import sys
from pathlib import Path

import pytest

from core.errors import PredicateError
from core.predicate import process
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition, Reference
from core.predicate.failures import FailureNaming, Wanted
from core.predicate.jvm import stuck
from core.predicate.jvm.stuck import UNKNOWN, Sampler, ThreadSample, hang_text, place
from core.predicate.limits import ProbeLimits
from core.predicate.predicate import CommandPredicate
from core.predicate.verdict import Outcome, Verdict
from core.system.processes import process_table

TOOL = """
public class Tool {
    static volatile int sum;
    static final Object LOCK = new Object();

    public static void main(String[] words) throws Exception {
        switch (words[0]) {
            case "loop": spin(); break;
            case "wait": await(); break;
            default: Thread other = new Thread(Tool::spin); other.start(); other.join();
        }
    }

    static void spin() { while (true) turn(); }
    static void turn() { for (int i = 0; i < 1000; i++) sum += i; }
    static void await() throws Exception { synchronized (LOCK) { LOCK.wait(); } }
}
"""
LOOP = "hang at Tool.spin < Tool.main"
WAITS = "hang at Tool.await < Tool.main"
HANGS = Condition(reading=FailureNaming(("hangs",)), wanted=Wanted())

pytestmark = pytest.mark.skipif(not process_table.listed(), reason="no list of processes")


@pytest.fixture
def tool(compile_java) -> Path:
    return compile_java({"Tool.java": TOOL})


def run(
    tool: Path, work: Path, word: str, timeout: float, known: str = "", limits: ProbeLimits | None = None
) -> Outcome:
    java = f"java -Xshare:auto -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp {tool} Tool {word}"
    predicate = CommandPredicate(
        PredicateCommand.parse(java), condition=HANGS, timeout=timeout, limits=limits or ProbeLimits()
    )
    if known:
        predicate = predicate.relative_to(Reference(-9, "", "", (known,)))
    return predicate.probe([], work)


@pytest.mark.guarded
@pytest.mark.parametrize(
    ("word", "name"),
    [("loop", "Tool.spin < Tool.main"), ("wait", "java.lang.Object.wait < "), ("thread", "Tool.spin < ")],
)
def test_a_run_that_is_ended_for_its_time_tells_where_it_is_stuck(tool, tmp_path, word, name):
    outcome = run(tool, tmp_path / "work", word, 2.5)
    assert outcome.interesting
    assert f" {name}" in outcome.failures[0].replace(" Tool.turn <", "")
    assert hang_text(outcome.stderr).startswith("It is stuck in Tool.")


def test_a_known_hang_ends_a_run_long_before_its_limit(tool, tmp_path):
    outcome = run(tool, tmp_path / "work", "wait", 100_000.0, WAITS)  # a loop would take as long a processor
    assert outcome.interesting
    assert outcome.failures == (WAITS,)


def test_the_socket_of_a_killed_java_process_is_removed(tool, tmp_path, monkeypatch):
    asked, dump = set(), stuck.thread_dump
    monkeypatch.setattr(stuck, "thread_dump", lambda pid: asked.add(pid) or dump(pid))
    assert run(tool, tmp_path / "work", "wait", 100_000.0, WAITS).failures == (WAITS,)
    assert asked
    assert not [pid for pid in asked if Path(f"/tmp/.java_pid{pid}").exists()]


@pytest.mark.guarded
def test_a_run_that_is_stuck_elsewhere_shows_another_failure(tool, tmp_path):
    outcome = run(tool, tmp_path / "work", "wait", 2.0, LOOP)
    assert outcome.verdict is Verdict.TIMED_OUT
    assert outcome.detail == f"failures that are gone: {LOOP}"


def test_a_slow_run_ends_once_it_has_stood_at_its_place_for_so_long(tool, tmp_path):
    outcome = run(tool, tmp_path / "work", "loop", 100_000.0, LOOP, ProbeLimits(stands=1.0))
    assert outcome.interesting
    assert outcome.processor >= 1.0


def test_a_run_without_a_java_process_hangs_at_an_unknown_place(tmp_path):
    command = PredicateCommand.parse(f"{sys.executable} -c 'import time; time.sleep(1000)'")
    outcome = CommandPredicate(command, condition=HANGS, timeout=0.5).probe([], tmp_path / "work")
    assert outcome.failures == (UNKNOWN,)
    assert hang_text(outcome.stderr) == "No Java process of it tells where it is stuck."


def test_a_run_that_ends_is_no_hang(tmp_path):
    outcome = CommandPredicate(PredicateCommand.parse("sh -c 'exit 3'"), condition=HANGS, timeout=60.0).probe(
        [], tmp_path / "work"
    )
    assert outcome.verdict is Verdict.NOT_INTERESTING


def test_of_several_threads_the_busy_one_with_the_most_common_frames_is_stuck():
    def moment(processor: float, *inner: str) -> dict[tuple[int, str], ThreadSample]:
        return {
            (1, "main"): ThreadSample(1.0, False, ["a.Main.main", "a.Pool.wait", "a.Pool.park", "a.Pool.stay"]),
            (1, "works"): ThreadSample(processor, True, ["a.Pool.run", f"a.Step{processor}.go"]),
            (1, "stuck"): ThreadSample(processor, True, ["a.Pool.run", "a.Loop.spin", *inner]),
        }

    frames, inner = place([moment(1.0, "a.Deep.one"), moment(2.0), moment(3.0, "a.Deep.one", "a.Deep.two")])
    assert frames == ["a.Loop.spin", "a.Pool.run"]
    assert inner == 1.0


def test_a_hang_in_the_jdk_is_named_by_what_the_tool_calls():
    stacks = [["a.Main.main", "a.Text.join", "java.lang.Concat.join", "java.lang.Concat.copy"]] * 3
    moments = [{(1, "main"): ThreadSample(100.0 * at, True, stack)} for at, stack in enumerate(stacks)]
    assert place(moments) == (["java.lang.Concat.join", "a.Text.join", "a.Main.main"], 0.0)


def test_who_waits_for_threads_that_work_on_is_not_stuck():
    waits = ThreadSample(1.0, False, ["a.Main.main", "java.Future.get"])

    def moment(processor: float, *inner: str, name: str = "pool") -> dict[tuple[int, str], ThreadSample]:
        return {(1, "main"): waits, (1, name): ThreadSample(processor, True, ["java.Thread.run", *inner])}

    tasks = [moment(100.0, "a.Task.run"), moment(200.0), moment(300.0, "a.Task.run")]
    assert place(tasks) == ([], 0.0)
    assert place([moment(100.0, name=f"pool-{number}") for number in range(3)]) == ([], 0.0)
    assert place([moment(100.0)] * 3) == (["java.Future.get", "a.Main.main"], 0.0)


def test_a_few_samples_of_a_thread_at_one_place_are_no_hang(monkeypatch):
    moment = {(1, "main"): ThreadSample(1.0, True, ["a.Main.main", "a.Work.go"])}
    monkeypatch.setattr(stuck, "sample", lambda pids: moment)
    few, many = Sampler(list, "", least=None, tells=False), Sampler(list, "", least=None, tells=False)
    assert not any(few.stands(now, printed=0) for now in (1.0, 9.0, 20.0, 30.0, 39.0))
    assert any(many.stands(float(now), printed=0) for now in range(1, 20))


def test_a_command_that_tells_what_it_works_on_is_slow_while_it_prints_nothing(monkeypatch):
    numbers = itertools.count()

    def moment(pids):
        steps = [f"a.Step{next(numbers)}.go" for _ in range(5)]
        return {(1, "main"): ThreadSample(1.0, True, ["a.Main.main", "a.Method.read", *steps])}

    monkeypatch.setattr(stuck, "sample", moment)
    silent, tells, working = (
        Sampler(list, "", 4.0, tells=False),
        Sampler(list, "", 4.0, True),
        Sampler(list, "", 4.0, True),
    )
    times = range(1, 30)
    assert not any(silent.stands(float(now), printed=0) for now in times)
    assert not silent.trace(), "it was slow at no one place"
    assert not any(working.stands(float(now), now // 3) for now in times)
    found = [now for now in times if tells.stands(float(now), min(now, 9))]
    assert found[0] == 13
    assert tells.trace().splitlines()[1].startswith("\tat a.Method.read")


def test_the_check_asks_for_a_limit_where_nothing_tells_the_place_of_a_hang(tmp_path, monkeypatch, processes):
    monkeypatch.setattr(process, "_PLACELESS", 0.3)
    command = PredicateCommand.parse(f"sh -c 'while :; do sleep 0.1; done' {tmp_path}")
    predicate = CommandPredicate(command, condition=Condition(reading=FailureNaming(("hangs",)), wanted=Wanted()))
    with pytest.raises(PredicateError, match="--timeout"):
        predicate.calibrated([("a/A.class", b"")], tmp_path / "first")
    assert not processes(str(tmp_path))
    _, outcome = predicate.limited(1.0).calibrated([("a/A.class", b"")], tmp_path / "limited")
    assert outcome.failures == (UNKNOWN,)


@pytest.mark.parametrize(("watched", "said"), [(True, "what ran\n"), (False, "")])
def test_a_watched_run_that_hangs_may_write_what_ran(tmp_path, watched, said):
    script = "trap 'echo what ran; exit' TERM; sleep 300 & wait"
    launch = process.Launch(["sh", "-c", script], tmp_path, {"PATH": "/usr/bin:/bin"}, watched=watched)
    done = process.run(launch, 0.3)
    assert (done.timed_out, done.stdout.text) == (True, said)
    assert done.seconds < 3
