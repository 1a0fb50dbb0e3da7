"""``jarlet versions``: which versions of a tool fail. The tool is a shell script in a jar, in a repository of a server
on this machine."""

import io
import json
import os
import re
import shutil
import subprocess
import zipfile
from contextlib import closing
from functools import partial
from threading import Event as Flag

import pytest

from core.predicate.releases.maven import VARIABLE
from core.protocol.questions.background import RunVersions
from core.protocol.settings import Settings
from core.service.bug_folder import report_document
from core.service.queries.desk import Desk
from core.service.queries.results import run_versions
from core.service.session_keeper import SessionKeeper
from core.service.source_memory import SourceMemory
from core.service.workspace import Workspace
from tests.support.maven_repository import list_versions, publish, served
from tests.support.own_tools import only_tools, versioned_tool

ON_THE_SAMPLE = 'unzip -l "$1" | grep -q Rational || exit 0\n'
GOOD, BAD = "exit 0\n", f"{ON_THE_SAMPLE}echo FAIL at Rational; exit 1\n"
WORSE, OTHERWISE = f"{ON_THE_SAMPLE}echo FAIL more; echo FAIL at Rational\n", f"{ON_THE_SAMPLE}echo FAIL elsewhere\n"
BROKEN = "echo Faulty, version 2.0-beta1; echo FAIL to start; exit 3\n"

HISTORY = {"1.0": GOOD, "1.1": OTHERWISE, "1.2": BAD, "1.9": WORSE, "1.10": BAD, "2.0-beta1": BROKEN, "2.0": GOOD}


def jar_of(script: str) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("run.sh", script)
    return made.getvalue()


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """The folder of the repository: seven versions that are there, and 1.5, which only its list has."""
    folder = tmp_path / "repository"
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in (
        "sh",
        "unzip",
        "grep",
        "java",
        "javac",
        "jdeps",
        "base64",
        "mktemp",
        "cat",
        "cp",
        "mkdir",
        "rm",
        "dirname",
    ):
        found = shutil.which(name)
        assert found
        (programs / name).symlink_to(found)
    monkeypatch.setenv("PATH", str(programs))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    only_tools(monkeypatch, {"faulty": versioned_tool()})
    for version, script in HISTORY.items():
        publish(folder, f"org.demo:faulty:{version}", jar_of(script))
    list_versions(
        folder, "org.demo:faulty", ["1.9", "2.0-beta1", *sorted(HISTORY.keys() - {"1.9", "2.0-beta1"}), "1.5"]
    )
    with served(folder) as address:
        monkeypatch.setenv(VARIABLE, address)
        yield folder


def test_the_table_tells_which_versions_fail(jarlet, sample_jar, repository):
    done = jarlet("versions", sample_jar, "--preset", "faulty", "--failing", "1.2", "--all")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert [re.split(r" {2,}", line)[0] for line in lines[1:9]] == [
        "1.0",
        "1.1",
        "1.2",
        "1.5",
        "1.9",
        "1.10",
        "2.0-beta1",
        "2.0",
    ]
    told = {line.split()[0]: line for line in lines[1:9]}
    for version, answer in (("1.0", "does not fail"), ("1.1", "another failure"), ("1.2", "fails"), ("1.9", "fails")):
        assert f"  {answer}  " in told[version], told[version]
    assert "FAIL elsewhere" in told["1.1"]
    assert "no answer" in told["1.5"]
    assert "does not exist" in told["1.5"]
    assert re.search("^1.5: no answer: .* does not exist", done.stderr, re.MULTILINE), "told at once"
    assert told["2.0-beta1"].endswith("does not start: FAIL to start")
    assert lines[-1] == (
        "Faulty fails from 1.2 on (1.1, before it, does not) to 1.10; it does not in 2.0, behind it "
        "(2 versions gave no answer; another failure in 1.1)."
    )


