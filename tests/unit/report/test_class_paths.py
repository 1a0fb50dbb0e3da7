"""Bug folders of commands with class paths of many forms: each starts where the reporter's folders are gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import zipfile
from pathlib import Path

import pytest

from app.cli import main
from core.archive.jar import write_jar
from core.predicate.command import PredicateCommand
from core.predicate.condition import Condition
from core.predicate.predicate import CommandPredicate
from core.report.reproduction import SCRIPT, SMALL, Reproduction, reproduction
from core.report.sign import Sign
from tests.support.files import script
from tests.support.rows import rows

FAILS = "it is broken"
TOOL = """public class Tool {
  static void run(String jar) throws Exception {
    try (java.util.zip.ZipFile file = new java.util.zip.ZipFile(jar)) {
      if (file.getEntry("C2.class") != null) throw new IllegalStateException(Known.text());
    } }
  public static void main(String[] a) throws Exception { run(a[0]); } }
"""
KNOWN = f'public class Known {{ static String text() {{ return "{FAILS}"; }} }}'
HARNESS = "public class Harness { public static void main(String[] a) throws Exception { Tool.run(a[0]); } }"
POM = "groupId=org.known\nartifactId=known\nversion=3.4\n"

UP = """exec java -cp "$(dirname "$0")/../tools/tool-1.2.jar:$(dirname "$0")/../tools/known-3.4.jar" Tool "$1"
"""
MAKEFILE = """TOOLS := $(dir $(lastword $(MAKEFILE_LIST)))../tools
all:
\tjava -cp "$(TOOLS)/tool-1.2.jar:$(TOOLS)/known-3.4.jar" Tool $(JAR)
"""
PYTHON = """#!/usr/bin/env python3
import glob, os, sys
jars = glob.glob(os.path.join(os.path.dirname(__file__), "..", "tools", "*.jar"))
os.execvp("java", ["java", "-cp", ":".join(jars), "Tool", sys.argv[1]])
"""

FORMS = {
    "jars": 'java -cp {0}/tools/tool-1.2.jar:{0}/tools/known-3.4.jar:{0}/mine Harness "$JARLET_JAR"',
    "all jars of a folder": 'java -cp "{0}/tools/*" Tool "$JARLET_JAR"',
    "a folder of classes": 'java -cp {0}/all Harness "$JARLET_JAR"',
    "a mix": 'java -cp "{0}/tools/*:{0}/mine" Harness "$JARLET_JAR"',
    "CLASSPATH": 'export CLASSPATH="{0}/tools/*:{0}/mine"\njava Harness "$JARLET_JAR"',
    "a file of arguments": 'java @{0}/arguments "$JARLET_JAR"',
    "a manifest": 'java -jar {0}/start/start.jar "$JARLET_JAR"',
    "a folder that is entered": 'cd {0} && java -cp "tools/*:mine" Harness "$JARLET_JAR"',
    "a variable": 'LIB={0}/tools; java -cp "$LIB/*:{0}/mine" Harness "$JARLET_JAR"',
    "a variable of single jars": 'H={0}\njava -cp $H/tools/tool-1.2.jar:$H/tools/known-3.4.jar Tool "$JARLET_JAR"',
    "a script beside": 'here=$(cd "$(dirname "$0")" && pwd)\n"$here/more/inner.sh" "$JARLET_JAR"',
    "spaces": 'java -cp "{0}/my tools/*:{0}/mine" Harness "$JARLET_JAR"',
    "a variable of the candidate": 'java -cp {0}/tools/tool-1.2.jar:{0}/tools/known-3.4.jar Tool "$JARLET_INPUTS"',
    "the variable of the caller": 'java -cp "$OF_THE_CALLER" Harness "$JARLET_JAR"',
    "a folder of the caller": 'java -cp "${{HOME_OF_CALLER}}/tools/*:$HOME_OF_CALLER/mine" Harness "$JARLET_JAR"',
    "a file of paths": 'java -cp "$(cat {0}/paths.txt)" Harness "$JARLET_JAR"',
    "a file of relative paths": 'cd "$(dirname "$0")"; java -cp "$(cat relative.txt)" Harness "$JARLET_JAR"',
    "a script that goes up": '{0}/more/up.sh "$JARLET_JAR"',
    "a value where none is given": 'T=${{T:-{0}/tools}}\njava -cp "$T/*" Tool "$JARLET_JAR"',
    "a makefile": 'make -s -f {0}/more/Makefile JAR="$JARLET_JAR"',
    "a program in Python": '{0}/more/run.py "$JARLET_JAR"',
    "a script that is read": '. "$(dirname "$0")/own.sh"\nexec java -cp "$LIB/tool-1.2.jar:$KNOWN" Tool "$JARLET_JAR"',
}


@pytest.fixture(scope="module")
def built(compile_java, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reporter's folder: a jar of his own, one that Maven has, and his classes."""
    home = tmp_path_factory.mktemp("reporter")
    all_ = compile_java({"Tool.java": TOOL, "Known.java": KNOWN, "Harness.java": HARNESS})
    shutil.copytree(all_, home / "all")
    for folder in ("tools", "my tools", "mine", "start/lib", "more"):
        (home / folder).mkdir(parents=True)
    shutil.copy(all_ / "Harness.class", home / "mine")
    tool = [("Tool.class", (all_ / "Tool.class").read_bytes())]
    pom = ("META-INF/maven/org.known/known/pom.properties", POM.encode())
    known = [("Known.class", (all_ / "Known.class").read_bytes()), pom]
    manifest = "Manifest-Version: 1.0\nMain-Class: Tool\nClass-Path: lib/known-3.4.jar\n"
    for folder in ("tools", "my tools"):
        write_jar(home / folder / "tool-1.2.jar", tool)
        write_jar(home / folder / "known-3.4.jar", known)
    write_jar(home / "start/lib/known-3.4.jar", known)
    write_jar(home / "start/start.jar", [("META-INF/MANIFEST.MF", manifest.encode()), *tool])
    write_jar(home / "in.jar", [(f"C{number}.class", (all_ / "Tool.class").read_bytes()) for number in (1, 2, 3)])
    return home


