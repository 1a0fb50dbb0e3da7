"""The survey of tools: what each says of an input, and what is no answer."""

from threading import Event as Flag

import pytest

from core.predicate import presets
from core.service.tool_survey import survey

TOOL = """
name = "{name}"
title = "{name}"
about = "Prints and ends."
[[steps]]
run = ["sh", "-c", "{script}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""


@pytest.fixture
def ran(monkeypatch):
    """What the survey says of tools that are shell scripts, by name."""
    folder = presets.user_folder()
    folder.mkdir(parents=True)
    scripts = {
        "finds": "echo FAIL a.B; exit 1",
        "silent": "exit 0",
        "misused": "echo; echo unknown option >&2; exit 2",
    }
    for name, script in scripts.items():
        (folder / f"{name}.toml").write_text(TOOL.format(name=name, script=script))
    known = {name: preset for name, preset in presets.load_all().items() if name in scripts}
    monkeypatch.setattr(presets, "load_all", lambda: known)
    return {ran.tool: ran for ran in survey([("a/B.class", b"")], [], Flag())}


def test_failures_are_named_and_placed(ran):
    assert (ran["finds"].failures, ran["finds"].problem) == (["FAIL a.B"], "")


def test_nothing_said_and_exit_0_is_no_failure(ran):
    assert (ran["silent"].failures, ran["silent"].problem) == ([], "")


def test_an_exit_code_without_a_failure_is_no_answer(ran):
    assert ran["misused"].failures == []
    assert ran["misused"].problem.startswith("exit code 2,")
    assert ran["misused"].problem.endswith(": unknown option")
