"""``jarlet hunt``: many jars, tools of a user's own, what is found once, what is not run again, and what goes wrong."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from core.batch.hunt import HuntFolder
from core.batch.job import Job, run
from core.protocol.settings import Settings
from core.service.workspace import Workspace
from tests.support.dask_cluster import loopback_cluster, needs_dask, wait_for_workers
from tests.support.rows import rows

Jarlet = Callable[..., Any]
Program = Callable[..., subprocess.Popen[str]]

PRESET = """
name = "{name}"
title = "{title}"
about = "Complains of classes."
runs = false
validity = "jvm"
[[steps]]
run = ["sh", "-c", "echo run >> {log}; for n in {classes}; do grep -q $n.class \\"$0\\" && echo FAIL x\\"$n\\"x; done; {end}", "{{jar}}"]
[failures]
pattern = "FAIL .*"
wanted = "same"
"""  # noqa: E501


class Tools:
    """Presets in files of ``folder`` that complain of classes, and the number of their runs."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.log = folder, folder / "runs.log"

    def write(self, name: str, *classes: str, end: str = "exit 0") -> str:
        """The file of a preset that complains of each of these classes that is there."""
        text = PRESET.format(name=name, title=name.title(), classes=" ".join(classes), log=self.log, end=end)
        path = self.folder / f"{name}.toml"
        path.write_text(text)
        return str(path)

    @property
    def runs(self) -> int:
        return len(self.log.read_text().splitlines()) if self.log.exists() else 0


@pytest.fixture
def tools(tmp_path: Path) -> Tools:
    return Tools(tmp_path)


@pytest.fixture
def lib(tmp_path: Path, sample_jar: Path) -> Path:
    """A folder with the sample, and below it the sample without a package."""
    folder = tmp_path / "lib"
    (folder / "below").mkdir(parents=True)
    shutil.copy(sample_jar, folder / "a.jar")
    with zipfile.ZipFile(sample_jar) as whole, zipfile.ZipFile(folder / "below" / "b.jar", "w") as part:
        for name in whole.namelist():
            if not name.startswith("sample/number/"):
                part.writestr(name, whole.read(name))
    return folder


def results(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "hunt.json").read_text()))


