"""A predicate of several inputs of one program."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from core.evidence.two_runs import difference
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.effort import Haste
from core.predicate.predicate import CommandPredicate
from core.predicate.several.every import EveryPredicate, Trials
from core.predicate.verdict import Verdict, interval
from core.system.processes import process_table
from tests.support.files import script

FULL = [(name, name.encode()) for name in ("a", "b", "c")]


def every(tmp_path: Path, lines: list[str], searched: int) -> EveryPredicate:
    """The predicate by which each line must be an entry of the jar."""
    log = tmp_path / "log"
    path = script(tmp_path, f'echo "$2" >>{log}; test ! -e own; touch own; grep -aq "$2" $1; echo "$?"')
    texts = [f"{path} {{jar}} {line}" for line in lines]
    commands = [PredicateCommand.parse(text, tmp_path) for text in texts]
    one = CommandPredicate(commands[0], condition=Condition(frozenset({"exit", "out"})), timeout=20.0)
    predicate, outcome = EveryPredicate.of(one, commands, Trials(tuple(texts), tuple(lines), searched)).calibrated(
        FULL, tmp_path / "full"
    )
    assert outcome.interesting
    log.write_text("")
    return predicate


def test_a_probe_ends_with_the_first_input_that_says_no_and_begins_with_it_next_time(tmp_path: Path) -> None:
    predicate = every(tmp_path, ["a", "b", "c"], 3)
    outcome = predicate.probe(FULL[:1], tmp_path / "one")
    assert (outcome.interesting, outcome.detail) == (False, "b: other standard output")
    predicate.limited(7.0).probe(FULL[:1], tmp_path / "two")
    assert (tmp_path / "log").read_text().split() == ["a", "b", "b"]


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_command_that_hangs_is_ended_by_its_share_of_the_processor_time(tmp_path: Path) -> None:
    path = script(tmp_path, 'while ! grep -aq "$2" $1; do :; done')
    commands = [PredicateCommand.parse(f"{path} {{jar}} {line}", tmp_path) for line in "ab"]
    one = CommandPredicate(commands[0], condition=Condition(), timeout=60.0)
    trials = Trials(("a", "b"), ("a", "b"), 2)
    predicate, outcome = EveryPredicate.of(one, commands, trials).calibrated(FULL, tmp_path / "full")
    assert outcome.interesting
    hung = predicate.hurried(Haste(processor=1.0)).probe(FULL[:1], tmp_path / "one")
    assert (hung.verdict, hung.detail.partition(":")[0]) == (Verdict.TIMED_OUT, "b")
    assert "of processor time" in hung.detail


@pytest.mark.skipif(not process_table.listed(), reason="no list of processes")
def test_a_command_that_waits_has_its_share_of_the_time(tmp_path: Path) -> None:
    path = script(tmp_path, 'test "$2" != wait || exec sleep 1.5; awk "BEGIN { while (i < 6000000) i++ }"')
    lines = ["one", "wait", "two", "three"]
    commands = [PredicateCommand.parse(f"{path} {{jar}} {line}", tmp_path) for line in lines]
    one = CommandPredicate(commands[0], condition=Condition(), timeout=60.0)
    trials = Trials(tuple(lines), tuple(lines), 4)
    predicate, outcome = EveryPredicate.of(one, commands, trials).calibrated(FULL, tmp_path / "full")
    assert outcome.interesting
    assert predicate.share > 0.4  # of the processor time each of the others has a third


def test_the_share_of_a_command_is_one_of_what_the_search_sees(tmp_path: Path) -> None:
    predicate = every(tmp_path, ["a", "b", "c", "a b", "b c", "c a"], 1)
    assert predicate.share == 1.0, "of all six it would be a fraction, and less than the seen one needs"


def test_unseen_inputs_are_run_by_name_alone_until_the_search_sees_them(tmp_path: Path) -> None:
    predicate = every(tmp_path, ["a", "b", "c"], 2)
    flag = threading.Event()
    assert predicate.probe(FULL[:2], tmp_path / "one").interesting
    found = predicate.tried([0, 2], FULL[:2], tmp_path / "two", flag)
    assert [found[number].interesting for number in (0, 2)] == [True, False]
    predicate.searched.add(2)
    assert not predicate.limited(7.0).probe(FULL[:2], tmp_path / "three").interesting


def test_each_input_is_compared_between_two_runs_of_the_full_input(tmp_path: Path) -> None:
    path = script(tmp_path, 'test "$2" = same || date +%N; echo "$2"')
    commands = [PredicateCommand.parse(f"{path} {{jar}} {line}", tmp_path) for line in ("same", "other")]
    one = CommandPredicate(commands[0], condition=Condition(frozenset({"out"})), timeout=20.0)
    every = EveryPredicate.of(one, commands, Trials(("same", "other"), ("same", "other"), 2))
    first = every.calibrated(FULL, tmp_path / "one")
    assert difference(first, every.calibrated(FULL, tmp_path / "two"), ["out"]) == "the standard output differs"
    failed = first[0].probe(FULL, tmp_path / "three")
    assert failed.detail == "other: other standard output"
    out, _ = first[0].outputs_before(failed)
    assert out.splitlines()[1] == failed.stdout.splitlines()[1] == "other"
    assert out != failed.stdout


def test_the_interval_is_that_of_wilson() -> None:
    assert [round(bound, 3) for bound in interval(18, 20)] == [0.699, 0.972]
    assert round(interval(20, 20)[1], 9) == 1.0
    assert interval(0, 0) == (0.0, 1.0)
