"""The survey of tools: what each says of an input, and what is no answer."""

from threading import Event as Flag

import pytest

from core.predicate.releases.coordinate import Coordinate
from core.predicate.releases.release import Release
from core.predicate.verdict import Outcome, Verdict
from core.protocol.questions.background import VersionAnswer, VersionRan
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.queries.tool_survey import survey
from core.service.versions.trial import Trial
from tests.support.own_tools import only_tools, tool


@pytest.fixture
def ran(monkeypatch):
    """What the survey says of tools that are shell scripts, by name."""
    scripts = {
        "finds": "echo FAIL a.B; exit 1",
        "repeats": "echo FAIL 1; echo FAIL 1; echo FAIL to go on; echo FAIL a.B; exit 1",
        "silent": "exit 0",
        "broken": "echo FAIL to read jmods; exit 1",
        "nameless": "unzip -l candidate.jar | grep -q a/B && echo FAIL to go on; exit 1",
        "misused": "echo; echo unknown option >&2; exit 2",
    }
    only_tools(monkeypatch, {name: tool(name, script) for name, script in scripts.items()})
    listed, *all_ran = survey([("a/B.class", b"")], [], Flag())
    assert listed.titles == [ran.title for ran in all_ran], "they are known before they run"
    return {ran.tool: ran for ran in all_ran}


def test_failures_are_named_and_placed(ran):
    assert (ran["finds"].failures, ran["finds"].problem) == (["FAIL a.B"], "")


def test_kinds_of_failures_are_counted_by_the_names_of_the_input(ran):
    assert (ran["repeats"].kinds, ran["silent"].kinds) == (2, 0)
    assert ran["repeats"].counts == "3 failures of 2 kinds at 4 places"


def test_nothing_said_and_exit_0_is_no_failure(ran):
    assert (ran["silent"].failures, ran["silent"].problem) == ([], "")


def test_an_exit_code_without_a_failure_is_no_answer(ran):
    assert ran["misused"].failures == []
    assert ran["misused"].problem.startswith("exit code 2,")
    assert ran["misused"].problem.endswith(": unknown option")


def test_a_failure_that_an_empty_interface_shows_too_is_none_of_the_inputs(ran):
    assert ran["broken"].failures == []
    assert (
        ran["broken"].problem == "it fails on an empty interface too, so the input is not the cause: FAIL to read jmods"
    )
    assert (ran["nameless"].failures, ran["nameless"].problem) == (["FAIL to go on"], "")


def test_a_version_that_shows_the_failure_of_a_program_is_asked_nothing_else() -> None:
    """An empty interface has no main class, so that no version would seem to start."""
    aim = aim_of(Settings(preset="agent", options={"agent": "g:a:1", "main": "p.Main"}))
    shown = Outcome(Verdict.INTERESTING, 1.0, 1, "", failures=("java.lang.VerifyError",))
    release, row = Release("1", Coordinate("g", "a", "1")), VersionRan("1", 0, "", VersionAnswer.NOT_RUN, "")
    answered = Trial(aim, None, [], Flag(), reference=None).judged(release, shown, row)
    assert answered.answer is VersionAnswer.FAILS