@pytest.mark.guarded
def test_each_kind_is_reduced_once_into_a_folder_and_nothing_is_run_twice(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    listed = f"{tools.write('one', 'Rational', 'Command')},{tools.write('two', 'NoSuch')}"
    done = jarlet("hunt", "lib", "--tools", listed, "-o", "out")
    assert done.returncode == 1
    found = results(tmp_path / "out")
    assert found["exit"] == 1
    assert [(bug["kind"], bug["tool"], bug["status"], bug["classes"]) for bug in found["bugs"]] == [
        ("FAIL xCommandx", "one", "reduced", 1),
        ("FAIL xRationalx", "one", "reduced", 1),
    ]
    assert [[seen["jar"] for seen in bug["seen"]] for bug in found["bugs"]] == [
        ["lib/a.jar", "lib/below/b.jar"],
        ["lib/a.jar"],
    ]
    assert {jar["jar"]: jar["tools"]["two"]["failures"] for jar in found["jars"]} == {
        "lib/a.jar": 0,
        "lib/below/b.jar": 0,
    }
    for bug in found["bugs"]:
        folder = tmp_path / "out" / bug["folder"]
        assert {"small.jar", "report.html", "report.md", "issue.md"} <= {path.name for path in folder.iterdir()}
        with zipfile.ZipFile(folder / "small.jar") as small:
            (name,) = (name for name in small.namelist() if name.endswith(".class"))
            assert f"x{Path(name).stem}x" in bug["kind"]
    assert len(list((tmp_path / "out" / "bugs").iterdir())) == 2
    assert "2 bugs, 0 known: out/index.html" in done.stdout
    page = (tmp_path / "out" / "index.html").read_bytes()

    runs = tools.runs
    again = jarlet("hunt", "lib", "--tools", listed, "-o", "out", "--json")
    assert again.returncode == 1
    assert tools.runs == runs
    assert (tmp_path / "out" / "index.html").read_bytes() == page
    assert json.loads(again.stdout) == results(tmp_path / "out") == found

    inside = jarlet("hunt", ".", "--tools", listed, "-o", "out", "-q")  # the hunt's own jars are not hunted
    assert inside.returncode == 1
    assert [jar["jar"] for jar in results(tmp_path / "out")["jars"]] == ["lib/a.jar", "lib/below/b.jar"]
    assert tools.runs == runs

    # a new jar is run, and what is known of the others stays
    shutil.copy(lib / "a.jar", lib / "same.jar")  # of the same content: nothing is run for it
    more = jarlet("hunt", "lib/**/*.jar", "--tools", listed, "-o", "out", "-q")
    assert more.returncode == 1
    assert more.stderr == ""
    assert tools.runs == runs
    assert len(results(tmp_path / "out")["jars"]) == 3


@pytest.mark.slow
def test_a_killed_hunt_goes_on_to_the_same_page(
    jarlet: Jarlet, program: Program, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    words = ("hunt", "lib", "--tools", tools.write("one", "Rational", "Simplifier", "History"), "--jobs", "1")
    assert jarlet(*words, "-o", "whole").returncode == 1
    for line in ("1 of 2:", "bug 1 of 3:"):
        process = program(*words, "-o", "cut")
        assert process.stderr is not None
        assert any(told.startswith(line) for told in process.stderr), line
        process.kill()
        process.communicate()
    ended = jarlet(*words, "-o", "cut")
    assert ended.returncode == 1
    assert ": one on lib" not in ended.stderr  # what was finished is not run again
    assert "bug 1 of 3:" not in ended.stderr
    assert (tmp_path / "cut" / "index.html").read_bytes() == (tmp_path / "whole" / "index.html").read_bytes()
    for bug in (tmp_path / "whole" / "bugs").iterdir():
        assert (tmp_path / "cut" / "bugs" / bug.name / "small.jar").read_bytes() == (bug / "small.jar").read_bytes()


@pytest.mark.slow
def test_known_bugs_are_not_reduced_and_a_limit_leaves_the_rest(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    words = ("hunt", "lib/a.jar", "--tools", tools.write("one", "Rational", "Simplifier"))
    assert jarlet(*words, "-o", "first", "--limit", "1").returncode == 1
    assert "1 bug beyond --limit, not reduced." in (tmp_path / "first" / "index.html").read_text()
    assert sorted(bug["status"] for bug in results(tmp_path / "first")["bugs"]) == ["not reduced", "reduced"]
    done = jarlet(*words, "-o", "second", "--known", "first/hunt.json")
    assert done.returncode == 0
    assert [bug["status"] for bug in results(tmp_path / "second")["bugs"]] == ["known", "known"]
    assert list((tmp_path / "second" / "bugs").iterdir()) == []
    none = jarlet("hunt", "lib/a.jar", "--tools", tools.write("two", "NoSuch"), "-o", "third")
    assert none.returncode == 0
    assert "No bug was found." in (tmp_path / "third" / "index.html").read_text()


@pytest.mark.slow
def test_kinds_with_equal_forms_are_one_bug_which_a_team_may_know(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    words = ("hunt", "lib/a.jar", "--tools", tools.write("one", "Rational", "Simplifier"), "-o", "out", "-q")
    assert jarlet(*words).returncode == 1
    (bug,) = results(tmp_path / "out")["bugs"]
    assert {bug["kind"], *(one["kind"] for one in bug["also"])} == {"FAIL xRationalx", "FAIL xSimplifierx"}
    assert bug["seen"] == [{"jar": "lib/a.jar", "failures": 2}]
    small = tmp_path / "out" / bug["folder"] / "small.jar"
    # a record of an earlier version of Jarlet, whose form is another one
    for record in (tmp_path / "out" / "state" / "reductions").glob("*.json"):
        kept = json.loads(record.read_text())
        record.write_text(
            json.dumps({**kept, "form": hashlib.sha256(record.name.encode()).hexdigest(), "form_version": 1})
        )
    assert jarlet(*words).returncode == 1
    assert results(tmp_path / "out")["bugs"] == [bug]
    assert jarlet("known", "add", "team.json", small, "--issue", "<b>#412</b>", "--tool", "one").returncode == 0
    runs = tools.runs
    assert jarlet(*words, "--known", "team.json").returncode == 0
    assert tools.runs == runs
    (bug,) = results(tmp_path / "out")["bugs"]
    assert (bug["status"], bug["issue"]) == ("known", "<b>#412</b>")
    assert "This is &lt;b&gt;#412&lt;" in (tmp_path / "out" / "index.html").read_text()


@pytest.mark.slow
def test_a_reduction_that_its_limit_ended_goes_on_with_a_larger_one_alone(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    words = ("hunt", "lib/a.jar", "--tools", tools.write("one", "Rational"), "-o", "out", "-q")
    assert jarlet(*words, "--time-limit", "50").returncode == 1
    (record,) = (tmp_path / "out" / "state" / "reductions").glob("*.json")
    record.write_text(json.dumps({**json.loads(record.read_text()), "status": "time limit"}))
    runs = tools.runs
    assert jarlet(*words, "--time-limit", "50").returncode == 1
    assert tools.runs == runs
    assert results(tmp_path / "out")["bugs"][0]["status"] == "time limit"
    notes = tmp_path / "out" / results(tmp_path / "out")["bugs"][0]["folder"] / "notes.txt"
    notes.write_text("a person's own")
    assert jarlet(*words, "--time-limit", "60").returncode == 1
    assert tools.runs > runs
    assert results(tmp_path / "out")["bugs"][0]["status"] == "reduced"
    (kept,) = (tmp_path / "out" / "bugs").glob("*-before-1/notes.txt")
    assert kept.read_text() == "a person's own"
    record.write_text(json.dumps({**json.loads(record.read_text()), "status": "failed", "note": "no time"}))
    again = jarlet(*words, "--time-limit", "60")
    assert again.returncode == 1
    assert "one on lib/a.jar: no time" in again.stdout
    assert results(tmp_path / "out")["bugs"][0]["note"] == "no time"
    assert jarlet(*words, "--time-limit", "70").returncode == 1
    assert results(tmp_path / "out")["bugs"][0]["status"] == "reduced"


@pytest.mark.guarded
def test_what_fails_for_one_jar_is_in_the_table_and_the_rest_goes_on(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    (lib / "broken.jar").write_text("no jar at all")
    words = ("--tools", tools.write("one", "Rational"))
    done = jarlet("hunt", "lib", *words, "-o", "out")
    assert done.returncode == 1
    jars = {jar["jar"]: jar for jar in results(tmp_path / "out")["jars"]}
    assert "the jar is damaged" in jars["lib/broken.jar"]["problem"]
    assert jars["lib/a.jar"]["tools"]["one"]["failures"] == 1
    assert "lib/broken.jar: " in done.stdout
    alone = jarlet("hunt", "lib/broken.jar", *words, "-o", "alone")
    assert alone.returncode == 2
    assert alone.stderr.splitlines()[-1] == "jarlet: None of the jars could be read."


@pytest.mark.slow
def test_a_tool_that_never_answers_is_something_to_mend(
    jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    broken = tools.write("broken", "NoSuch", end="echo usage: broken FILE; exit 64")
    done = jarlet("hunt", "lib/a.jar", "--tools", f"{broken},{tools.write('one', 'Rational')}", "-o", "out", "-q")
    assert done.returncode == 2
    assert done.stderr == "jarlet: broken gave no answer on any jar: the table says why.\n"
    found = results(tmp_path / "out")
    assert "usage: broken FILE" in found["jars"][0]["tools"]["broken"]["problem"]
    assert [bug["status"] for bug in found["bugs"]] == ["reduced"]


@rows(
    ("words", "told"),
    [
        (["absent.jar"], "absent.jar: there is no such file. Name a jar, a folder"),
        (["nothing"], "nothing: there is no jar in this folder."),
        (["lib/*.nojar"], "lib/*.nojar: no file has a name of this pattern."),
        (["lib", "--tools", "vineflowr"], "There is no preset 'vineflowr'"),
        (["lib", "--tools", "absent.toml"], "absent.toml cannot be read"),
        (["lib", "--tools", "run"], "The preset run needs a setting (main), and a hunt has none"),
        (["lib", "--tools", ","], "--tools is empty"),
        (["lib", "--tools", "one.toml,one.toml"], "Two of the tools are called one: name each once."),
        (["lib", "-o", "lib"], "lib: this folder is not empty"),
        (["lib/a.jar", "-o", "lib/a.jar"], "lib/a.jar is the input itself, which is never written to"),
        (
            ["lib", "-o", "mine"],
            "mine: this folder is not empty (there is 'diary.txt' in it), and a hunt replaces nothing.",
        ),
        (["lib", "-o", "one.toml"], "one.toml: no folder can be made there, it is a file."),
        (["lib", "--known", "one.toml"], "one.toml: these are neither known bugs nor the results of a hunt."),
        (["lib", "--classpath", "absent.jar"], "absent.jar: the library cannot be read"),
        (["lib", "--classpath", "org.nowhere:absent:1"], "org.nowhere:absent:1: these jars cannot be had: "),
        (["lib", "--limit", "-1"], "number of bugs"),
        (["lib", "--time-limit", "-1"], "time limit"),
        (["lib", "--parallel", "0"], "number of runs at a time"),
    ],
)
def test_bad_input_is_one_sentence(jarlet: Jarlet, tools: Tools, lib: Path, words: list[str], told: str) -> None:
    tools.write("one", "Rational")
    mine = lib.parent / "mine"
    for folder in (lib.parent / "nothing", mine):
        folder.mkdir(exist_ok=True)
    (mine / "diary.txt").write_text("dear diary")
    chosen = [] if "--tools" in words else ["--tools", "one.toml"]
    done = jarlet("hunt", *words, *chosen, *([] if "-o" in words else ["-o", "out"]))
    assert done.returncode == 2
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert sorted(path.name for path in mine.iterdir()) == ["diary.txt"]


def test_two_hunts_cannot_have_one_folder(jarlet: Jarlet, tools: Tools, lib: Path, tmp_path: Path) -> None:
    with HuntFolder(tmp_path / "out"):
        done = jarlet("hunt", "lib", "--tools", tools.write("one", "Rational"), "-o", "out")
    assert done.returncode == 2
    assert "has this folder open" in done.stderr


@pytest.mark.slow
def test_a_reduction_that_ended_before_its_folder_was_written_gets_the_folder(
    tools: Tools, lib: Path, tmp_path: Path
) -> None:
    chosen = "chosen FAIL xRationalx"
    settings = Settings(preset=tools.write("one", "Rational"), failures=chosen, jobs=1, time_limit=100.0)
    work, bug = tmp_path / "work", tmp_path / "bugs" / "b"
    job = Job("b", (lib / "a.jar",), work / "b.jar", work / "b.json", settings, bug=bug)
    session = Workspace(lambda event: None)
    try:
        first = run(job, session)
        small = (tmp_path / "bugs" / "b" / "small.jar").read_bytes()
        shutil.rmtree(tmp_path / "bugs")
        with closing(sqlite3.connect(job.session / "journal.sqlite")) as journal, journal:
            journal.execute("UPDATE clocks SET used = 99.99")  # no time for another check of the input
        again = run(job, session)
    finally:
        session.close()
    assert first.exit == again.exit == 0
    assert first.report is not None
    assert again.report is not None
    assert (again.report["form"], again.report["note"]) == (first.report["form"], "")
    assert (tmp_path / "bugs" / "b" / "small.jar").read_bytes() == small


@needs_dask
@pytest.mark.slow
def test_a_hunt_on_a_cluster_finds_the_same_with_one_worker_of_two_lost(
    jarlet: Jarlet, program: Program, tools: Tools, lib: Path, tmp_path: Path
) -> None:
    words = ("hunt", "lib", "--tools", tools.write("one", "Rational", "Simplifier"))
    assert jarlet(*words, "-o", "here").returncode == 1
    with loopback_cluster(2) as cluster:
        wait_for_workers(cluster.address, 2)
        hunt = program(*words, "-o", "there", "--cluster", cluster.address)
        assert hunt.stderr is not None
        said = []
        for line in hunt.stderr:
            said.append(line)
            if line.startswith("1 of 2:"):
                cluster.lose(0)
        hunt.communicate()
        assert hunt.returncode == 1, said
    assert (tmp_path / "there" / "index.html").read_bytes() == (tmp_path / "here" / "index.html").read_bytes()


@pytest.mark.slow
def test_a_real_decompiler_is_hunted(decompilers: None, jarlet: Jarlet, tmp_path: Path) -> None:
    codec = Path("/usr/share/java/commons-codec.jar")
    if not codec.exists() or shutil.which("procyon") is None:
        pytest.skip("Debian's Procyon is not installed")
    done = jarlet("hunt", codec, "--tools", "procyon", "-o", "out", "--time-limit", "120")
    assert done.returncode == 1
    (bug,) = results(tmp_path / "out")["bugs"]
    assert bug["kind"].startswith("incompatible types: Object cannot be converted to Map")
    assert bug["note"] == ""  # the script of the folder shows the failure
    assert bug["classes"] == 1
