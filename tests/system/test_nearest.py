"""The report names the changes of the result after which the failure was gone; each was tried."""

import json
import subprocess
import zipfile
from threading import Event as Flag

import pytest

from core.protocol.questions.bug import ShowBug
from core.protocol.settings import Settings
from core.service import source_memory
from core.service.bug_folder import report_document
from core.service.queries.bug_page import BugPage
from core.service.source_memory import SourceMemory
from core.service.workspace import Workspace
from tests.support.files import jar_of
from tests.support.own_tools import only_tools

PROGRAM = {
    "p/Main.java": "package p; class Main { String marked() { return new Other().mark() + Other.class; } int idle; }",
    "p/Other.java": 'package p; class Other { String mark() { return "the mark"; } }',
}
CHECK = """
mkdir out && cd out && unzip -qo "$JARLET_JAR" || exit 1
grep -q 'the mark' p/Other.class 2>/dev/null || { echo no mark; exit 1; }
grep -q 'marked' p/Main.class 2>/dev/null || { echo not marked; exit 1; }
"""
READER = """
name = "reader"
title = "Reader"
about = "Takes the words of a class for its source."
[[steps]]
run = ["sh", "-c", "mkdir -p sources/p; unzip -p $1 p/Main.class | tr -cd a-zA-Z > sources/p/Main.java", "sh", "{jar}"]
[[steps]]
run = ["true"]
lists = "sources"
[failures]
pattern = "FAIL .*"
wanted = "same"
"""
"""A decompiler that needs no virtual machine."""


def test_each_thing_that_is_left_has_a_neighbour_that_does_not_fail(jarlet, compile_java, tmp_path, script):
    jar = jar_of(compile_java(PROGRAM, "-g:none"), tmp_path / "program.jar")
    words = ("reduce", jar, "--predicate", script(CHECK), "-o", "small.jar", "-q")
    assert jarlet(*words, "--report", "report.json").returncode == 0
    report = json.loads((tmp_path / "report.json").read_text())
    near = {each["change"]: each for each in report["nearest"]}
    assert "without p.Main.marked()" in near
    assert near["without p.Main.marked()"]["detail"] == "exit code 1, wanted 0"
    assert any("Other.mark()" in change for change in near)
    assert not any("idle" in change for change in near), "it is not left"
    assert jarlet(*words, "--report", "report.md").returncode == 0
    text = (tmp_path / "report.md").read_text()
    assert "| without p.Main.marked() | exit code 1, wanted 0 |" in text.partition("## The nearest inputs")[2]
    assert jarlet(*words, "--granularity", "class", "--report", "report.json").returncode == 0
    assert json.loads((tmp_path / "report.json").read_text())["nearest"] == []


@pytest.mark.guarded
def test_a_bug_folder_has_pairs_of_jars_whose_runs_differ(jarlet, compile_java, tmp_path, script):
    jar = jar_of(compile_java(PROGRAM, "-g:none"), tmp_path / "program.jar")
    check = script(CHECK)
    done = jarlet(
        "reduce", jar, "--predicate", check, "-o", "small.jar", "-q", "--source-time", "0", "--bug-folder", "bug"
    )
    assert done.returncode == 0
    near = json.loads((tmp_path / "bug" / "report.json").read_text())["nearest"]
    pairs = {each["change"]: each["jar"] for each in near if each["jar"]}
    assert not any(each["base64"] for each in near), "the jars lie beside the report"
    number = pairs["without p.Main.marked()"].removeprefix("nearest/").removesuffix(".jar")
    folder = tmp_path / "bug" / "nearest"
    assert sorted(path.name for path in folder.glob("*.jar")) == sorted(
        each.partition("/")[2] for each in pairs.values()
    )
    runs = {path: _run(check, path) for path in [tmp_path / "bug" / "small.jar", *folder.glob("*.jar")]}
    assert [path.name for path, code in runs.items() if code == 0] == ["small.jar"]
    with zipfile.ZipFile(folder / f"{number}.jar") as archive:
        assert b"marked" not in archive.read("p/Main.class")
    assert '-\tMethod "marked":"()Ljava/lang/String;"' in (folder / f"{number}.diff").read_text().splitlines()
    readme = (folder / "README.md").read_text()
    assert f"| {number}.jar | without p.Main.marked() | exit code 1, wanted 0 | {number}.diff |" in readme
    assert f'Method "marked":"()Ljava/lang/String;"  // {number}' in readme
    assert f"without p.Main.marked(): nearest/{number}.jar" in (tmp_path / "bug" / "report.md").read_text()
    with zipfile.ZipFile(tmp_path / "bug" / "small.zip") as zipped:
        written = {path.relative_to(tmp_path / "bug").as_posix() for path in folder.iterdir() if path.is_file()}
        assert written <= set(zipped.namelist())


def _run(check, jar):
    environment = {"JARLET_JAR": str(jar), "PATH": "/usr/bin:/bin"}
    place = jar.with_suffix(".run")
    place.mkdir()
    return subprocess.run([check], cwd=place, env=environment, capture_output=True, check=False).returncode


@pytest.mark.guarded
def test_a_neighbour_stands_beside_the_result_on_the_page_of_the_bug(monkeypatch, compile_java, tmp_path, script):
    only_tools(monkeypatch, {"reader": READER})
    workspace = Workspace(lambda event: None)
    workspace.open([str(jar_of(compile_java(PROGRAM, "-g:none"), tmp_path / "program.jar"))])
    settings = Settings(predicate=str(script(CHECK)))
    sources = SourceMemory()
    page = BugPage(workspace, sources)
    *_, before = page.shown(ShowBug(settings), Flag())
    assert not any(title.startswith("Does not fail") for _, title in before.choices), "there is no report yet"
    workspace.reduce(settings)
    *_, first = page.shown(ShowBug(settings), Flag())
    beside = next(name for name, title in first.choices if title == "Does not fail: without p.Main.marked()")
    *_, shown = page.shown(ShowBug(settings, beside=beside), Flag())
    main = next(file for file in shown.files if file.name == "p/Main.java")
    assert "marked" in main.left
    assert "Main" in main.right
    assert "marked" not in main.right

    # what the page has shown is in the report too
    monkeypatch.setattr(source_memory, "decompile", lambda *_: pytest.fail("decompiled twice"))
    assert "marked" in report_document(workspace, sources, Flag()).markdown().partition("Its source, decompiled by")[2]
    workspace.close()
