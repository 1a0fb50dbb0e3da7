"""A predicate that wants resident processes and cannot have them: it says why, and answers by cold runs."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.errors import PredicateError
from core.predicate import presets
from core.predicate.condition import Reference
from core.predicate.jvm.tool_process import HostError, ToolCommand
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.preset import ToolRuns
from core.predicate.tool_chain import StepsPredicate
from core.predicate.verdict import Verdict
from tests.support.own_tools import only_tools

FAILS_ON_BAD = """
name = "one"
title = "One"
about = "Prints and ends."
[[steps]]
run = ["sh", "-c", "unzip -l $1 | grep -q bad.txt && echo FAIL bad", "sh", "{jar}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""
ENTRIES = [("a/A.class", b"\xca\xfe\xba\xbe"), ("bad.txt", b"bad")]
FINE = ENTRIES[:1]
ENDS_AT_ONCE = ToolCommand("/bin/false", (), "t.Program")
NO_JDK = "there is no JDK"


def no_commands() -> tuple[ToolCommand, ...]:
    raise PredicateError(NO_JDK)


@pytest.fixture
def cold(monkeypatch: pytest.MonkeyPatch) -> StepsPredicate:
    """A tool that fails on a jar with ``bad.txt``."""
    only_tools(monkeypatch, {"one": FAILS_ON_BAD})
    made = presets.find("one").predicate(runs=ToolRuns(timeout=100.0))
    assert isinstance(made, StepsPredicate)
    return made


@pytest.fixture
def without(cold: StepsPredicate) -> Iterator[WarmPredicate]:
    made = WarmPredicate(cold, no_commands)
    yield made
    made.close()


def test_where_no_command_starts_a_host_the_predicate_says_why_and_answers_cold(
    without: WarmPredicate, tmp_path: Path
) -> None:
    without.start(tmp_path)
    found, outcome = without.trusting(ENTRIES, tmp_path / "first")
    assert outcome.interesting, outcome
    assert (found.warm, found.unproven, list(found.residents())) == (False, False, [])
    assert found.describe().endswith(f"(cold, since {NO_JDK})")
    with pytest.raises(HostError, match=f"cold, since {NO_JDK}"):
        found.ask(ENTRIES, tmp_path / "asked")
    assert found.probe(ENTRIES, tmp_path / "bad").verdict is Verdict.INTERESTING
    assert found.limited(50.0).probe(FINE, tmp_path / "fine").verdict is Verdict.NOT_INTERESTING


def test_hosts_that_end_at_once_are_given_up_one_after_another(cold: StepsPredicate, tmp_path: Path) -> None:
    predicate = WarmPredicate(cold, lambda: (ENDS_AT_ONCE, replace(ENDS_AT_ONCE, java="/no/such/program")))
    try:
        found, outcome = predicate.calibrated(ENTRIES, tmp_path / "first")
        assert outcome.interesting
        assert not found.warm
        assert "(cold, since a resident Java process cannot be used: " in found.describe()
        assert found.probe(ENTRIES, tmp_path / "again").interesting
    finally:
        predicate.close()


def test_an_input_that_is_not_interesting_starts_no_host(cold: StepsPredicate, tmp_path: Path) -> None:
    predicate = WarmPredicate(cold, no_commands)
    found, outcome = predicate.calibrated(FINE, tmp_path / "first")
    assert not outcome.interesting
    assert found.describe().endswith("(each time in processes of its own)"), "no command was asked for"


def test_a_predicate_without_hosts_is_sent_and_agrees_with_the_one_that_was_sent(
    without: WarmPredicate, tmp_path: Path
) -> None:
    found, _ = without.calibrated(ENTRIES, tmp_path / "first")
    assert isinstance(found.portable(), StepsPredicate)
    arrived = pickle.loads(pickle.dumps(found))
    try:
        assert arrived.probe(ENTRIES, tmp_path / "there").interesting
        assert found.agrees(arrived)
        assert not found.agrees(arrived.relative_to(Reference(0, "", "")))
    finally:
        arrived.close()
