"""Several inputs: each stays a jar of its own, in the command, in the result, and wherever a jar is told of."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import zipfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import jarlet as api
from core.predicate import presets
from core.predicate.releases.maven import VARIABLE
from tests.support.class_path_jars import SIGNATURE
from tests.support.engine_client import Client
from tests.support.files import jar_of
from tests.support.java import CompileJava
from tests.support.maven_repository import publish
from tests.support.own_tools import decompiler, only_tools, tool
from tests.support.rows import rows

Run = Callable[..., Any]
HAS = 'unzip -l "{jar}" "{entry}" >/dev/null 2>&1'


def needing(script: Callable[..., Path], *entries: str) -> str:
    """A command that is interesting while the jars among its arguments hold these entries (``JAR:ENTRY``)."""
    tests = [
        f'for jar in "$@"; do case $jar in */{jar}) unzip -l "$jar" {entry} >/dev/null 2>&1 && found=$((found+1));; '
        "esac; done"
        for jar, entry in (each.split(":") for each in entries)
    ]
    return str(script("\n".join(["#!/bin/sh", "found=0", *tests, f'[ "$found" = {len(entries)} ]'])))


def names(jar: Path) -> list[str]:
    with zipfile.ZipFile(jar) as archive:
        return archive.namelist()


def test_each_input_stays_a_jar_of_its_own(jarlet: Run, jars: Path, script: Callable[..., Path]) -> None:
    command = needing(script, "b.jar:b/Unused.class", "c.jar:c/C.class")
    words = ("--predicate", f"{command} {{inputs}}", "--granularity", "class", "-o", "out", "--report", "r.json")
    done = jarlet("reduce", "lib", *words)
    assert done.returncode == 0, done.stderr
    out = jars.parent / "out"
    assert sorted(path.name for path in out.iterdir()) == ["b.jar", "c.jar", "classpath.txt"]
    assert (out / "classpath.txt").read_text().splitlines()[1:] == ["b.jar", "c.jar"]
    assert names(out / "b.jar") == ["b/Unused.class"], "of this one something went, and so its signature"
    assert names(out / "c.jar") == ["c/C.class", SIGNATURE[0]], "nothing went of this one"
    assert "Of 3 inputs 2 are left (b.jar, c.jar). Gone as a whole: a.jar." in done.stdout
    told = json.loads((jars.parent / "r.json").read_text())["input"]["inputs"]
    assert [(each["name"], each["left"]) for each in told] == [("a.jar", False), ("b.jar", True), ("c.jar", True)]
    again = jarlet("inspect", "out")
    assert "2 class" in again.stdout


def test_placeholders_stand_for_the_class_path_in_its_order(
    jarlet: Run, jars: Path, script: Callable[..., Path]
) -> None:
    log = jars.parent / "log"
    text = f'#!/bin/sh\n[ -e {log} ] || {{ printf "%s\\n" "$@" "$JARLET_CLASSPATH" >{log}; }}\ntrue'
    words = "{classpath} {dir} {jar:2} {jar:old} {inputs}"
    inputs = ("old=lib/c.jar", "lib/b.jar")
    command = f"{script(text)} {words}"
    done = jarlet("check", *inputs, "--predicate", command, "--classpath", "lib/a.jar", "--runs", 1)
    assert "is interesting" in done.stdout + done.stderr or done.returncode == 0, done.stderr
    path, folder, second, old, *both, variable = log.read_text().splitlines()
    assert path == os.pathsep.join((f"{folder}/c.jar", f"{folder}/b.jar", str(jars / "a.jar"))) == variable
    assert (second, old, both) == (f"{folder}/b.jar", f"{folder}/c.jar", [f"{folder}/c.jar", f"{folder}/b.jar"])


@pytest.mark.parametrize(
    ("inputs", "command", "message"),
    [
        (["lib"], "true {jar}", "has {jar}, but there are 3 inputs: write {classpath} for all of them, {inputs} for"),
        (["lib"], "true {jar:4}", "{jar:4}, but there is no such input: write {jar:1} (a.jar) to {jar:3} (c.jar)"),
        (["lib"], "true {jar:}", "has {jar:}, but there is no such input: write {jar:1} (a.jar) to {jar:3} (c.jar)"),
        (["lib"], "true x{inputs}", "{inputs} stands for several words, so it must be a word of its own"),
        (["lib"], "sh -c 'test $JARLET_JAR'", "uses JARLET_JAR, but there are 3 inputs: use JARLET_CLASSPATH"),
        (["lib/a.jar"], "true {dir}", "has {dir}, but there is one jar and no folder of jars: write {jar}"),
        (["lib/a.jar"], "true {jar:old}", "has {jar:old}, but there is one input: write {jar}"),
        (["lib", "--merge"], "true {jar:2}", "has {jar:2}, but there is one input: write {jar}"),
        (["old=lib/a.jar", "lib/b.jar"], "true {jar:x}", "there is no such input: write {jar:old} (a.jar) to {jar:2}"),
    ],
)
def test_a_placeholder_that_does_not_fit_is_told_before_anything_runs(
    jarlet: Run, jars: Path, inputs: list[str], command: str, message: str
) -> None:
    done = jarlet("reduce", *inputs, "--predicate", command)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1, "nothing was read or run before"


@rows(
    ("inputs", "message"),
    [
        (["empty"], "empty: there is no class file in it. Name a jar, a war, a zip or a folder with classes or jars."),
        (["lib/a.jar", "full"], "full: there is no class file in it. Name a jar, a war, a zip or a folder with"),
        (["lib/a.jar", "outer"], "outer: there is no class file in it. It only has jars inside: --nested opens them."),
        (["lib/a.jar", "link.jar"], "link.jar: this input is listed twice."),
        (
            ["org.nowhere:nothing:1"],
            "org.nowhere:nothing:1: these jars cannot be had: org/nowhere/nothing/1",
        ),
        (["lib/a.jar", "lib/b.jar", "lib/../lib/a.jar"], "lib/../lib/a.jar: this input is listed twice."),
        (["x=lib/a.jar", "x=lib/b.jar"], "x= names more than one jar. Give each jar a name of its own."),
        (["../x=lib/a.jar"], "../x=lib/a.jar: there is no such file. Name a jar, a folder, or"),
        (["lib/a.jar", "absent.jar", "-o", "mine.jar"], "absent.jar: there is no such file. Name a jar, a folder, or"),
        (["jrt:no.such.module"], "has no module of that name"),
        (["lib/a.jar", "lib/b.jar", "-o", "lib/a.jar/x"], "lies in lib/a.jar, which is the input itself"),
        (
            ["lib", "-o", "full"],
            "full: this folder has files that Jarlet did not write ('mine.txt'), and they",
        ),
        (["lib", "-o", "mine.jar"], "mine.jar: this is a file, and the result of several inputs is a folder of jars."),
        (["lib", "-o", "lib/out"], "lib/out lies in lib, which is the input itself and is never written to"),
        (["made/a.jar", "made/b.jar", "-o", "made"], "made holds made/b.jar, which is the input itself"),
    ],
)
def test_inputs_that_cannot_be_used_are_a_sentence_and_nothing_is_lost(
    jarlet: Run, jars: Path, inputs: list[str], message: str
) -> None:
    home = jars.parent
    for folder in ("empty", "full", "made", "outer/in"):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / "outer/in/a.jar").write_bytes((jars / "a.jar").read_bytes())
    for path in ("full/mine.txt", "mine.jar"):
        (home / path).write_text("mine")
    (home / "link.jar").unlink(missing_ok=True)
    (home / "link.jar").symlink_to(jars / "a.jar")
    for name in ("a.jar", "b.jar"):
        (home / "made" / name).write_bytes((jars / name).read_bytes())
    first = "# Written by Jarlet, which replaces this folder: the jars below, in the order of the class path."
    (home / "made" / "classpath.txt").write_text(f"{first}\na.jar\nb.jar\n")
    before = {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}
    done = jarlet("reduce", *inputs, "--predicate", "true {classpath}")
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1 or "Still" in done.stderr
    assert before == {path: path.read_bytes() for path in home.rglob("*") if path.is_file()}


@pytest.mark.guarded
def test_inputs_of_one_file_name_get_names_of_their_own(jarlet: Run, jars: Path, script: Callable[..., Path]) -> None:
    other = jars.parent / "other"
    other.mkdir()
    (jars / "b.jar").rename(other / "a.jar")
    (jars / "c.jar").rename(other / "new.jar")
    command = needing(script, "a.jar:a/A.class", "a-2.jar:b/B.class")
    done = jarlet("reduce", "lib/a.jar", "other/a.jar", "--predicate", f"{command} {{inputs}}", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("Inputs of one name get names of their own: other/a.jar is a-2.jar.") == 1
    assert {path.name for path in (jars.parent / "out").glob("*.jar")} == {"a.jar", "a-2.jar"}


def test_what_stands_in_two_jars_is_one_line(jarlet: Run, jars: Path) -> None:
    for number in range(9):
        (jars / f"copy{number}.jar").write_bytes((jars / "b.jar").read_bytes())
    done = jarlet("inspect", "lib")
    assert done.stdout.count("warning") == 1
    assert "2 classes stand in more than one input, and others see the first: b/B.class, b/Unused.class" in done.stdout


@pytest.mark.guarded
def test_a_jar_that_went_whole_is_an_empty_one_where_the_command_names_it(
    jarlet: Run, jars: Path, script: Callable[..., Path]
) -> None:
    text = '#!/bin/sh\n[ -s "$1" ] && [ -s "$2" ] && unzip -l "$2" b/B.class >/dev/null 2>&1'
    words = f"{script(text)} {{jar:old}} {{jar:new}}"
    done = jarlet("reduce", "old=lib/a.jar", "new=lib/b.jar", "--predicate", words, "-o", "out")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (jars.parent / "out").glob("*.jar")] == ["b.jar"]


@pytest.mark.guarded
def test_a_tool_gets_the_jars_that_its_arguments_name(
    jarlet: Run, jars: Path, compile_java: CompileJava, tmp_path: Path
) -> None:
    program = """class Both {
        public static void main(String[] words) throws Exception {
            for (String word : words)
                try (java.util.zip.ZipFile jar = new java.util.zip.ZipFile(word)) {
                    if (jar.getEntry(word.endsWith("b.jar") ? "b/B.class" : "c/C.class") == null) return;
                }
            throw new IllegalStateException("both");
        }
    }"""
    tool = jar_of(compile_java({"Both.java": program}), tmp_path / "both-1.0.jar")
    words = ("--tool", tool, "--set", "main=Both", "-o", "out", "--bug-folder", "bug")
    done = jarlet("reduce", "old=lib/b.jar", "lib/c.jar", *words, "--", "{jar:old}", "{jar:2}")
    assert done.returncode == 0, done.stderr
    assert [names(jars.parent / "out" / name) for name in ("b.jar", "c.jar")] == [["b/B.class"], ["c/C.class"]]
    assert "Verified: run in an empty folder, the script shows what is wanted." in done.stdout
    told = jarlet("check", "lib", *words[:4], "--", "{jar}", "{dir}")
    assert (told.returncode, "has {jar}, but there are 3 inputs: write {classpath}" in told.stderr) == (2, True)
    assert "{jar:1}, {inputs} and {dir} are the jars" in jarlet("presets", "tool").stdout
    assert "several inputs are joined to one" in jarlet("presets", "procyon").stdout


def test_python_opens_a_coordinate_as_the_command_line_does(
    jars: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = tmp_path / "repository"
    needed = "<groupId>g</groupId><artifactId>a</artifactId><version>1</version>"
    needs = f"<dependencies><dependency>{needed}</dependency></dependencies>"
    for name, declared in (("a", ""), ("b", needs)):
        publish(repository, f"g:{name}:1", (jars / f"{name}.jar").read_bytes())
        pom = f"<project><groupId>g</groupId><artifactId>{name}</artifactId><version>1</version>{declared}</project>"
        (repository / "g" / name / "1" / f"{name}-1.pom").write_text(pom)
    monkeypatch.setenv(VARIABLE, repository.as_uri())
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    with pytest.raises(api.InputError, match="these jars cannot be had"):
        api.open("g:b:1")
    with api.open("g:b:1", fetch=True, with_dependencies=True) as opened:
        assert opened.classes == ["b.B", "b.Unused", "a.A"]
    with pytest.raises(api.UsageError, match="fetch: this is True or False, not 1"):
        api.open("g:b:1", fetch=1)  # type: ignore[arg-type]


@pytest.mark.guarded
def test_merge_makes_one_jar_of_several_inputs(jarlet: Run, jars: Path) -> None:
    command = "sh -c 'unzip -l \"$1\" b/B.class >/dev/null' sh {jar}"
    done = jarlet("reduce", "lib", "--merge", "--predicate", command, "-o", "one.jar")
    assert done.returncode == 0, done.stderr
    assert names(jars.parent / "one.jar") == ["b/B.class"]


def test_a_session_of_several_inputs_goes_on(jarlet: Run, jars: Path, script: Callable[..., Path]) -> None:
    command = f"{needing(script, 'b.jar:b/B.class')} {{inputs}}"
    words = ("reduce", "old=lib/a.jar", "lib/b.jar", "lib/c.jar", "--predicate", command, "-o", "out")
    first = jarlet(*words, "--session", "run", "--max-probes", 1)
    assert first.returncode == 3, first.stderr
    done = jarlet("reduce", "--resume", "run.jarlet", "--max-probes", 100)
    assert done.returncode == 0, done.stderr
    assert names(jars.parent / "out" / "b.jar") == ["b/B.class"]
    assert not (jars.parent / "out" / "a.jar").exists()
    with zipfile.ZipFile(jars.parent / "run.jarlet" / "best.jar") as best:
        assert best.namelist() == ["b.jar"]


@pytest.mark.guarded
def test_an_output_that_was_made_before_is_replaced_whole(jarlet: Run, jars: Path, script: Callable[..., Path]) -> None:
    for entry, left in (("b.jar:b/B.class", "b.jar"), ("c.jar:c/C.class", "c.jar")):
        command = f"{needing(script, entry)} {{inputs}}"
        words = ("--predicate", command, "-o", "out", "-q", "--report", f"{left}.md")
        assert jarlet("reduce", "lib", *words).returncode == 0
        assert {path.name for path in (jars.parent / "out").iterdir()} == {left, "classpath.txt"}
        report = (jars.parent / f"{left}.md").read_text()
        assert "With the reduced inputs packed into an archive small.jar beside this script:" in report
    assert not [path for path in jars.parent.iterdir() if path.name.startswith(".out")]


@pytest.mark.guarded
def test_a_bug_folder_of_several_inputs_repeats_the_failure(
    jarlet: Run, jars: Path, script: Callable[..., Path]
) -> None:
    command = f"{needing(script, 'b.jar:b/B.class', 'c.jar:c/C.class')} {{inputs}}"
    words = ("--predicate", command, "-o", "out", "--bug-folder", "bug", "--source-time", 0)
    done = jarlet("reduce", "lib", *words)
    assert done.returncode == 0, done.stderr
    assert "Verified: run in an empty folder, the script shows what is wanted." in done.stdout
    text = (jars.parent / "bug" / "reproduce.sh").read_text()
    assert '"$work"/inputs/b.jar "$work"/inputs/c.jar' in text
    run = subprocess.run([jars.parent / "bug" / "reproduce.sh"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


@pytest.mark.guarded
def test_a_preset_gets_all_classes_of_several_inputs(jarlet: Run, jars: Path) -> None:
    done = jarlet("check", "lib", "--preset", "verify", "--runs", 1)
    assert "no class" not in done.stderr
    assert done.returncode == 1, "nothing fails, and so all of them were found"


@pytest.mark.guarded
def test_a_function_gets_the_class_path(jars: Path) -> None:
    seen: list[str] = []

    def breaks(candidate: api.Candidate) -> bool:
        seen.append(candidate.class_path)
        with pytest.raises(api.UsageError, match=r"there are 2 inputs: use candidate\.jars or"):
            assert candidate.jar
        return any(jar.name == "b.jar" and "b/B.class" in names(jar) for jar in candidate.jars)

    with api.open(jars / "a.jar", jars / "b.jar") as opened:
        result = opened.reduce(breaks, classpath=[str(jars / "c.jar")]).result()
        result.write(jars.parent / "out")
    assert [Path(place).name for place in seen[0].split(os.pathsep)] == ["a.jar", "b.jar", "c.jar"]
    assert result.classes == ("b.B",)
    assert names(jars.parent / "out" / "b.jar") == ["b/B.class"]


@pytest.mark.guarded
def test_five_hundred_jars_are_a_class_path(jarlet: Run, jars: Path, script: Callable[..., Path]) -> None:
    classes = jars / "b.jar"
    for number in range(500):
        (jars / f"copy{number:03}.jar").write_bytes((jars / "a.jar").read_bytes())
    assert classes.exists()
    done = jarlet("check", "lib", "--predicate", f"{needing(script, 'b.jar:b/B.class')} {{inputs}}", "--runs", 1)
    assert done.returncode == 0, done.stderr


@pytest.mark.guarded
def test_a_module_file_stays_one_that_the_jdk_takes(jarlet: Run, compile_java: CompileJava, tmp_path: Path) -> None:
    sources = {
        "module-info.java": "module m { exports p; }",
        "p/A.java": "package p; public class A { int a; }",
        "p/B.java": "package p; public class B {}",
    }
    made = tmp_path / "m.jmod"
    subprocess.run(["jmod", "create", "--class-path", compile_java(sources), made], check=True)
    told = shlex.quote('jmod describe "$JARLET_JAR" && jmod list "$1" | grep p/A.class')
    done = jarlet("reduce", made, "--predicate", f"sh -c {told} sh {{jar}}", "-o", "small.jmod", "--bug-folder", "bug")
    assert done.returncode == 0, done.stderr
    listed = subprocess.run(["jmod", "list", tmp_path / "small.jmod"], capture_output=True, text=True, check=True)
    assert listed.stdout.split() == ["classes/module-info.class", "classes/p/A.class"]
    image = ["jlink", "--module-path", tmp_path / "small.jmod", "--add-modules", "m", "--output", tmp_path / "image"]
    subprocess.run(image, check=True)
    assert (tmp_path / "image" / "lib" / "modules").exists()


def test_failures_of_installed_tools_are_found_in_all_inputs(
    jarlet: Run, jars: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has = "unzip -l candidate.jar | grep -q ' '$each.class"
    reads = f"for each in a/A b/B c/C; do {has} && echo FAIL $each; done; exit 1"
    only_tools(monkeypatch, {"complains": tool("complains", reads)})
    done = jarlet("tools", *sorted(jars.iterdir()), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)[0]
    assert told["failures"] == [f"FAIL {name}" for name in ("a/A", "b/B", "c/C")]
    assert told["places"] == ["a.A", "b.B", "c.C"]


def test_the_window_runs_a_command_on_the_class_path(jars: Path, script: Callable[..., Path], tmp_path: Path) -> None:
    reads = """#!/bin/sh
case $1 in *a.jar:*b.jar:*c.jar) echo "Exception in b.B.two"; exit 1;; *a.jar*) exit 7;; esac"""
    settings = {"predicate": f"{script(reads)} {{classpath}}", "expect_exit": 1}
    presets.user_folder().mkdir(parents=True)
    (presets.user_folder() / "reader.toml").write_text(decompiler("reader", '["mkdir", "sources"]'))
    with closing(Client(tmp_path)) as engine:
        engine.ask("opened", command="open", paths=[str(path) for path in sorted(jars.iterdir())])
        shown = engine.ask("bug_shown", command="show_bug", settings=settings)
        tried = engine.ask("command_tried", command="try_command", item="a/A", settings=settings)
    assert [text for _, text, *_ in shown["failures"]] == ["Exception in b.B.two"]
    assert tried["detail"] == "exit code 7, wanted 1"