def test_halving_runs_few_versions_and_json_names_the_ends(jarlet, sample_jar, repository):
    done = jarlet("versions", sample_jar, "--preset", "faulty", "--failing", "1.10", "--json")
    told = json.loads(done.stdout)
    assert (told["first_bad"], told["last_good"], told["last_bad"], told["first_fixed"]) == (
        "1.2",
        "1.1",
        "1.10",
        "2.0",
    )
    assert told["sentence"].startswith(
        "Faulty fails from 1.2 on (1.1, before it, does not) to 1.10; it does not in 2.0"
    )
    answers = {row["version"]: row["answer"] for row in told["versions"]}
    assert len(answers) == len(HISTORY) + 1
    assert answers["1.1"] == "another failure"


def test_the_failure_meant_is_that_of_the_installed_version(jarlet, sample_jar, repository, tmp_path, monkeypatch):
    mine = tmp_path / "faulty-1.3.jar"
    mine.write_bytes(jar_of(f"{ON_THE_SAMPLE}echo FAIL elsewhere\n"))
    monkeypatch.setenv("JARLET_FAULTY", str(mine))
    told = json.loads(jarlet("versions", sample_jar, "--preset", "faulty", "--all", "--json").stdout)
    assert [row["version"] for row in told["versions"] if row["answer"] == "fails"] == ["1.1", "1.3"]
    mine.write_bytes(jar_of(GOOD))
    done = jarlet("versions", sample_jar, "--preset", "faulty")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("jarlet: Faulty 1.3 does not show the failure: no failure was found in the output.")


def test_without_the_repository_local_and_fetched_versions_run(jarlet, sample_jar, repository, tmp_path, monkeypatch):
    answer = partial(jarlet, "versions", sample_jar, "--preset", "faulty", "--failing", "1.10")
    address = os.environ[VARIABLE]
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9/")
    done = answer()
    assert (done.returncode, len(done.stderr.splitlines()), "cannot be reached" in done.stderr) == (2, 1, True)
    monkeypatch.setenv(VARIABLE, address)
    assert answer().returncode == 0
    monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9/")
    done = answer()
    assert done.returncode == 0
    assert "cannot be reached" in done.stdout
    assert done.stdout.endswith("So only versions that are on this machine were run.\n")
    local = tmp_path / "faulty-3.0.jar"
    local.write_bytes(jar_of(BAD))
    words = ("versions", sample_jar, "--preset", "faulty", "--failing", "3.0", "--jar", local, "--offline", "--json")
    told = json.loads(jarlet(*words).stdout)
    assert (told["versions"][-1]["version"], told["versions"][-1]["answer"]) == ("3.0", "fails")
    assert "1.10" in [row["version"] for row in told["versions"]]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--preset", "faulty", "--failing", "1.11"), "There is no version of Faulty '1.11': choose among 1.0"),
        (("--preset", "faulty", "--tool", "other"), "has no tool 'other'"),
        (("--preset", "faulty", "--jar", "no.jar"), "--jar no.jar: there is no file"),
        (("--predicate", "true"), "Write --tool GROUP:ARTIFACT"),
        (("--predicate", "true", "--tool", "faulty"), "write GROUP:ARTIFACT"),
        (("--predicate", "true", "--tool", "org.demo:none"), "lists no version of org.demo:none"),
    ],
)
def test_bad_use_is_told_in_one_sentence(jarlet, sample_jar, repository, words, problem):
    done = jarlet("versions", sample_jar, *words)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert problem in done.stderr


def test_a_command_has_the_class_path_of_the_version(jarlet, sample_jar, repository, script):
    check = script('unzip -p "$JARLET_TOOL" run.sh > run.sh && sh run.sh "$JARLET_JAR"', "check.sh")
    words = ("--predicate", f"{check} {{jar}}", "--match", "FAIL at", "--tool", "org.demo:faulty", "--failing", "1.9")
    told = json.loads(jarlet("versions", sample_jar, *words, "--all", "--json").stdout)
    assert [row["version"] for row in told["versions"] if row["answer"] == "fails"] == ["1.2", "1.9", "1.10"]
    assert (told["first_bad"], told["first_fixed"]) == ("1.2", "2.0"), "2.0-beta1 does not start"


