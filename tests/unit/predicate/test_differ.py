"""What two tools disagree on."""

import os
import shutil
import signal
from pathlib import Path

import pytest

from core.errors import UsageError
from core.predicate import presets
from core.predicate.failures import Wanted
from core.predicate.preset import ToolRuns
from core.predicate.several.differ import differing, disagreements

ENTRIES = [("a/A.class", b"1"), ("a/B.class", b"2")]


def test_files_on_which_only_one_fails_are_the_disagreement():
    one = ("A.java: cannot find symbol", "B.java: missing return statement")
    other = ("B.java: unreachable code", "java.lang.VerifyError: Bad type at a.C.m")
    assert disagreements(one, other, ("CFR", "Procyon")) == (
        "A.java: CFR only: cannot find symbol",
        "Procyon only: java.lang.VerifyError: Bad type at a.C.m",
    )


def test_any_of_the_failures_is_enough():
    wanted = Wanted.parse("any")
    assert wanted.describe() == "any of the failures of the full input"
    assert not wanted.objection(("a",), ("a", "b"))
    assert wanted.objection(("c",), ("a", "b"))
    assert wanted.objection((), ("a", "b"))


def test_two_commands_are_interesting_while_they_do_something_else(tmp_path):
    count = "sh -c 'unzip -l {jar} | grep -c class'"
    values = {"first": count, "second": "sh -c 'echo 1; : {jar}'"}
    made = differing(presets.find("differ"), values)
    made, outcome = made.calibrated(ENTRIES, tmp_path / "full")
    assert outcome.interesting, outcome
    assert outcome.failures == ("standard output: first '2', second '1'",)
    assert made.probe(ENTRIES, tmp_path / "same").interesting
    agreed = made.probe(ENTRIES[:1], tmp_path / "one")
    assert not agreed.interesting
    assert "agree" in agreed.detail
    assert all(word in made.shell_line(Path("work")) for word in ("work/first", "work/second", "grep"))


@pytest.mark.slow
@pytest.mark.skipif(presets.find("procyon").missing() is not None, reason="needs Procyon")
def test_resident_processes_start_again_when_the_folder_of_the_first_run_is_gone(tmp_path, compile_java):
    entries = [("A.class", (compile_java({"A.java": "class A { int f; }"}) / "A.class").read_bytes())]
    made = differing(presets.find("differ"), {"first": "procyon", "second": "jdeps"})
    made, outcome = made.calibrated(entries, tmp_path / "full")
    assert "agree" in outcome.detail
    for number in range(20):  # they start beside the first run
        if not made.first.residents():
            assert "agree" in made.probe(entries, tmp_path / f"until-{number}").detail
    assert made.first.residents()
    shutil.rmtree(tmp_path / "full")
    for number in range(2):  # the second one cannot have the process that the first one found dead
        for pid in made.first.residents():
            os.kill(pid, signal.SIGKILL)
        assert "agree" in made.probe(entries, tmp_path / str(number)).detail
    made.close()


def test_outputs_that_differ_by_an_empty_line_at_the_end_agree(tmp_path):
    values = {"first": "echo one {jar}", "second": "printf 'one {jar}\\n\\n'"}
    made = differing(presets.find("differ"), {name: f'sh -c "cd /; {text}"' for name, text in values.items()})
    assert "agree" in made.probe(ENTRIES, tmp_path / "line").detail


def test_a_tool_that_does_not_end_says_nothing(tmp_path):
    values = {"first": "sh -c 'sleep 60; : {jar}'", "second": "true"}
    made = differing(presets.find("differ"), values, runs=ToolRuns(timeout=0.2))
    outcome = made.probe(ENTRIES, tmp_path / "late")
    assert outcome.verdict.value == "timed out"
    assert "sleep 60" in outcome.detail


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"first": "cfr"}, "needs a setting: second"),
        ({"first": "cfr", "second": "cfr"}, "named twice"),
        ({"first": "cfr", "second": "true"}, "not one with the other"),
        ({"first": "cfr", "second": "run"}, "settings of its own"),
        ({"first": "true", "second": "false", "third": "x"}, "no setting third"),
    ],
)
def test_what_cannot_be_compared_is_said_in_a_sentence(values, words):
    with pytest.raises(UsageError, match=words):
        differing(presets.find("differ"), values)