@pytest.fixture
def reporter(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the reporter's folder, where the files that name it do so truly."""
    home = tmp_path / "reporter"
    shutil.copytree(built, home)
    paths = f"{home}/tools/tool-1.2.jar:{home}/tools/known-3.4.jar:{home}/mine"
    (home / "paths.txt").write_text(f"{paths}\n")
    (home / "relative.txt").write_text("tools/tool-1.2.jar:tools/known-3.4.jar:mine\n")
    # the system has a folder /lib, too
    shutil.copytree(home / "tools", home / "lib")
    (home / "own.sh").write_text('LIB=$(cd "$(dirname "$0")" && pwd)/lib\nKNOWN=$LIB/known-3.4.jar\n')
    monkeypatch.setenv("HOME_OF_CALLER", str(home))
    (home / "arguments").write_text(f"-cp {paths}\nHarness\n")

    script(home / "more", f'#!/bin/sh\nexec java -cp "{home}/tools/*:{home}/mine" Harness "$1"\n', "inner.sh")
    script(home / "more", UP, "up.sh")
    script(home / "more", "", "run.py").write_text(PYTHON)
    (home / "more/Makefile").write_text(MAKEFILE)
    monkeypatch.setenv("OF_THE_CALLER", paths)
    return home


def handed_on(made: Reproduction, folder: Path, jar: Path) -> Path:
    for place, data, program in made.copied.contents():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        (folder / place).write_bytes(data)
        (folder / place).chmod(0o755 if program else 0o644)
    shutil.copy(jar, folder / SMALL)
    (folder / SCRIPT).write_text(made.script)
    return folder


def elsewhere(folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    """Run a script on a machine that has a Maven repository in ``home`` and no folder of the reporter's."""
    variables = {"PATH": os.environ["PATH"], "HOME": str(home)}
    return subprocess.run(
        ["/bin/sh", folder / SCRIPT], cwd="/", env=variables, capture_output=True, text=True, check=False
    )


def repository(home: Path, jar: Path) -> Path:
    kept = home / ".m2/repository/org/known/known/3.4/known-3.4.jar"
    kept.parent.mkdir(parents=True)
    shutil.copy(jar, kept)
    return home


@rows("form", FORMS)
def test_a_class_path_of_any_form_is_taken_along(reporter: Path, tmp_path: Path, form: str) -> None:
    check = script(reporter, f"#!/bin/sh\n{FORMS[form].format(reporter)}\n")
    predicate = CommandPredicate(PredicateCommand.parse(f"{check} {{jar}}", reporter), condition=Condition())
    made = reproduction(predicate, Sign(FAILS, None, (FAILS,)), inputs=[reporter / "in.jar"])
    folder = handed_on(made, tmp_path / "handed on", reporter / "in.jar")
    home = repository(tmp_path / "home", reporter / "tools/known-3.4.jar")
    assert str(tmp_path) not in "".join(path.read_text("latin-1") for path in folder.rglob("*") if path.is_file())
    assert not [path.name for path in folder.rglob("*.jar") if path.name in ("in.jar", "known-3.4.jar")]
    gone = reporter.rename(tmp_path / "gone")
    done = elsewhere(folder, home)
    gone.rename(reporter)
    assert done.returncode == 0, done.stderr
    if "known-3.4.jar" in made.script:
        done = elsewhere(folder, tmp_path)
        assert done.returncode == 2
        assert "or tell its place: known-3.4.jar (" in done.stderr
        assert "org.known:known:3.4" in done.stderr


@pytest.mark.guarded
@pytest.mark.parametrize("form", FORMS)
def test_a_whole_bug_folder_of_any_form_starts_elsewhere(
    reporter: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], form: str
) -> None:
    check = script(reporter, f"#!/bin/sh\n{FORMS[form].format(reporter)}\n")
    options = ("--match", FAILS, "--algorithm", "ddmin", "--granularity", "class", "--source-time", "0")
    outputs = ("-o", tmp_path / "o.jar", "--bug-folder", tmp_path / "bug")
    words = ("reduce", reporter / "in.jar", "--predicate", f"{check} {{jar}}", *options, *outputs)
    code, told = main(list(map(str, words))), capfd.readouterr()
    assert (code, "Verified: " in told.out) == (0, True), told
    with zipfile.ZipFile(tmp_path / "bug" / SMALL) as jar:
        assert jar.namelist() == ["C2.class"]
    home = repository(tmp_path / "home", reporter / "tools/known-3.4.jar")
    reporter.rename(tmp_path / "gone")
    done = elsewhere(tmp_path / "bug", home)
    assert done.returncode == 0, done.stderr
