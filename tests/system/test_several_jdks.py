"""Inputs, presets and commands with each JDK of the machine; most of these need two."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import jarlet as api
from core.archive.jar import read_jar, write_jar
from core.library.jdk import QUICK_TOOL, Jdk
from core.library.jdks import installed_jdks
from core.predicate.jvm.warm import WarmPredicate
from core.predicate.presets import find
from core.protocol.settings import Settings
from core.service.aims import aim_of
from core.service.head_start import HeadStart
from tests.support.files import jar_of
from tests.support.java import CompileJava

pytestmark = pytest.mark.usefixtures("decompilers")

JDKS = [jdk for jdk in installed_jdks() if jdk.compiles]
NEWEST = max(JDKS, key=lambda jdk: jdk.feature)
two = pytest.mark.skipif(JDKS[0].feature == NEWEST.feature, reason="no JDK here is newer than the default one")
MAIN = """package p;
public class Main {
    record Ware(String name, int price) {}
    static int sum(Ware... wares) { int sum = 0; for (Ware ware : wares) sum += ware.price(); return sum; }
    static void unused() { System.out.println("never"); }
    public static void main(String[] words) {
        System.out.println(sum(new Ware("tea", 3)));
        throw new IllegalStateException("broken");
    }
}
"""
Run = Callable[..., Any]


@pytest.fixture(scope="module")
def compiled(compile_java: CompileJava, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Jdk], Path]:
    """``compiled(jdk)``: a jar of the program, as that JDK compiles it, once."""

    @cache
    def compiled(jdk: Jdk) -> Path:
        folder = tmp_path_factory.mktemp("compiled")
        if jdk == JDKS[0]:
            return jar_of(compile_java({"p/Main.java": MAIN}), folder / "new.jar")
        source = folder / "src/p/Main.java"
        source.parent.mkdir(parents=True)
        source.write_text(MAIN)
        subprocess.run([jdk.home / "bin/javac", *QUICK_TOOL, "-d", folder / "classes", source], check=True)
        return jar_of(folder / "classes", folder / "new.jar")

    return compiled


@pytest.fixture(scope="module")
def new(compiled: Callable[[Jdk], Path]) -> Path:
    """A jar that only the newest JDK of this machine can run."""
    return compiled(NEWEST)


@pytest.mark.guarded
@two
def test_an_input_newer_than_the_default_jdk_is_run_by_another_one(jarlet: Run, new: Path, tmp_path: Path) -> None:
    words = ("--preset", "run", "--set", "main=p.Main", "--granularity", "member")
    done = jarlet("reduce", new, *words, "-o", "out.jar", "--report", "r.json")
    assert done.returncode == 0, done.stderr
    assert f"Run with JDK {NEWEST.release}" in done.stderr
    assert f"since the input needs Java {NEWEST.feature}" in done.stderr
    report = json.loads((tmp_path / "r.json").read_text())
    assert report["tools"]["java"] == NEWEST.release
    assert report["output"]["bytes"] < report["input"]["bytes"]
    watched = [one for one in report["evidence"] if one["kind"] == "run"]
    assert watched, "the run on that JDK is watched"
    assert watched[0]["classes"] >= 1


@pytest.mark.slow
@two
def test_a_command_runs_as_in_the_shell_unless_a_jdk_is_named(jarlet: Run, new: Path, tmp_path: Path) -> None:
    words = ("check", new, "--predicate", "java -cp {jar} p.Main", "--expect-exit", 1, "--match", "broken")
    alone = jarlet(*words)
    assert alone.returncode == 1
    assert f"--jdk {NEWEST.feature}" in alone.stdout
    named = jarlet(*words, "--jdk", NEWEST.feature)
    assert named.returncode == 0, named.stdout
    assert "as --jdk says" in named.stdout
    done = jarlet(
        "reduce", *words[1:], "--jdk", NEWEST.home, "-o", "out.jar", "--granularity", "class",
        "--bug-folder", "bug", "--source-time", 0, "-q",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    repeated = subprocess.run(["sh", tmp_path / "bug/reproduce.sh"], capture_output=True, text=True, check=False)
    assert "broken" in repeated.stderr


@two
def test_the_line_to_repeat_a_run_names_the_jdk(jarlet: Run, new: Path) -> None:
    words = ("--predicate", "java -cp {jar} p.Main", "--jdk", NEWEST.feature, "--json")
    told = json.loads(jarlet("check", new, *words).stdout)
    assert not told["interesting"]
    again = subprocess.run(["sh", "-c", told["command"]], capture_output=True, text=True, check=False)
    assert "IllegalStateException: broken" in again.stderr


@two
def test_python_takes_a_jdk_for_presets_and_functions(new: Path) -> None:
    with api.open(new) as jar:
        assert jar.check(preset="run", options={"main": "p.Main"}, jdk=str(NEWEST.feature))

        def breaks(candidate: api.Candidate) -> bool:
            return "broken" in candidate.run("java", "-cp", candidate.jar, "p.Main").stderr

        assert not jar.check(breaks)
        assert jar.check(breaks, jdk=str(NEWEST.feature))


@pytest.mark.slow
@two
@pytest.mark.skipif(find("procyon").missing() is not None, reason="Procyon is not installed")
def test_resident_processes_start_early_on_the_jdk_for_the_input(new: Path, tmp_path: Path) -> None:
    begun, settings = HeadStart(tmp_path), Settings(preset="procyon")
    try:
        begun.expect(settings, [str(new)])
        jar = read_jar([new])
        predicate = begun.predicate(aim_of(settings, jar.inputs, jar.contents))
        assert isinstance(predicate, WarmPredicate)
        assert predicate.started()
        commands = predicate.commands()
        assert {command.java for command in commands} == {str(NEWEST.java)}
        archives = [command.archive() for command in commands]
        assert all(archive is None or archive.jdk == NEWEST for archive in archives)
    finally:
        begun.close()


PRESETS = {"run": ["--set", "main=p.Main"], "verify": [], "jdeps": [], "procyon": []}


def on_every_jdk() -> Iterator[Any]:
    """Each preset with each JDK; Procyon, and the presets but *run* on the newest JDK, are for the slow tests."""
    for preset, options in PRESETS.items():
        for jdk in JDKS:
            fast = preset == "run" or (preset != "procyon" and jdk is JDKS[0])
            marks = [] if fast else [pytest.mark.guarded]
            yield pytest.param(preset, options, jdk, id=f"{preset}-jdk{jdk.feature}", marks=marks)


@pytest.mark.parametrize(("preset", "options", "jdk"), list(on_every_jdk()))
def test_presets_run_on_every_jdk(
    jarlet: Run, compiled: Callable[[Jdk], Path], jdk: Jdk, preset: str, options: list[str]
) -> None:
    if find(preset).missing() is not None:
        pytest.skip(f"{preset} is not installed")
    words = ("--preset", preset, *options, "--jdk", jdk.feature, "--json", "--runs", 1)
    told = json.loads(jarlet("check", compiled(jdk), *words).stdout)
    assert f"Run with JDK {jdk.release}" in told["message"]
    assert told["interesting"] or "no failure was found" in told["message"], told
    assert "UnsupportedClassVersionError" not in told["stdout"] + told["stderr"]


@pytest.mark.slow
@pytest.mark.skipif(find("procyon").missing() is not None, reason="Procyon is not installed")
@pytest.mark.parametrize("cold", [[], ["--cold"]], ids=["warm", "cold"])
def test_decompiled_source_is_compiled_for_an_older_java_on_request(
    jarlet: Run, compile_java: CompileJava, tmp_path: Path, cold: list[str]
) -> None:
    since_11 = "public class A { String twice(String text) { return text.repeat(2); } }"
    jar = jar_of(compile_java({"A.java": since_11}), tmp_path / "a.jar")
    words = ("--preset", "procyon", "--set", "release=8", "--json", "--runs", 1)
    told = json.loads(jarlet("check", jar, *words, *cold).stdout)
    assert told["interesting"]
    assert "repeat" in told["failures"][0]


def test_an_input_newer_than_every_jdk_says_so_in_one_sentence(
    jarlet: Run, compiled: Callable[[Jdk], Path], tmp_path: Path
) -> None:
    entries = read_jar([compiled(JDKS[0])]).contents
    jar = tmp_path / "java55.jar"
    write_jar(jar, [(name, data[:6] + bytes([0, 99]) + data[8:]) for name, data in entries])
    for words in (["--preset", "run", "--set", "main=p.Main"], ["--predicate", "java -cp {jar} p.Main"]):
        told = json.loads(jarlet("check", jar, *words, "--json").stdout)
        assert told["message"].count("class files of Java 55") == 1
        assert f"JDK {NEWEST.release}" in told["message"]
        assert "install a JDK 55 or later" in told["message"]


def test_a_jdk_that_is_not_there_is_refused(jarlet: Run, compiled: Callable[[Jdk], Path]) -> None:
    done = jarlet("check", compiled(JDKS[0]), "--preset", "verify", "--jdk", "7")
    assert done.returncode == 2
    assert done.stderr.startswith("jarlet: There is no JDK 7: here ")