def test_a_version_in_which_a_command_does_not_start_gives_no_answer(jarlet, sample_jar, repository, script):
    # 2.0-beta1 ends with an error on whatever it is given, 1.2 on the sample alone
    check = script('unzip -o -q "$JARLET_TOOL" run.sh && sh ./run.sh "$1"', "check.sh")
    words = ("--predicate", f"{check} {{jar}}", "--match", "at Rational", "--tool", "org.demo:faulty")
    done = jarlet("versions", sample_jar, *words, "--expect-exit", "1", "--failing", "1.2", "--all")
    told = {line.split()[0]: line for line in done.stdout.splitlines() if line}
    assert "does not start: FAIL to start" in told["2.0-beta1"], done.stdout
    assert "does not fail" in told["2.0"], done.stdout
    assert "fails" in told["1.10"]


def test_the_report_says_it_and_carries_the_input(jarlet, sample_jar, repository, tmp_path):
    small = tmp_path / "one class.jar"
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(small, "w") as one:
        one.writestr("sample/number/Rational.class", whole.read("sample/number/Rational.class"))
    done = jarlet("versions", small, "--preset", "faulty", "--failing", "1.10", "--report", "issue.md")
    assert done.returncode == 0, done.stderr
    issue = (tmp_path / "issue.md").read_text()
    assert len(issue) <= 65_000
    assert "Faulty fails from 1.2 on" in issue.split("\n## ", maxsplit=1)[0]
    assert "faulty-1.10.jar (Maven: org.demo:faulty:1.10)" in issue
    commands = issue.rpartition("```sh\n")[2].partition("\n```")[0]
    place = tmp_path / "empty"
    place.mkdir()
    (place / "faulty-1.10.jar").write_bytes(jar_of(BAD))
    bare = {"PATH": os.environ["PATH"]}
    shown = subprocess.run(
        ["/bin/sh", "-c", commands], cwd=place, env=bare, capture_output=True, text=True, check=False
    )
    assert shown.stdout.splitlines() == ["FAIL at Rational"], shown.stderr
    assert shown.stderr.splitlines()[-1] == "sh: exit code 1. Seen: 'FAIL at Rational'."
    with zipfile.ZipFile(place / "small.jar") as unpacked, zipfile.ZipFile(small) as before:
        assert {name: unpacked.read(name) for name in unpacked.namelist() if not name.endswith("/")} == {
            name: before.read(name) for name in before.namelist() if not name.endswith("/")
        }


@pytest.mark.guarded
def test_the_report_of_a_window_says_it_once_it_was_asked(sample_jar, repository, tmp_path, monkeypatch):
    mine = tmp_path / "faulty-1.3.jar"
    mine.write_bytes(jar_of(BAD))
    monkeypatch.setenv("JARLET_FAULTY", str(mine))
    settings = Settings(preset="faulty", algorithm="binary", granularity="class", evidence=False)
    with closing(Workspace(lambda event: None, tmp_path / "work")) as workspace:
        workspace.open([str(sample_jar)])
        workspace.reduce(settings)
        desk = Desk(workspace, SessionKeeper(workspace))
        listed, *ran, result = run_versions(desk, RunVersions(settings))
        assert listed.versions[listed.failing] == "1.3"
        assert {row.version for row in ran} <= set(listed.versions)
        assert (result.first_bad, result.first_fixed) == ("1.2", "2.0")
        assert (
            result.sentence
            in report_document(workspace, SourceMemory(), Flag()).markdown().split("\n## ", maxsplit=1)[0]
        )
        monkeypatch.setenv(VARIABLE, "http://127.0.0.1:9/")
        *_, result = run_versions(desk, RunVersions(settings))
        assert "cannot be reached" in result.sentence, "the versions that were fetched before are run"
