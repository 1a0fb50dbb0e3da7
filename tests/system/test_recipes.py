"""The recipes of ``packaging/examples``: a failing test leaves a small jar."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.files import jar_of
from tests.support.patience import patience

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "packaging" / "examples"
CONSOLE = "org.junit.platform:junit-platform-console-standalone:1.10.2"

TEST = """
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ReduceOnFailure.class)
class ToolTest {
    @Test
    @Reduce(value = "program.jar", seconds = 120)
    void takesTheProgram() throws Exception {
        var jar = ReduceOnFailure.input("program.jar").toUri().toURL();
        try (var loader = new java.net.URLClassLoader(new java.net.URL[] {jar}, null)) {
            if (loader.getResource("p/Main.class") != null) throw new IllegalStateException("the tool stumbles");
        }
    }
}
"""


@pytest.fixture
def command(tmp_path):
    """``jarlet`` of this tree as a program, with a quick search."""
    path = tmp_path / "bin" / "jarlet"
    path.parent.mkdir()
    quick = "--algorithm binary --granularity class --no-evidence"
    path.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -P -m app "$@" {quick}\n')
    path.chmod(0o755)
    return path


@pytest.fixture
def program(compile_java, tmp_path):
    classes = compile_java({
        "p/Main.java": "package p; public class Main { public static void main(String[] a) { new Used().f(); } }",
        "p/Used.java": 'package p; class Used { void f() { throw new IllegalStateException("used"); } }',
        "p/Alone.java": "package p; class Alone { }",
        "p/Other.java": "package p; class Other { Alone alone; }",
    })  # fmt: skip
    return jar_of(classes, tmp_path / "program.jar")


def classes_of(jar):
    with zipfile.ZipFile(jar) as archive:
        return {name for name in archive.namelist() if name.endswith(".class")}


def recipe(tmp_path, command, *arguments, **variables):
    return subprocess.run(
        ["sh", EXAMPLES / "ci" / "reduce-on-failure.sh", *arguments],
        cwd=tmp_path, env={**os.environ, "JARLET": str(command), **variables},
        capture_output=True, text=True, timeout=patience(600), check=False,
    )  # fmt: skip


def test_the_shell_recipe_leaves_a_small_jar(tmp_path, command, program):
    done = recipe(tmp_path, command, program, "java -cp {jar} p.Main")
    assert done.returncode == 1, done.stderr
    artifact = tmp_path / "jarlet-artifact"
    assert classes_of(artifact / "small.jar") == {"p/Main.class", "p/Used.class"}
    assert "IllegalStateException" in (artifact / "report.md").read_text()
    assert (artifact / "session.jarlet" / "settings.json").exists()


def test_the_shell_recipe_looks_for_a_pattern(tmp_path, command, program):
    done = recipe(tmp_path, command, program, "java -cp {jar} p.Main", MATCH="IllegalStateException: used")
    assert done.returncode == 1
    assert classes_of(tmp_path / "jarlet-artifact" / "small.jar") == {"p/Main.class", "p/Used.class"}


def test_the_shell_recipe_leaves_a_passing_test_alone(tmp_path, command, program):
    done = recipe(tmp_path, command, program, "test -s {jar}")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert not (tmp_path / "jarlet-artifact").exists()


def test_the_junit_extension_leaves_a_small_jar(tmp_path, command, program):
    if shutil.which("mvn") is None:
        pytest.skip("JUnit comes by Maven, which is not installed")
    got = subprocess.run(
        ["mvn", "-q", "dependency:copy", f"-Dartifact={CONSOLE}", f"-DoutputDirectory={tmp_path}"],
        capture_output=True, text=True, timeout=patience(600), check=False, cwd=tmp_path,
    )  # fmt: skip
    assert got.returncode == 0, got.stdout
    console = next(tmp_path.glob("junit-platform-console-standalone-*.jar"))
    (tmp_path / "ToolTest.java").write_text(TEST)
    sources = [*(EXAMPLES / "junit5").glob("*.java"), tmp_path / "ToolTest.java"]
    subprocess.run(["javac", "-cp", console, "-d", tmp_path / "tests", *sources], check=True)
    done = subprocess.run(
        ["java", f"-Djarlet.command={command}", "-cp", f"{console}{os.pathsep}{tmp_path / 'tests'}",
         "org.junit.platform.console.ConsoleLauncher", "execute", "--disable-banner", "--select-class", "ToolTest"],
        cwd=tmp_path, capture_output=True, text=True, timeout=patience(900), check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout + done.stderr
    small = tmp_path / "jarlet-artifact" / "ToolTest.takesTheProgram.jar"
    assert small.exists(), done.stdout + done.stderr
    assert classes_of(small) == {"p/Main.class", "p/Used.class"}
    assert str(small) in done.stdout
