"""``jarlet tools``: what each installed tool says of an input. The tools are a user's own presets."""

import json

import pytest

from tests.support.half_program import half_program
from tests.support.own_tools import only_tools, tool

ABSENT = """
[[tools]]
name = "absent"
title = "Absent"
jars = [["no-such-tool-anywhere.jar"]]
run = ["-jar", "{absent}"]
"""


@pytest.fixture
def only(monkeypatch):
    """``only(name=script)``: these tools, and one that is not installed, are all that there is."""

    def write(**scripts):
        texts = {name: tool(name, script) for name, script in scripts.items()}
        absent = tool("absent", ":").replace('":"', '":", "{absent.run*}"') + ABSENT
        only_tools(monkeypatch, {**texts, "absent": absent})

    return write


LOOKS = "unzip -l candidate.jar | grep -q sample/Main || exit 0; "
MANY = LOOKS + "for n in 1 2 3 4 5 6; do echo FAIL sample.C$n; done; echo FAIL sample.C1; exit 1"


def test_each_tool_has_its_failures_and_how_to_reduce_for_them(jarlet, sample_jar, only):
    only(complains=MANY, silent="exit 0", misused="echo unknown option; exit 2")
    done = jarlet("tools", sample_jar)
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Complains: 6 failures of 1 kind at 7 places (")
    assert lines[0].endswith(", --preset complains")
    assert lines[1:6] == ["  FAIL sample.C1 (2 times)", *(f"  FAIL sample.C{number}" for number in range(2, 6))]
    assert lines[6] == "  ... and 1 more: --all lists them"
    assert any(line.startswith("Misused: no answer: exit code 2,") for line in lines)
    assert any(line.startswith("Silent: no failure (") for line in lines)
    running, told = done.stderr.splitlines()[:3], done.stderr.splitlines()[3:]
    assert running == [
        f"Running {title}, {number} of 3 tools." for number, title in enumerate(("Complains", "Misused", "Silent"), 1)
    ]
    assert told[0].startswith("Absent: ")
    assert "  FAIL sample.C6" in jarlet("tools", sample_jar, "--all").stdout.splitlines()


def test_a_library_that_is_not_there_is_told_before_any_tool_runs(jarlet, sample_jar, only):
    only(silent="exit 0")
    done = jarlet("tools", sample_jar, "--classpath", "nothere.jar")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "jarlet: nothere.jar: there is no such jar. Check the class path.\n"


def test_failures_of_missing_libraries_are_told_with_the_remedy(jarlet, compile_java, tmp_path, only):
    only(loads="echo FAIL own.Meter: java.lang.NoClassDefFoundError: org/lib/Gauge; echo FAIL own.Meter is odd")
    done = jarlet("tools", half_program(compile_java, tmp_path))
    said = "1 of 2 errors comes from the missing package org.lib. Libraries that the input uses are given with"
    assert done.stdout.splitlines()[-1] == f"{said} --classpath."


def test_without_a_failure_the_exit_code_says_so(jarlet, sample_jar, only):
    only(silent="exit 0")
    done = jarlet("tools", sample_jar, "--json")
    assert done.returncode == 1
    (told,) = json.loads(done.stdout)
    assert (told["tool"], told["failures"], told["exit"]) == ("silent", [], 0)
