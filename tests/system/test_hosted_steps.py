"""The steps of a preset in resident Java processes, and in new ones where these answer otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.library.jdk import find_jdk
from core.predicate.condition import Condition
from core.predicate.effort import Haste
from core.predicate.failures import FailureNaming, Statement, Wanted
from core.predicate.jvm.archives import ClassArchive
from core.predicate.jvm.tool_hosts import ToolHosts
from core.predicate.tool_chain import StepsPredicate, ToolStep
from core.predicate.verdict import Outcome, Verdict
from core.service.searching import testers
from tests.support.java import CompileJava

TOOL = """package t;
import java.nio.file.*;
public class Tool {
    static int runs = 0;
    public static void main(String[] words) throws Exception {
        runs++;
        String pid = ProcessHandle.current().pid() + "\\n";
        Files.writeString(Path.of(words[1]), pid, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.size(Path.of("candidate.jar")) < 30) return;
        System.out.println("FAIL " + words[0] + (words[0].equals("first") ? runs : ""));
        if (words[0].equals("hang")) Thread.sleep(1000000);
    }
}
"""
"""A tool that fails on a jar with entries, and tells in which process it ran; ``first``: each time by another name."""

ENTRIES = [("a.txt", b"text")]
MakePredicate = Callable[[str], StepsPredicate]


@pytest.fixture(scope="module")
def classes(compile_java: CompileJava) -> Path:
    return compile_java({"t/Tool.java": TOOL})


@pytest.fixture
def make(classes: Path, tmp_path: Path) -> Iterator[MakePredicate]:
    """Return a maker of predicates with one step, the tool with a word."""
    made: list[StepsPredicate] = []
    jdk = find_jdk()

    def predicate(word: str) -> StepsPredicate:
        words = (str(jdk.java), "-Xshare:auto", "-cp", str(classes), "t.Tool", word, str(tmp_path / "pids"))
        step = ToolStep(words, archive=ClassArchive.of(jdk, words))
        condition = Condition(reading=FailureNaming(pattern="FAIL .*"), wanted=Wanted(Statement.ANY))
        made.append(StepsPredicate("Tool", (step,), condition=condition, hosts=ToolHosts()))
        return made[-1]

    yield predicate
    for each in made:
        each.close()


def pids(tmp_path: Path) -> list[str]:
    """Return the processes of all runs in their order."""
    return (tmp_path / "pids").read_text().split()


def proved(predicate: StepsPredicate) -> StepsPredicate:
    """Let the predicate believe its resident processes."""
    assert predicate.hosts is not None
    shown = Outcome(Verdict.INTERESTING, 0.1, 1, "")
    predicate.hosts.compared(shown, shown)
    predicate.hosts.compared(shown, shown)
    return predicate


def test_a_process_that_answered_twice_as_new_ones_runs_the_rest(make: MakePredicate, tmp_path: Path) -> None:
    predicate = make("always")
    assert [predicate.probe(ENTRIES, tmp_path / f"{run}").failures for run in range(4)] == [("FAIL always",)] * 4
    resident, cold, again, other, *rest = pids(tmp_path)
    assert [again, *rest] == [resident] * 3  # two in both ways, and two more
    assert len({resident, cold, other}) == 3
    predicate.confirm(ENTRIES, tmp_path / "confirmed")
    assert pids(tmp_path)[-1] not in (resident, cold, other)


@pytest.mark.guarded
def test_candidates_without_failures_prove_nothing(make: MakePredicate, tmp_path: Path) -> None:
    predicate = make("always")
    verdicts = [predicate.probe([], tmp_path / f"{run}").verdict for run in range(3)]
    assert verdicts == [Verdict.NOT_INTERESTING] * 3
    assert len(pids(tmp_path)) == 6
    assert predicate.hosts is not None
    assert not predicate.hosts.proved


@pytest.mark.guarded
def test_one_that_answers_otherwise_loads_its_classes_anew(make: MakePredicate, tmp_path: Path) -> None:
    predicate = make("first")
    assert [predicate.probe(ENTRIES, tmp_path / f"{run}").failures for run in range(4)] == [("FAIL first1",)] * 4
    kept, _, kept_again, _, new, _, new_again, _ = pids(tmp_path)
    assert kept == kept_again != new == new_again


@pytest.mark.guarded
def test_a_run_that_takes_too_long_is_ended(make: MakePredicate, tmp_path: Path) -> None:
    predicate = proved(make("hang"))
    assert predicate.probe(ENTRIES, tmp_path / "run", seconds=1).verdict is Verdict.TIMED_OUT


def test_the_processor_time_of_a_process_of_its_own_is_known_beside_resident_ones(
    make: MakePredicate, tmp_path: Path
) -> None:
    counts = ToolStep(("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"))
    predicate = proved(make("always"))
    both = replace(predicate, steps=(*predicate.steps, counts))
    outcome = both.probe(ENTRIES, tmp_path / "run")
    assert min(outcome.processor, outcome.busiest) > 0.02
    limits = testers.Testers(both, outcome, tmp_path, 1, 1, left=lambda: None, fixed=False)
    limits.limits.haste = Haste(thread=outcome.busiest / 4)
    assert limits.hurried(both).probe(ENTRIES, tmp_path / "hurried").verdict is Verdict.TIMED_OUT


def test_answers_that_are_believed_have_the_times_of_resident_processes() -> None:
    """Limits that follow a tool's start would let endless programs behind the tool run for as long."""
    hosts = ToolHosts()
    hosted, cold = (Outcome(Verdict.INTERESTING, 1.0, 0, "", ("a",), processor=spent) for spent in (0.1, 5.0))
    assert hosts.compared(hosted, cold) is cold, "the next one is compared with a new process too"
    assert hosts.compared(hosted, cold).processor == 0.1
